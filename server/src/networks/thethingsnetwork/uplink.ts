import { readGateway, readPosition } from '../gateway-fields.ts'
import {
  findCounter,
  findNumber,
  type JsonObject,
  readBytes,
  readDecimal,
  readObject,
  readObjects,
  readPort,
  readText,
  readUint32,
} from '../message-fields.ts'
import { readTime } from '../message-times.ts'
import { type Nothing, NotOurMessage, type Uplink } from '../network-message.ts'
import { noteMissing } from '../unread.ts'
import {
  keyByTime,
  makeUplink,
  nameLora,
  nameRate,
  nothing,
  type ReadReception,
  timeOf,
  toWhole,
} from '../uplink.ts'

/** The members of a message besides its content. */
export interface Envelope {
  devEui: string
  ids: JsonObject
  body: JsonObject
  /** When the service received the message. */
  receivedAt: string
}

/**
 * Reads an `uplink_message`. A port that is left out is port 0, which carries MAC commands: nothing
 * to keep.
 */
export function readUplink(message: JsonObject, envelope: Envelope): Uplink | Nothing {
  if (message.app_s_key) {
    throw new NotOurMessage(
      'The payload is encrypted: turn off "Skip payload encryption and decryption" of the application in The Things Stack.',
    )
  }
  noteMissing(message, 'rx_metadata', 'settings')
  const { devEui, body, receivedAt } = envelope
  // The time of the network server is the year 1 in a message that the console simulates.
  const time = timeOf(receivedAt, readTime(message, 'received_at') ?? readTime(body, 'received_at'))
  const uplink = makeUplink({
    devEui,
    ...time,
    ...readKey(message, envelope, time),
    fPort: readPort(message, 'f_port'),
    fCnt: readUint32(message, 'f_cnt'),
    payload: readBytes(message, 'frm_payload'),
    receptions: readObjects(message, 'rx_metadata').map(readReception),
    ...readTransmission(message),
  })
  return uplink.fPort === 0 ? nothing : uplink
}

/**
 * The key is that of LoRaWAN itself, device, session and counter. An ABP session may have no id, and
 * its counter starts again with the device: the time is then part of the key. An uplink that the
 * console simulates has neither session nor counter.
 */
function readKey(
  message: JsonObject,
  { devEui, ids, body }: Envelope,
  time: Pick<Uplink, 'receivedAt' | 'isDatedHere'>,
): Pick<Uplink, 'deduplicationKey' | 'isTimeless'> {
  if (body.simulated === true) return keyByTime(`simulated:${devEui}`, time)
  const session = readText(message, 'session_key_id', 200)
  const fCnt = message.f_cnt === undefined ? 0 : findCounter(message, 'f_cnt')
  if (session !== '' && fCnt !== undefined) {
    return { deduplicationKey: `up:${devEui}:${session}:${fCnt}` }
  }
  const name = `up:${devEui}:${session || readText(ids, 'dev_addr', 16)}`
  if (time.isDatedHere) return keyByTime(`${name}:${fCnt ?? ''}`, time)
  return { deduplicationKey: `${name}:${time.receivedAt}:${fCnt ?? ''}` }
}

/** Beyond Packet Broker, the network of a gateway may give its EUI, its id or neither. */
function readReception(item: JsonObject): ReadReception {
  const broker = readObject(item, 'packet_broker')
  const gateway = readObject(item, 'gateway_ids') ?? {}
  return {
    gatewayEui:
      broker && !gateway.eui
        ? readGateway(broker, 'forwarder_gateway_eui', 'forwarder_gateway_id')
        : readGateway(gateway, 'eui', 'gateway_id'),
    rssi: toWhole(readDecimal(item, 'rssi')),
    snr: readDecimal(item, 'snr'),
    ...readPosition(readObject(item, 'location')),
  }
}

function readTransmission(message: JsonObject) {
  const settings = readObject(message, 'settings')
  if (!settings) return {}
  return {
    frequency: findNumber(settings, 'frequency'),
    dataRate: readDataRate(readObject(settings, 'data_rate') ?? {}),
  }
}

/** `SF7BW125`, `FSK50` (kbit/s), `LRFHSS137` (kHz). */
function readDataRate(rate: JsonObject): string | undefined {
  const lora = readObject(rate, 'lora')
  if (lora) return nameLora(readUint32(lora, 'spreading_factor'), readUint32(lora, 'bandwidth'))
  const fsk = readObject(rate, 'fsk')
  if (fsk) return nameRate('FSK', readUint32(fsk, 'bit_rate'))
  const hopping = readObject(rate, 'lrfhss')
  return hopping && nameRate('LRFHSS', readUint32(hopping, 'operating_channel_width'))
}
