// What LORIOT's data output `httppush` posts: one JSON object whose `cmd` says what it is.
// docs.loriot.io, Uplink Data Message, Gateway Information, Downlink Data Message.
import {
  findNumber,
  findPosition,
  isObject,
  type JsonObject,
  readDashedEui,
  readHexadecimal,
  readMilliseconds,
  readObjects,
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
import { makeAcknowledgement, makeUplink, nothing, type ReadReception } from '../uplink.ts'

/**
 * Reads one message. Throws `NotOurMessage`. An uplink comes as `rx` (with the best signal), as
 * `gw` (with every gateway that heard it), or as both, depending on the application's settings.
 */
export function readMessages({ body }: Pick<CallbackRequest, 'body'>): NetworkMessage[] {
  if (!isObject(body)) throw new NotOurMessage('The body must be a JSON object.')
  const command = readText(body, 'cmd', 20)
  if (command === 'rx' || command === 'gw') return readFrame(body)
  if (command === 'txd') return [readTransmission(body)]
  // The echo of a queued downlink.
  if (command === 'tx') return [nothing]
  throw new NotOurMessage(
    command === '' ? 'cmd is missing.' : 'cmd does not name a message of LORIOT.',
  )
}

function readFrame(body: JsonObject): NetworkMessage[] {
  const devEui = readDashedEui(body, 'EUI')
  const receivedAt = readMilliseconds(body, 'ts')
  const fCnt = readUint32(body, 'fcnt')
  const frame = { devEui, receivedAt, fCnt, deduplicationKey: `${devEui}:${fCnt}:${receivedAt}` }
  const carried = readUplink(body, frame)
  if (!readTruth(body, 'ack')) return [carried]
  const acknowledged = makeAcknowledgement(frame)
  return carried.kind === 'nothing' ? [acknowledged] : [carried, acknowledged]
}

type Frame = Pick<Uplink, 'devEui' | 'receivedAt' | 'fCnt' | 'deduplicationKey'>

function readUplink(body: JsonObject, frame: Frame): Uplink | DeviceEvent | Nothing {
  const fPort = findNumber(body, 'port') ?? 0
  if (fPort === 0) return nothing
  if (!Number.isInteger(fPort) || fPort < 0 || fPort > 255) {
    throw new NotOurMessage('port must be a whole number from 0 to 255.')
  }
  if (typeof body.data !== 'string' && typeof body.encdata === 'string') {
    return readEncrypted(body, frame)
  }
  return makeUplink({
    ...frame,
    fPort,
    payload: readHexadecimal(body, 'data'),
    receptions: readReceptions(body),
    dataRate: readDataRate(body),
    frequency: findNumber(body, 'freq'),
    isPartial: true,
  })
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

/** `gws` of a `gw`; the signal alone of an `rx`, whose gateway LORIOT does not name. */
function readReceptions(body: JsonObject): ReadReception[] {
  const receptions = readObjects(body, 'gws').map((item) => ({
    gatewayEui: readDashedEui(item, 'gweui'),
    ...readSignal(item),
    ...findPosition(item, 'lat', 'lon'),
  }))
  if (receptions.length > 0) return receptions
  const signal = readSignal(body)
  const isUnknown = signal.rssi === undefined && signal.snr === undefined
  return isUnknown ? [] : [{ gatewayEui: '', ...signal }]
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
function readTransmission(body: JsonObject): DownlinkEvent | Nothing {
  const devEui = readDashedEui(body, 'EUI')
  const occurredAt = readMilliseconds(body, 'ts')
  const fCntDown = readUint32(body, 'seqdn')
  if (!isOfUser(body)) return nothing
  const error = readText(body, 'error', 1000)
  const gatewayEui = readText(body, 'gweui', 40) === '' ? undefined : readDashedEui(body, 'gweui')
  return {
    kind: 'downlink',
    state: error === '' ? 'sent' : 'failed',
    devEui,
    deduplicationKey: `txd:${devEui}:${fCntDown}:${occurredAt}`,
    occurredAt,
    ...(gatewayEui === undefined ? {} : { gatewayEui }),
    ...(error === '' ? {} : { reason: error }),
    details: { fCntDown },
  }
}

/** Newer messages tell what was sent: `User DL`, or a frame of the network itself. */
function isOfUser(body: JsonObject): boolean {
  const type = readText(body, 'msgType', 100)
  return (type === '' || type === 'User DL') && findNumber(body, 'port') !== 0
}
