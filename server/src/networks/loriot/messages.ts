// What LORIOT's data output `httppush` posts: one JSON object whose `cmd` says what it is.
// docs.loriot.io, Uplink Data Message, Gateway Information, Downlink Data Message.
import {
  findNumber,
  findPosition,
  isObject,
  type JsonObject,
  readDashedEui,
  readHexadecimal,
  readList,
  readMilliseconds,
  readText,
  readTruth,
  readUint32,
} from '../message-fields.ts'
import {
  type CallbackRequest,
  type DeviceEvent,
  type DownlinkEvent,
  type NetworkMessage,
  NotOurMessage,
  type Reception,
  type Uplink,
} from '../network-message.ts'

/**
 * Reads one message. Throws `NotOurMessage`. An uplink comes as `rx` (with the best signal), as
 * `gw` (with every gateway that heard it), or as both, depending on the application's settings.
 */
export function readMessages({ body }: Pick<CallbackRequest, 'body'>): NetworkMessage[] {
  if (!isObject(body)) throw new NotOurMessage('The body must be a JSON object.')
  const command = readText(body, 'cmd', 20)
  if (command === 'rx' || command === 'gw') return readFrame(body)
  if (command === 'txd') return [readTransmission(body)]
  // The echo of a downlink that was queued.
  if (command === 'tx') return [{ kind: 'nothing' }]
  throw new NotOurMessage(
    command === '' ? 'cmd is missing.' : 'cmd does not name a message of LORIOT.',
  )
}

function readFrame(body: JsonObject): NetworkMessage[] {
  const frame = {
    devEui: readDashedEui(body, 'EUI'),
    time: readMilliseconds(body, 'ts'),
    fCnt: readUint32(body, 'fcnt'),
  }
  const key = `${frame.devEui}:${frame.fCnt}:${frame.time}`
  const carried = readUplink(body, frame, key)
  if (!readTruth(body, 'ack')) return [carried]
  const acknowledged: DownlinkEvent = {
    kind: 'downlink',
    state: 'acknowledged',
    devEui: frame.devEui,
    deduplicationKey: `ack:${key}`,
    occurredAt: frame.time,
    details: { fCntUp: frame.fCnt },
  }
  return carried.kind === 'nothing' ? [acknowledged] : [carried, acknowledged]
}

function readUplink(
  body: JsonObject,
  { devEui, time, fCnt }: { devEui: string; time: string; fCnt: number },
  key: string,
): Uplink | DeviceEvent | { kind: 'nothing' } {
  const fPort = findNumber(body, 'port') ?? 0
  if (fPort === 0) return { kind: 'nothing' }
  if (!Number.isInteger(fPort) || fPort < 0 || fPort > 255) {
    throw new NotOurMessage('port must be a whole number from 0 to 255.')
  }
  if (typeof body.data !== 'string' && typeof body.encdata === 'string') {
    return readEncrypted(body, { devEui, time, fCnt }, key)
  }
  const frequency = findNumber(body, 'freq')
  const dataRate = readDataRate(body)
  return {
    kind: 'uplink',
    devEui,
    deduplicationKey: key,
    receivedAt: time,
    fPort,
    fCnt,
    payload: readHexadecimal(body, 'data'),
    receptions: readReceptions(body),
    ...(dataRate === undefined ? {} : { dataRate }),
    ...(frequency === undefined || frequency <= 0 ? {} : { frequency }),
    isPartial: true,
  }
}

/** Without the AppSKey, LORIOT passes the payload on as the device encrypted it. */
function readEncrypted(
  body: JsonObject,
  { devEui, time, fCnt }: { devEui: string; time: string; fCnt: number },
  key: string,
): DeviceEvent {
  return {
    kind: 'log',
    devEui,
    deduplicationKey: `encrypted:${key}`,
    occurredAt: time,
    details: {
      code: 'ENCRYPTED',
      description: 'LORIOT has no AppSKey of the device, so its payload cannot be read.',
      fCnt,
      encdata: readText(body, 'encdata'),
    },
  }
}

/** `gws` of a `gw`; the signal alone of an `rx`, whose gateway LORIOT does not name. */
function readReceptions(body: JsonObject): Reception[] {
  const receptions = readList(body, 'gws').map(readReception)
  if (receptions.length === 0) return readSignal(body)
  receptions.sort((a, b) => (b.snr ?? -Infinity) - (a.snr ?? -Infinity))
  // One with two antennas reports twice: the better one counts.
  const seen = new Set<string>()
  return receptions.filter(({ gatewayEui }) => !seen.has(gatewayEui) && seen.add(gatewayEui))
}

function readReception(item: unknown): Reception {
  if (!isObject(item)) throw new NotOurMessage('gws must be a list of objects.')
  return {
    gatewayEui: readDashedEui(item, 'gweui'),
    ...strengthOf(item),
    ...findPosition(item, 'lat', 'lon'),
  }
}

function readSignal(body: JsonObject): Reception[] {
  const strength = strengthOf(body)
  return strength.rssi === undefined && strength.snr === undefined
    ? []
    : [{ gatewayEui: '', ...strength }]
}

function strengthOf(item: JsonObject): { rssi?: number; snr?: number } {
  const rssi = findNumber(item, 'rssi')
  const snr = findNumber(item, 'snr')
  return { ...(rssi === undefined ? {} : { rssi }), ...(snr === undefined ? {} : { snr }) }
}

/** `SF12 BW125 4/5`, the last part being the coding rate. */
function readDataRate(body: JsonObject): string | undefined {
  const [spreading, bandwidth] = readText(body, 'dr', 40).split(' ')
  return spreading && bandwidth ? `${spreading}${bandwidth}` : spreading || undefined
}

/**
 * A downlink was sent, or given up. It is named by its frame counter alone, which is no id (see
 * downlinks.ts): the queue of a device is sent in its order.
 */
function readTransmission(body: JsonObject): DownlinkEvent | { kind: 'nothing' } {
  const devEui = readDashedEui(body, 'EUI')
  const occurredAt = readMilliseconds(body, 'ts')
  const fCntDown = readUint32(body, 'seqdn')
  if (!isOfUser(body)) return { kind: 'nothing' }
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

/** Newer messages say what was sent: `User DL`, or a frame of the network's own. */
function isOfUser(body: JsonObject): boolean {
  const type = readText(body, 'msgType', 100)
  return (type === '' || type === 'User DL') && findNumber(body, 'port') !== 0
}
