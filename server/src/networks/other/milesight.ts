// Milesight UG gateways, built-in network server, HTTP transmission:
// milesight.com/building-iot-gateway/en/application-guide/uplink-data.html.
import {
  isObject,
  type JsonObject,
  readBytes,
  readDashedEui,
  readInteger,
  readList,
  readObject,
  readText,
  readUint32,
} from '../message-fields.ts'
import { type Nothing, NotOurMessage, type Uplink } from '../network-message.ts'
import { keyOf, nameDataRate, readReceptionOf, readTimeOr, sortReceptions } from './fields.ts'

/** `data` is base64, `frequency` in Hz, `bandwidth` in kHz. */
export function readMilesight(body: JsonObject, receivedAt: string): Uplink | Nothing {
  const devEui = readDashedEui(body, 'devEUI')
  const fPort = readInteger(body, 'fPort', 0, 255)
  if (fPort === 0) return { kind: 'nothing' }
  const fCnt = readUint32(body, 'fCnt')
  const txInfo = readObject(body, 'txInfo') ?? {}
  const frequency = readUint32(txInfo, 'frequency')
  const moments = [readText(body, 'time', 40), readText(body, 'gatewayTime', 40)]
  return {
    kind: 'uplink',
    devEui,
    ...keyOf(`milesight:${fCnt}`, moments, receivedAt),
    receivedAt: readTimeOr(body, 'time', receivedAt),
    fPort,
    fCnt,
    payload: readBytes(body, 'data'),
    receptions: sortReceptions(readList(body, 'rxInfo').map(readReception)),
    ...nameDataRate(readObject(txInfo, 'dataRate')),
    ...(frequency > 0 ? { frequency } : {}),
  }
}

function readReception(item: unknown) {
  if (!isObject(item)) throw new NotOurMessage('rxInfo must be a list of objects.')
  return readReceptionOf(readText(item, 'mac', 32), item, item)
}
