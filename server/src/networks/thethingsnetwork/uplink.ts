import { isEui } from '../../lora/eui.ts'
import {
  type JsonObject,
  readBytes,
  readDecimal,
  readObject,
  readObjects,
  readPort,
  readPosition,
  readText,
  readTime,
  readUint32,
} from '../message-fields.ts'
import { type Nothing, NotOurMessage, type Uplink } from '../network-message.ts'
import { makeUplink, nothing, type ReadReception, toWhole } from '../uplink.ts'

/** What a message holds beside its content. */
export interface Envelope {
  devEui: string
  ids: JsonObject
  body: JsonObject
  /** When the service received the message. */
  receivedAt: string
}

/**
 * Reads an `uplink_message`. A port that is left out is port 0, which carries MAC commands: nothing
 * to keep. The key is that of LoRaWAN itself, device, session and counter. An ABP session may have
 * no id, and its counter begins anew with the device: there the time is part of the key.
 */
export function readUplink(message: JsonObject, { devEui, ids, body }: Envelope): Uplink | Nothing {
  if (message.app_s_key) {
    throw new NotOurMessage(
      'The payload is encrypted: turn off "Skip payload encryption and decryption" of the application in The Things Stack.',
    )
  }
  const fCnt = readUint32(message, 'f_cnt')
  const receivedAt = readTime(message.received_at ? message : body, 'received_at')
  const session =
    readText(message, 'session_key_id', 200) || `${readText(ids, 'dev_addr', 16)}:${receivedAt}`
  // An uplink that the console simulates has neither session nor counter.
  const isSimulated = body.simulated === true
  const uplink = makeUplink({
    devEui,
    deduplicationKey: isSimulated
      ? `simulated:${devEui}:${receivedAt}`
      : `up:${devEui}:${session}:${fCnt}`,
    receivedAt,
    fPort: readPort(message, 'f_port'),
    fCnt,
    payload: readBytes(message, 'frm_payload'),
    receptions: readObjects(message, 'rx_metadata').flatMap(readReception),
    ...readTransmission(message),
  })
  return uplink.fPort === 0 ? nothing : uplink
}

/**
 * None for a gateway without an EUI: it has none, or its network beyond Packet Broker does not tell
 * it.
 */
function readReception(item: JsonObject): ReadReception[] {
  const broker = readObject(item, 'packet_broker')
  const gateway = readObject(item, 'gateway_ids') ?? {}
  const eui = readText(gateway, 'eui', 23) || readText(broker ?? {}, 'forwarder_gateway_eui', 23)
  const signal = { rssi: toWhole(readDecimal(item, 'rssi')), snr: readDecimal(item, 'snr') }
  const position = readPosition(readObject(item, 'location'))
  return isEui(eui) ? [{ gatewayEui: eui.toUpperCase(), ...signal, ...position }] : []
}

function readTransmission(message: JsonObject) {
  const settings = readObject(message, 'settings')
  if (!settings) return {}
  return {
    frequency: readUint32(settings, 'frequency'),
    dataRate: readDataRate(readObject(settings, 'data_rate') ?? {}),
  }
}

/** `SF7BW125`, `FSK50` (kbit/s), `LRFHSS137` (kHz). */
function readDataRate(rate: JsonObject): string | undefined {
  const lora = readObject(rate, 'lora')
  if (lora)
    return `SF${readUint32(lora, 'spreading_factor')}BW${readUint32(lora, 'bandwidth') / 1000}`
  const fsk = readObject(rate, 'fsk')
  if (fsk) return `FSK${readUint32(fsk, 'bit_rate') / 1000}`
  const hopping = readObject(rate, 'lrfhss')
  if (hopping) return `LRFHSS${readUint32(hopping, 'operating_channel_width') / 1000}`
  return undefined
}
