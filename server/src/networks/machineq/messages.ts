// What a REST destination of a machineQ output profile gets, in the output format `extended`. There
// is no public description; this rests on a recording (tago-io/decoders, network/lorawan-machineq)
// and on the names of the API's logs (OlegZv/machineq, core/logs). Every number is a text; an empty
// text or "0.000000" stands for an unknown value.
import {
  findNumber,
  findPosition,
  isObject,
  type JsonObject,
  readDashedEui,
  readHexadecimal,
  readLooseInteger,
  readObjects,
  readText,
  readTime,
} from '../message-fields.ts'
import {
  type CallbackRequest,
  type NetworkMessage,
  NotOurMessage,
  type Uplink,
} from '../network-message.ts'
import { makeAcknowledgement, makeUplink, nothing, type ReadReception } from '../uplink.ts'

/** Reads one message. Throws `NotOurMessage`. Port 0 carries MAC commands. */
export function readMessages({
  body,
  query,
}: Pick<CallbackRequest, 'body' | 'query'>): NetworkMessage[] {
  if (!isObject(body)) throw new NotOurMessage('The body must be a JSON object.')
  if (body.payload_hex === undefined && body.FCntUp === undefined) {
    throw new NotOurMessage('payload_hex and FCntUp are missing: this is no message of machineQ.')
  }
  // The recording has none: such a message can carry it in the address.
  const devEui = readDashedEui({ DevEUI: body.DevEUI ?? query.DevEUI }, 'DevEUI')
  const fCnt = readLooseInteger(body, 'FCntUp', 4_294_967_295)
  const fPort = readLooseInteger(body, 'FPort', 255)
  const receivedAt = readTime(body, 'Time')
  const deduplicationKey = `${devEui}:${fCnt}:${receivedAt}`
  const frame = { devEui, fCnt, fPort, receivedAt, deduplicationKey }
  const messages: NetworkMessage[] = fPort === 0 ? [] : [readUplink(body, frame)]
  if (findNumber(body, 'ACKbit') === 1) messages.push(makeAcknowledgement(frame))
  return messages.length === 0 ? [nothing] : messages
}

type Frame = Pick<Uplink, 'devEui' | 'deduplicationKey' | 'receivedAt' | 'fCnt' | 'fPort'>

function readUplink(body: JsonObject, frame: Frame): Uplink {
  const spreading = findNumber(body, 'SpreadingFactor')
  return makeUplink({
    ...frame,
    payload: readHexadecimal(body, 'payload_hex'),
    receptions: readReceptions(body),
    // The bandwidth is not told.
    dataRate: spreading ? `SF${spreading}` : undefined,
  })
}

/** The best one is at the top, with its position, and in the list. */
function readReceptions(body: JsonObject): ReadReception[] {
  const best = readReception(body)
  const position = findPosition(body, 'GatewayLAT', 'GatewayLON')
  const listed = readObjects(body, 'GatewayList').map(readReception)
  return (listed.length > 0 ? listed : [best])
    .filter(({ gatewayEui }) => gatewayEui !== '')
    .map((one) => (one.gatewayEui === best.gatewayEui ? { ...one, ...position } : one))
}

function readReception(item: JsonObject): ReadReception {
  return {
    gatewayEui: readText(item, 'GatewayID', 40).toUpperCase(),
    rssi: findNumber(item, 'GatewayRSSI'),
    snr: findNumber(item, 'GatewaySNR'),
  }
}
