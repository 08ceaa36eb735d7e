// What LORIOT's data output `httppush` posts: one JSON object whose `cmd` says what it is.
// docs.loriot.io, Uplink Data Message, Gateway Information, Downlink Data Message.

import {
  findNumber,
  findPosition,
  isBase64,
  isEmpty,
  isHexadecimal,
  isObject,
  type JsonObject,
  noteMissing,
  readDashedEui,
  readGateway,
  readHexadecimal,
  readMilliseconds,
  readObjects,
  readPort,
  readText,
  readTruth,
  readUint32,
} from '../message-fields.ts'
import {
  type CallbackRequest,
  type DeviceEvent,
  type DownlinkEvent,
  type NetworkMessage,
  type Nothing,
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

/**
 * Reads one message. Throws `NotOurMessage`. An uplink comes as `rx` (with the best signal), as
 * `gw` (with every gateway that heard it), or as both, depending on the application's settings.
 */
export function readMessages({
  body,
  receivedAt,
}: Pick<CallbackRequest, 'body' | 'receivedAt'>): NetworkMessage[] {
  if (!isObject(body)) throw new NotOurMessage('The body must be a JSON object.')
  const command = readText(body, 'cmd', 20)
  if (command === 'rx' || command === 'gw') return readFrame(body, receivedAt)
  if (command === 'txd') return [readTransmission(body, receivedAt)]
  // The echo of a queued downlink.
  if (command === 'tx') return [nothing]
  throw new NotOurMessage(
    command === '' ? 'cmd is missing.' : 'cmd does not name a message of LORIOT.',
  )
}

function readFrame(body: JsonObject, arrivedAt: string): NetworkMessage[] {
  noteMissing(body, 'ts', 'fcnt')
  const devEui = readDashedEui(body, 'EUI')
  const gateways = readObjects(body, 'gws')
  const time = timeOf(
    arrivedAt,
    readMilliseconds(body, 'ts') ?? readMilliseconds(gateways[0] ?? {}, 'ts'),
  )
  const fCnt = readUint32(body, 'fcnt')
  const frame = { devEui, ...time, fCnt, ...keyByTime(`${devEui}:${fCnt}`, time) }
  const carried = readUplink(body, frame, gateways)
  if (!readTruth(body, 'ack')) return [carried]
  const acknowledged = makeAcknowledgement(frame)
  return carried.kind === 'nothing' ? [acknowledged] : [carried, acknowledged]
}

type Frame = Omit<Uplink, 'kind' | 'fPort' | 'payload' | 'receptions'>

function readUplink(
  body: JsonObject,
  frame: Frame,
  gateways: readonly JsonObject[],
): Uplink | DeviceEvent | Nothing {
  const fPort = readPort(body, 'port')
  if (fPort === 0) return nothing
  if (typeof body.data !== 'string' && typeof body.encdata === 'string') {
    return readEncrypted(body, frame)
  }
  return makeUplink({
    ...frame,
    fPort,
    payload: readPayload(body),
    receptions: readReceptions(body, gateways),
    dataRate: readDataRate(body),
    frequency: findNumber(body, 'freq'),
    isPartial: true,
  })
}

/** In an application's settings the payload can be set to base64, which may look hexadecimal. */
function readPayload(body: JsonObject): Uint8Array {
  const { data } = body
  const isOther = typeof data === 'string' && !isHexadecimal(data) && isBase64(data)
  if (!isOther) return readHexadecimal(body, 'data')
  throw new NotOurMessage(
    'data is base64, not hexadecimal: set the data format of the application at LORIOT to hexadecimal.',
  )
}

/** Without the AppSKey, LORIOT passes on the encrypted payload. */
function readEncrypted(
  body: JsonObject,
  { devEui, receivedAt, fCnt, deduplicationKey }: Frame,
): DeviceEvent {
  return {
    kind: 'log',
    devEui,
    deduplicationKey: `encrypted:${deduplicationKey}`,
    occurredAt: receivedAt,
    details: {
      code: 'ENCRYPTED',
      description: 'LORIOT has no AppSKey of the device, so its payload cannot be read.',
      fCnt,
      encdata: readText(body, 'encdata'),
    },
  }
}

/** `gws` of a `gw`; only the signal of an `rx`, whose gateway LORIOT does not name. */
function readReceptions(body: JsonObject, gateways: readonly JsonObject[]): ReadReception[] {
  const receptions = gateways.map((item) => ({
    gatewayEui: readGateway(item, 'gweui'),
    ...readSignal(item),
    ...findPosition(item, 'lat', 'lon'),
  }))
  if (receptions.length > 0) return receptions
  return [{ gatewayEui: '', ...readSignal(body) }].filter(isTelling)
}

function readSignal(item: JsonObject) {
  return { rssi: findNumber(item, 'rssi'), snr: findNumber(item, 'snr') }
}

/** `SF12 BW125 4/5`, the last part being the coding rate. */
function readDataRate(body: JsonObject): string | undefined {
  const [spreading, bandwidth] = readText(body, 'dr', 40).split(' ')
  return spreading && bandwidth ? `${spreading}${bandwidth}` : spreading || undefined
}

/**
 * A downlink was sent or given up. Only its frame counter names it, which is no id (see
 * downlinks.ts): downlinks of a device are sent in the order of the queue.
 */
function readTransmission(body: JsonObject, receivedAt: string): DownlinkEvent | Nothing {
  const devEui = readDashedEui(body, 'EUI')
  const occurredAt = readMilliseconds(body, 'ts') ?? receivedAt
  const fCntDown = readUint32(body, 'seqdn')
  if (!isOfUser(body)) return nothing
  const error = readText(body, 'error', 1000)
  const gatewayEui = isEmpty(body, 'gweui') ? '' : readGateway(body, 'gweui')
  return {
    kind: 'downlink',
    state: error === '' ? 'sent' : 'failed',
    devEui,
    deduplicationKey: `txd:${devEui}:${fCntDown}:${occurredAt}`,
    occurredAt,
    ...(gatewayEui === '' ? {} : { gatewayEui }),
    ...(error === '' ? {} : { reason: error }),
    details: { fCntDown },
  }
}

/** Newer messages say what was sent: `User DL`, or a frame of the network itself. */
function isOfUser(body: JsonObject): boolean {
  const type = readText(body, 'msgType', 100)
  return (type === '' || type === 'User DL') && findNumber(body, 'port') !== 0
}
