import {
  findNumber,
  findPosition,
  isObject,
  type JsonObject,
  readEui,
  readHexadecimal,
  readInteger,
  readText,
  readTime,
  readUint32,
} from '../message-fields.ts'
import {
  type DownlinkEvent,
  type Nothing,
  NotOurMessage,
  type Reception,
  type Uplink,
} from '../network-message.ts'

/**
 * Reads a `DevEUI_uplink`, and the acknowledgement in it. Join requests and frames that carry MAC
 * commands alone have no `FPort`, or 0. A late frame (`Late`) has its own time.
 */
export function readUplink(report: JsonObject): (Uplink | DownlinkEvent | Nothing)[] {
  const devEui = readEui(report, 'DevEUI')
  const receivedAt = readTime(report, 'Time')
  const fCnt = readUint32(report, 'FCntUp')
  const deduplicationKey = `${devEui}:${fCnt}:${receivedAt}`
  const fPort = readNumber(report, 'FPort', 0, 255)
  const uplink: Uplink = {
    kind: 'uplink',
    devEui,
    deduplicationKey,
    receivedAt,
    fPort,
    fCnt,
    payload: readHexadecimal(report, 'payload_hex'),
    receptions: readReceptions(report),
    ...readTransmission(report),
  }
  const contents: (Uplink | DownlinkEvent | Nothing)[] =
    fPort === 0 ? [{ kind: 'nothing' }] : [uplink]
  // Only there when the frame has it, kpn-iot/lora-reference api-call-examples/DevEUI_uplink.md.
  if (readNumber(report, 'ACKbit', 0, 1) === 1) {
    contents.push({
      kind: 'downlink',
      state: 'acknowledged',
      devEui,
      deduplicationKey: `ack:${deduplicationKey}`,
      occurredAt: receivedAt,
      details: { fCntUp: fCnt },
    })
  }
  return contents
}

/** As in all content types an empty text stands for what is not known. */
function readNumber(report: JsonObject, name: string, lowest: number, highest: number): number {
  return report[name] === '' ? 0 : readInteger(report, name, lowest, highest)
}

/**
 * One reception for each gateway (LRR): one with two antennas (`Chain`) reports twice, the better
 * one counts. Gateways are named by their LRR-ID of 8 digits, which ThingPark gave them.
 */
function readReceptions(report: JsonObject): Reception[] {
  const found = readLrrs(report).map((item) => readReception(item, report))
  const known = found.filter(({ gatewayEui }) => gatewayEui !== '')
  known.sort((a, b) => (b.snr ?? -Infinity) - (a.snr ?? -Infinity))
  const seen = new Set<string>()
  return known.filter(({ gatewayEui }) => !seen.has(gatewayEui) && seen.add(gatewayEui))
}

/** A list of one comes as the object itself where it was made from XML. */
function readLrrs(report: JsonObject): JsonObject[] {
  const { Lrr: list } = isObject(report.Lrrs) ? report.Lrrs : {}
  const items = Array.isArray(list) ? list : isObject(list) ? [list] : [report]
  if (items.every(isObject)) return items
  throw new NotOurMessage('Lrrs.Lrr must be a list of objects.')
}

function readReception(item: JsonObject, report: JsonObject): Reception {
  const gatewayEui = readText(item, 'Lrrid', 16).toUpperCase()
  const isBest = gatewayEui === readText(report, 'Lrrid', 16).toUpperCase()
  const rssi = findNumber(item, 'LrrRSSI')
  const snr = findNumber(item, 'LrrSNR')
  return {
    gatewayEui,
    ...(rssi === undefined ? {} : { rssi: Math.round(rssi) }),
    ...(snr === undefined ? {} : { snr }),
    // The position is that of the best gateway alone.
    ...(isBest ? findPosition(report, 'LrrLAT', 'LrrLON') : {}),
  }
}

/** `Frequency` is in MHz. The bandwidth is not told. */
function readTransmission(report: JsonObject): { frequency?: number; dataRate?: string } {
  const frequency = Math.round((findNumber(report, 'Frequency') ?? 0) * 1_000_000)
  const spreadingFactor = findNumber(report, 'SpFact') ?? 0
  return {
    ...(frequency > 0 && frequency < 4_294_967_296 ? { frequency } : {}),
    ...(spreadingFactor > 0 ? { dataRate: `SF${spreadingFactor}` } : {}),
  }
}
