// What a REST destination of a machineQ output profile gets, in the output format `extended`. There
// is no public description; this rests on a recording (tago-io/decoders, network/lorawan-machineq)
// and on the names of the API's logs (OlegZv/machineq, core/logs). Every number is a text, and an
// empty one or "0.000000" stands for what is not known.
import {
  findNumber,
  findPosition,
  isObject,
  type JsonObject,
  readDashedEui,
  readHexadecimal,
  readList,
  readText,
  readTime,
} from '../message-fields.ts'
import {
  type CallbackRequest,
  type DownlinkEvent,
  type NetworkMessage,
  NotOurMessage,
  type Reception,
  type Uplink,
} from '../network-message.ts'

/** Reads one message. Throws `NotOurMessage`. Port 0 carries MAC commands. */
export function readMessages({
  body,
  query,
}: Pick<CallbackRequest, 'body' | 'query'>): NetworkMessage[] {
  if (!isObject(body)) throw new NotOurMessage('The body must be a JSON object.')
  if (body.payload_hex === undefined && body.FCntUp === undefined) {
    throw new NotOurMessage('payload_hex and FCntUp are missing: this is no message of machineQ.')
  }
  const frame = {
    // The recording has none: such a message can carry it in the address.
    devEui: readDashedEui({ DevEUI: body.DevEUI ?? query.DevEUI }, 'DevEUI'),
    fCnt: readWhole(body, 'FCntUp', 4_294_967_295),
    fPort: readWhole(body, 'FPort', 255),
    time: readTime(body, 'Time'),
  }
  const key = `${frame.devEui}:${frame.fCnt}:${frame.time}`
  const messages: NetworkMessage[] = frame.fPort === 0 ? [] : [readUplink(body, frame, key)]
  if (findNumber(body, 'ACKbit') === 1) messages.push(toAcknowledgement(frame, key))
  return messages.length === 0 ? [{ kind: 'nothing' }] : messages
}

interface Frame {
  devEui: string
  fCnt: number
  fPort: number
  time: string
}

function readUplink(body: JsonObject, { devEui, fCnt, fPort, time }: Frame, key: string): Uplink {
  const spreading = findNumber(body, 'SpreadingFactor')
  return {
    kind: 'uplink',
    devEui,
    deduplicationKey: key,
    receivedAt: time,
    fPort,
    fCnt,
    payload: readHexadecimal(body, 'payload_hex'),
    receptions: readReceptions(body),
    // The bandwidth is not told.
    ...(spreading ? { dataRate: `SF${spreading}` } : {}),
  }
}

function toAcknowledgement({ devEui, fCnt, time }: Frame, key: string): DownlinkEvent {
  return {
    kind: 'downlink',
    state: 'acknowledged',
    devEui,
    deduplicationKey: `ack:${key}`,
    occurredAt: time,
    details: { fCntUp: fCnt },
  }
}

/** The best one is at the top, with its position, and in the list. */
function readReceptions(body: JsonObject): Reception[] {
  const best = readReception(body)
  const position = findPosition(body, 'GatewayLAT', 'GatewayLON')
  const listed = readList(body, 'GatewayList').map((item) => {
    if (!isObject(item)) throw new NotOurMessage('GatewayList must be a list of objects.')
    return readReception(item)
  })
  const receptions = listed.length > 0 ? listed : [best]
  const placed = receptions.map((reception) =>
    reception.gatewayEui === best.gatewayEui ? { ...reception, ...position } : reception,
  )
  placed.sort((a, b) => (b.snr ?? -Infinity) - (a.snr ?? -Infinity))
  return placed.filter(({ gatewayEui }) => gatewayEui !== '')
}

function readReception(item: JsonObject): Reception {
  const rssi = findNumber(item, 'GatewayRSSI')
  const snr = findNumber(item, 'GatewaySNR')
  return {
    gatewayEui: readText(item, 'GatewayID', 40).toUpperCase(),
    ...(rssi === undefined ? {} : { rssi }),
    ...(snr === undefined ? {} : { snr }),
  }
}

/** A whole number, mostly as a text; 0 when it is missing or empty. */
function readWhole(body: JsonObject, name: string, highest: number): number {
  const sent = body[name]
  if (sent === undefined || sent === null || sent === '') return 0
  const number = findNumber(body, name)
  if (number !== undefined && Number.isInteger(number) && number >= 0 && number <= highest) {
    return number
  }
  throw new NotOurMessage(`${name} must be a whole number from 0 to ${highest}.`)
}
