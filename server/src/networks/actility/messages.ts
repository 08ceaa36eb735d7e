// What ThingPark sends: reports of its tunnel interface (API 7.3, LRC to AS) and messages of IoT
// Flow, in the content types `jsontyped` and `json`; in `json` every number is a text.
import { textOf } from '../answer-fields.ts'
import {
  findNumber,
  findPosition,
  isEmpty,
  isObject,
  type JsonObject,
  noteMissing,
  readEui,
  readGatewayName,
  readHexadecimal,
  readLoosePort,
  readObject,
  readObjects,
  readText,
  readTime,
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
  toHertz,
  toWhole,
} from '../uplink.ts'

export function readMessages({
  body,
  receivedAt,
}: Pick<CallbackRequest, 'body' | 'receivedAt'>): NetworkMessage[] {
  if (!isObject(body)) throw new NotOurMessage('The message must be a JSON object.')
  const { name, isWrapped, report } = readReport(body)
  if (!isWrapped && report.DevEUI === undefined) {
    throw new NotOurMessage(
      'The message is none of ThingPark: it has no DevEUI_uplink or the like.',
    )
  }
  // Multicast summaries, and reports that later versions add, hold nothing to keep.
  return readers.get(name)?.(report, receivedAt) ?? [nothing]
}

const readers = new Map<string, (report: JsonObject, receivedAt: string) => NetworkMessage[]>([
  ['DevEUI_uplink', readUplink],
  ['DevEUI_downlink_Sent', (...sent) => [readDownlinkSent(...sent)]],
  ['DevEUI_downlink_Rejected', (...sent) => [readDownlinkRejected(...sent)]],
  ['DevEUI_notification', (...sent) => [readNotification(...sent)]],
  ['DevEUI_location', (...sent) => [readLocation(...sent)]],
])

/** A report of the core network (LRC) without its wrapper. */
export interface Report {
  name: string
  /** IoT Flow sends uplinks without a wrapper. */
  isWrapped: boolean
  report: JsonObject
}

/** An unknown report is the only member whose name begins like the others. */
export function readReport(body: JsonObject): Report {
  const known = [...readers.keys()].find((name) => isObject(body[name]))
  const name = known ?? Object.keys(body).find((key) => key.startsWith('DevEUI_'))
  const report = name === undefined ? undefined : body[name]
  if (name !== undefined && isObject(report)) return { name, isWrapped: true, report }
  return { name: 'DevEUI_uplink', isWrapped: false, report: body }
}

/**
 * Reads an uplink and the acknowledgement in it. Join requests, and frames with only MAC commands,
 * have no `FPort` or 0. `Time` of a late frame (`Late`) is when it was received.
 */
function readUplink(report: JsonObject, arrivedAt: string): (Uplink | DownlinkEvent | Nothing)[] {
  noteMissing(report, 'Time', 'FCntUp')
  const devEui = readEui(report, 'DevEUI')
  const time = timeOf(arrivedAt, readTime(report, 'Time'))
  const fCnt = readUint32(report, 'FCntUp')
  const fPort = readLoosePort(report, 'FPort')
  const uplink = makeUplink({
    devEui,
    ...time,
    ...keyByTime(`${devEui}:${fCnt}`, time),
    fPort,
    fCnt,
    payload: readHexadecimal(report, 'payload_hex'),
    receptions: readReceptions(report),
    ...readTransmission(report),
  })
  // Only there when the frame has it, kpn-iot/lora-reference api-call-examples/DevEUI_uplink.md.
  const isAcknowledging = !isEmpty(report, 'ACKbit') && findNumber(report, 'ACKbit') === 1
  return [fPort === 0 ? nothing : uplink, ...(isAcknowledging ? [makeAcknowledgement(uplink)] : [])]
}

/** Gateways are named by their LRR-ID of 8 digits, which ThingPark gave them. */
function readReceptions(report: JsonObject): ReadReception[] {
  return readLrrs(report)
    .map((item) => readReception(item, report))
    .filter(isTelling)
}

/** A list of one, made from XML, comes as the object itself. */
function readLrrs(report: JsonObject): readonly JsonObject[] {
  const parent = readObject(report, 'Lrrs') ?? {}
  if (isObject(parent.Lrr)) return [parent.Lrr]
  const listed = readObjects(parent, 'Lrr')
  return listed.length > 0 ? listed : [report]
}

function readReception(item: JsonObject, report: JsonObject): ReadReception {
  const gatewayEui = readGatewayName(item, 'Lrrid').toUpperCase()
  const isBest =
    item === report || (gatewayEui !== '' && gatewayEui === textOf(report.Lrrid).toUpperCase())
  const signal = { rssi: toWhole(findNumber(item, 'LrrRSSI')), snr: findNumber(item, 'LrrSNR') }
  // The position is only that of the best gateway.
  return { gatewayEui, ...signal, ...(isBest ? findPosition(report, 'LrrLAT', 'LrrLON') : {}) }
}

/** `Frequency` is in MHz. The bandwidth is not given. */
function readTransmission(report: JsonObject) {
  const spreadingFactor = findNumber(report, 'SpFact') ?? 0
  return {
    frequency: toHertz(findNumber(report, 'Frequency')),
    dataRate: spreadingFactor > 0 ? `SF${spreadingFactor}` : undefined,
  }
}

/** Causes by transmission slot, docs.thingpark.com, "Downlink frame sent report". */
const causes: Record<string, string> = {
  A0: 'radio stopped',
  A1: 'downlink radio stopped',
  A2: 'ping slot not available',
  A3: 'radio busy',
  A4: 'listen before talk',
  A5: 'radio board error',
  B0: 'too late',
  C0: 'the network selected RX2',
  D0: 'duty cycle of the gateway',
  DA: 'duty cycle',
  DB: 'dwell time',
  DC: 'no synchronized gateway',
  DD: 'no gateway connected',
  DE: 'not allowed by the peering operator',
  DF: 'wrong NetID',
  E0: 'too late for class C',
  E1: 'queue full',
  E2: 'invalid downlink counter',
  E3: 'validity time expired',
  E4: 'queue reset after a join',
}

/** `DeliveryStatus` 1: sent over the air; 0: not sent, and the network does not try again. */
function readDownlinkSent(report: JsonObject, receivedAt: string): DownlinkEvent {
  const isSent = findNumber(report, 'DeliveryStatus') === 1
  const fCntDn = findNumber(report, 'FCntDn')
  const gatewayId = readText(report, 'Lrrid', 16).toUpperCase()
  const common = readCommon(report, 'sent', receivedAt)
  return {
    kind: 'downlink',
    state: isSent ? 'sent' : 'failed',
    ...common,
    ...readCorrelation(report),
    deduplicationKey: `${common.deduplicationKey}:${fCntDn}`,
    ...(isSent && gatewayId ? { gatewayEui: gatewayId } : {}),
    ...(isSent ? {} : { reason: explainFailure(report) }),
    details: { fCntDown: fCntDn, fPort: findNumber(report, 'FPort') },
  }
}

function explainFailure(report: JsonObject): string {
  const slots = ['RX1', 'RX2', 'ping slot']
  const found = slots.flatMap((slot, index) => {
    const code = readText(report, `DeliveryFailedCause${index + 1}`, 100).toUpperCase()
    if (code === '' || code === '00') return []
    return [`${slot}: ${causes[code] ?? `cause ${code}`}`]
  })
  const words = found.length > 0 ? found.join(', ') : 'no cause given'
  return `The downlink was not sent (${words}).`
}

/** IoT Flow's answer to a downlink that the core network rejected. */
function readDownlinkRejected(report: JsonObject, receivedAt: string): DownlinkEvent {
  const reason = readText(report, 'DownlinkRejectionCause')
  return {
    kind: 'downlink',
    state: 'failed',
    ...readCommon(report, 'rejected', receivedAt),
    ...readCorrelation(report),
    reason: reason || 'The core network rejected the downlink.',
    details: { status: findNumber(report, 'DeliveryStatus') },
  }
}

/**
 * `Var1` and `Var2` of a device status are battery (0 to 255) and margin (dB); of a join `Var1` is
 * the AppSKey, which is not kept.
 */
function readNotification(report: JsonObject, receivedAt: string): DeviceEvent {
  const type = readText(report, 'Type', 100)
  const common = readCommon(report, `notification:${type}`, receivedAt)
  if (type === 'join') {
    return { kind: 'join', ...common, details: { devAddr: readText(report, 'DevAddr', 16) } }
  }
  if (type === 'devstatusans') {
    const details = { battery: findNumber(report, 'Var1'), margin: findNumber(report, 'Var2') }
    return { kind: 'status', ...common, details }
  }
  return { kind: 'log', ...common, details: { code: type.toUpperCase() || 'NOTIFICATION' } }
}

function readLocation(report: JsonObject, receivedAt: string): DeviceEvent {
  return {
    kind: 'log',
    ...readCommon(report, 'location', receivedAt),
    details: {
      code: 'LOCATION',
      latitude: findNumber(report, 'DevLAT'),
      longitude: findNumber(report, 'DevLON'),
      altitude: findNumber(report, 'DevAlt'),
      accuracy: findNumber(report, 'DevLocRadius'),
    },
  }
}

/** 16 digits, which ThingPark returns as they were sent, in upper case. */
function readCorrelation(report: JsonObject): { queueItemId?: string } {
  const id = readText(report, 'CorrelationID', 100).toUpperCase()
  return id ? { queueItemId: id } : {}
}

function readCommon(report: JsonObject, kind: string, receivedAt: string) {
  const devEui = readEui(report, 'DevEUI')
  const occurredAt = readTime(report, 'Time') ?? receivedAt
  const correlation = readText(report, 'CorrelationID', 100)
  return { devEui, occurredAt, deduplicationKey: `${kind}:${devEui}:${occurredAt}:${correlation}` }
}
