// MultiTech Conduit, application server interface "app-connect":
// github.com/MultiTechSystems/lorawan-app-connect, README.md.
import {
  findNumber,
  type JsonObject,
  readBytes,
  readDashedEui,
  readDecimal,
  readInteger,
  readText,
  readUint32,
} from '../message-fields.ts'
import type { Nothing, Reception, Uplink } from '../network-message.ts'
import { keyOf, readTimeOr } from './fields.ts'

/** EUIs have dashes, `freq` is in MHz, `lsnr` in dB. Port 0 carries MAC commands alone. */
export function readMultiTech(body: JsonObject, receivedAt: string): Uplink | Nothing {
  const devEui = readDashedEui(body, 'deveui')
  const fPort = readInteger(body, 'port', 0, 255)
  if (fPort === 0) return { kind: 'nothing' }
  const fCnt = readUint32(body, 'fcnt')
  // Repeated, a message has the same time again; without a clock the radio's own counter.
  const moments = [readText(body, 'time', 40), readDecimal(body, 'tmst')]
  const dataRate = body.datr
  const frequency = readDecimal(body, 'freq') ?? 0
  return {
    kind: 'uplink',
    devEui,
    ...keyOf(`multitech:${readText(body, 'devaddr', 16)}:${fCnt}`, moments, receivedAt),
    receivedAt: readTimeOr(body, 'time', receivedAt),
    fPort,
    fCnt,
    payload: readBytes(body, 'data'),
    receptions: readReceptions(body),
    ...(typeof dataRate === 'string' && dataRate.length <= 20 ? { dataRate } : {}),
    ...(frequency > 0 ? { frequency: Math.round(frequency * 1_000_000) } : {}),
  }
}

/** The message of a join names its device in the path alone: there is nothing to keep in it. */
export function readJoinOfMultiTech(): Nothing {
  return { kind: 'nothing' }
}

function readReceptions(body: JsonObject): Reception[] {
  if (body.gweui === undefined) return []
  const rssi = findNumber(body, 'rssi')
  const snr = findNumber(body, 'lsnr')
  return [
    {
      gatewayEui: readDashedEui(body, 'gweui'),
      ...(rssi === undefined ? {} : { rssi }),
      ...(snr === undefined ? {} : { snr }),
    },
  ]
}
