// What a REST destination of a machineQ output profile gets, in the output format `extended`. There
// is no public description; this rests on a recording (tago-io/decoders, network/lorawan-machineq)
// and on the names of the API's logs (OlegZv/machineq, core/logs). Every number is a text; an empty
// text or "0.000000" stands for an unknown value.

import {
  findNumber,
  findPosition,
  isEmpty,
  isObject,
  type JsonObject,
  noteMissing,
  readDashedEui,
  readGatewayName,
  readHexadecimal,
  readLoosePort,
  readObjects,
  readTime,
  readUint32,
} from '../message-fields.ts'
import {
  type CallbackRequest,
  type NetworkMessage,
  NotOurMessage,
  type Uplink,
} from '../network-message.ts'
import {
  isTelling,
  keyByTime,
  makeAcknowledgement,
  makeUplink,
  nothing,
  type ReadReception,
  timeOf,
} from '../uplink.ts'

/** Reads one message. Throws `NotOurMessage`. Port 0 carries MAC commands. */
export function readMessages({
  body,
  query,
  receivedAt,
}: Pick<CallbackRequest, 'body' | 'query' | 'receivedAt'>): NetworkMessage[] {
  if (!isObject(body)) throw new NotOurMessage('The body must be a JSON object.')
  if (body.payload_hex === undefined && body.FCntUp === undefined) {
    throw new NotOurMessage('payload_hex and FCntUp are missing: this is no message of machineQ.')
  }
  noteMissing(body, 'FCntUp', 'Time')
  // The recording has none: such a message can carry it in the address.
  const devEui = readDashedEui({ DevEUI: body.DevEUI ?? query.DevEUI }, 'DevEUI')
  const fCnt = isEmpty(body, 'FCntUp') ? 0 : readUint32(body, 'FCntUp')
  const fPort = readLoosePort(body, 'FPort')
  const time = timeOf(receivedAt, readTime(body, 'Time'))
  const frame = { devEui, fCnt, fPort, ...time, ...keyByTime(`${devEui}:${fCnt}`, time) }
  const messages: NetworkMessage[] = fPort === 0 ? [] : [readUplink(body, frame)]
  if (findKnown(body, 'ACKbit') === 1) messages.push(makeAcknowledgement(frame))
  return messages.length === 0 ? [nothing] : messages
}

/** Empty if it is not known. */
function findKnown(parent: JsonObject, name: string): number | undefined {
  return isEmpty(parent, name) ? undefined : findNumber(parent, name)
}

function readUplink(
  body: JsonObject,
  frame: Omit<Uplink, 'kind' | 'payload' | 'receptions'>,
): Uplink {
  const spreading = findKnown(body, 'SpreadingFactor')
  return makeUplink({
    ...frame,
    payload: readHexadecimal(body, 'payload_hex'),
    receptions: readReceptions(body),
    // The bandwidth is not given.
    dataRate: spreading ? `SF${spreading}` : undefined,
  })
}

/** The best one is at the top, with its position, and in the list. */
function readReceptions(body: JsonObject): ReadReception[] {
  const best = readReception(body)
  const isPlaced = !isEmpty(body, 'GatewayLAT') && !isEmpty(body, 'GatewayLON')
  const position = isPlaced ? findPosition(body, 'GatewayLAT', 'GatewayLON') : {}
  const listed = readObjects(body, 'GatewayList').map(readReception)
  return (listed.length > 0 ? listed : [best])
    .filter(isTelling)
    .map((one) => (one.gatewayEui === best.gatewayEui ? { ...one, ...position } : one))
}

function readReception(item: JsonObject): ReadReception {
  return {
    gatewayEui: readGatewayName(item, 'GatewayID').toUpperCase(),
    rssi: findKnown(item, 'GatewayRSSI'),
    snr: findKnown(item, 'GatewaySNR'),
  }
}
