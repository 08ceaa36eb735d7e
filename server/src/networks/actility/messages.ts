import {
  findNumber,
  isObject,
  type JsonObject,
  readEui,
  readText,
  readTime,
} from '../message-fields.ts'
import {
  type CallbackRequest,
  type DeviceEvent,
  type DownlinkEvent,
  type NetworkMessage,
  NotOurMessage,
} from '../network-message.ts'
import { readUplink } from './uplink.ts'

/**
 * Reads a report of ThingPark's tunnel interface (API 7.3, LRC to AS) or a message of IoT Flow:
 * the content types `jsontyped`, and `json`, where every number is a text.
 */
export function readMessages({ body }: Pick<CallbackRequest, 'body'>): NetworkMessage[] {
  if (!isObject(body)) throw new NotOurMessage('The message must be a JSON object.')
  const { name, isWrapped, report } = readReport(body)
  if (!isWrapped && report.DevEUI === undefined) {
    throw new NotOurMessage(
      'The message is none of ThingPark: it has no DevEUI_uplink or the like.',
    )
  }
  switch (name) {
    case 'DevEUI_uplink':
      return readUplink(report)
    case 'DevEUI_downlink_Sent':
      return [readDownlinkSent(report)]
    case 'DevEUI_downlink_Rejected':
      return [readDownlinkRejected(report)]
    case 'DevEUI_notification':
      return [readNotification(report)]
    case 'DevEUI_location':
      return [readLocation(report)]
    default:
      // Multicast summaries, and what ThingPark will think of.
      return [{ kind: 'nothing' }]
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

/** `DeliveryStatus` 1: sent over the air; 0: not sent, and not tried again by the network. */
function readDownlinkSent(report: JsonObject): DownlinkEvent {
  const isSent = findNumber(report, 'DeliveryStatus') === 1
  const fCntDn = findNumber(report, 'FCntDn')
  const gatewayId = readText(report, 'Lrrid', 16).toUpperCase()
  const common = readCommon(report, 'sent')
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

/** IoT Flow's answer to a downlink that the core network did not take. */
function readDownlinkRejected(report: JsonObject): DownlinkEvent {
  const reason = readText(report, 'DownlinkRejectionCause')
  return {
    kind: 'downlink',
    state: 'failed',
    ...readCommon(report, 'rejected'),
    ...readCorrelation(report),
    reason: reason || 'The core network rejected the downlink.',
    details: { status: findNumber(report, 'DeliveryStatus') },
  }
}

/**
 * `Var1` and `Var2` of a device status are battery (0 to 255) and margin (dB); of a join `Var1` is
 * the AppSKey, which is not kept.
 */
function readNotification(report: JsonObject): DeviceEvent {
  const type = readText(report, 'Type', 100)
  const common = readCommon(report, `notification:${type}`)
  if (type === 'join') {
    return { kind: 'join', ...common, details: { devAddr: readText(report, 'DevAddr', 16) } }
  }
  if (type === 'devstatusans') {
    const details = { battery: findNumber(report, 'Var1'), margin: findNumber(report, 'Var2') }
    return { kind: 'status', ...common, details }
  }
  return { kind: 'log', ...common, details: { code: type.toUpperCase() || 'NOTIFICATION' } }
}

function readLocation(report: JsonObject): DeviceEvent {
  return {
    kind: 'log',
    ...readCommon(report, 'location'),
    details: {
      code: 'LOCATION',
      latitude: findNumber(report, 'DevLAT'),
      longitude: findNumber(report, 'DevLON'),
      altitude: findNumber(report, 'DevAlt'),
      accuracy: findNumber(report, 'DevLocRadius'),
    },
  }
}

/** Texts of 16 digits, which ThingPark gives back as they were sent, in upper case. */
function readCorrelation(report: JsonObject): { queueItemId?: string } {
  const id = readText(report, 'CorrelationID', 100).toUpperCase()
  return id ? { queueItemId: id } : {}
}

function readCommon(report: JsonObject, kind: string) {
  const devEui = readEui(report, 'DevEUI')
  const occurredAt = readTime(report, 'Time')
  const correlation = readText(report, 'CorrelationID', 100)
  return { devEui, occurredAt, deduplicationKey: `${kind}:${devEui}:${occurredAt}:${correlation}` }
}

/** A report of the core network (LRC), out of its wrapper. */
export interface Report {
  name: string
  /** IoT Flow sends uplinks without. */
  isWrapped: boolean
  report: JsonObject
}

const names = [
  'DevEUI_uplink',
  'DevEUI_downlink_Sent',
  'DevEUI_downlink_Rejected',
  'DevEUI_notification',
  'DevEUI_location',
]

/** A name that is not known is that of the only member, if it is like the others. */
export function readReport(body: JsonObject): Report {
  const known = names.find((name) => isObject(body[name]))
  const name = known ?? Object.keys(body).find((key) => key.startsWith('DevEUI_'))
  const report = name === undefined ? undefined : body[name]
  if (name !== undefined && isObject(report)) return { name, isWrapped: true, report }
  return { name: 'DevEUI_uplink', isWrapped: false, report: body }
}
