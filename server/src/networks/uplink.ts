// What the uplinks of all networks have in common: their optional members, one reception for each
// gateway, the acknowledgement that they carry, and the ranges of their values.
import { gatewayName, leaveOut, takeNoted } from './message-fields.ts'
import type {
  DownlinkEvent,
  NetworkMessage,
  Nothing,
  Reception,
  Uplink,
} from './network-message.ts'

export const nothing: Nothing = { kind: 'nothing' }

type Optional<Thing, Members extends keyof Thing> = Omit<Thing, Members> & {
  [Member in Members]?: Thing[Member] | undefined
}

/** A reception as it is read: a member that the network does not give is undefined. */
export type ReadReception = Optional<Reception, Exclude<keyof Reception, 'gatewayEui'>>

type ReadUplink = Optional<Omit<Uplink, 'kind' | 'receptions'>, 'dataRate' | 'frequency'> & {
  receptions: readonly ReadReception[]
}

/** Whether a reception says anything: the gateway, or how it heard the frame. */
export function isTelling({ gatewayEui, rssi, snr }: ReadReception): boolean {
  return gatewayEui !== '' || rssi !== undefined || snr !== undefined
}

/** The first time that can be used, or else that of the arrival. */
export function timeOf(
  arrivedAt: string,
  ...times: readonly (string | undefined)[]
): Pick<Uplink, 'receivedAt' | 'isDatedHere'> {
  const time = times.find((each) => each !== undefined)
  return time === undefined ? { receivedAt: arrivedAt, isDatedHere: true } : { receivedAt: time }
}

/** A key that ends with the time if the network gives none that is better. */
export function keyByTime(
  stem: string,
  { receivedAt, isDatedHere }: Pick<Uplink, 'receivedAt' | 'isDatedHere'>,
): Pick<Uplink, 'deduplicationKey' | 'isTimeless'> {
  return {
    deduplicationKey: `${stem}:${receivedAt}`,
    ...(isDatedHere ? { isTimeless: true } : {}),
  }
}

/** A frequency of 0 stands for an unknown one. */
export function makeUplink({ receptions, dataRate, frequency, ...rest }: ReadUplink): Uplink {
  return {
    kind: 'uplink',
    ...rest,
    receptions: mergeAntennas(receptions),
    ...(dataRate ? { dataRate } : {}),
    // Some networks give one in MHz, whose product has a fraction.
    ...(frequency ? { frequency: Math.round(frequency) } : {}),
  }
}

/**
 * One reception for each gateway, best SNR first. A gateway with several antennas reports one
 * reception for each: the best one counts.
 */
function mergeAntennas(read: readonly ReadReception[]): Reception[] {
  const receptions = read.map(toReception)
  if (receptions.length < 2) return receptions
  receptions.sort(compareSnr)
  const seen = new Set<string>()
  return receptions.filter(
    ({ gatewayEui }) => gatewayEui === '' || (!seen.has(gatewayEui) && seen.add(gatewayEui)),
  )
}

function toReception({ gatewayEui, rssi, snr, latitude, longitude }: ReadReception): Reception {
  return {
    gatewayEui,
    ...(rssi === undefined ? {} : { rssi }),
    ...(snr === undefined ? {} : { snr }),
    ...(latitude === undefined || longitude === undefined ? {} : { latitude, longitude }),
  }
}

/** Sorts the best SNR first, and an unknown one last. */
export function compareSnr(one: { snr?: number | undefined }, other: typeof one): number {
  return (other.snr ?? -Infinity) - (one.snr ?? -Infinity)
}

/** `SF7BW125`; undefined if one of the two is not known. The bandwidth is in Hz. */
export function nameLora(spreadingFactor = 0, bandwidth = 0): string | undefined {
  return spreadingFactor > 0 && bandwidth > 0
    ? `SF${spreadingFactor}BW${bandwidth / 1000}`
    : undefined
}

/** `FSK50` (kbit/s), `LRFHSS137` (kHz). */
export function nameRate(modulation: string, rate: number): string | undefined {
  return rate > 0 ? `${modulation}${rate / 1000}` : undefined
}

/** RSSI in whole dBm, as most networks give it. */
export function toWhole(rssi: number | undefined): number | undefined {
  return rssi === undefined ? undefined : Math.round(rssi)
}

/** The frequency in Hz of one in MHz. */
export function toHertz(megahertz = 0): number {
  return megahertz * 1_000_000
}

/**
 * What the frame of an uplink acknowledges: the item that it names, or the device's last downlink.
 */
export function makeAcknowledgement(
  {
    devEui,
    deduplicationKey,
    receivedAt,
    fCnt,
  }: Pick<Uplink, 'devEui' | 'deduplicationKey' | 'receivedAt' | 'fCnt'>,
  queueItemId?: string,
): DownlinkEvent {
  return {
    kind: 'downlink',
    state: 'acknowledged',
    devEui,
    ...(queueItemId === undefined ? {} : { queueItemId }),
    deduplicationKey: `ack:${queueItemId === undefined ? deduplicationKey : `${devEui}:${queueItemId}`}`,
    occurredAt: receivedAt,
    details: { fCntUp: fCnt },
  }
}

/** Hz. Radios of all networks are below; far higher values could not be shown in an answer. */
const highestFrequency = 4_294_967_295
/** dBm and dB: wider than what receivers report. */
const highestStrength = 300
/** More gateways than ever hear one frame. */
const mostReceptions = 100
/** `SF12BW125`, `LRFHSS137`. */
const dataRateName = /^[ -~]{1,40}$/
/** Leaves out every optional value that is out of its range, and notes it. */
export function holdToRange(message: NetworkMessage): NetworkMessage {
  return message.kind === 'uplink' ? holdUplink(message) : message
}

export function holdUplink(uplink: Uplink): Uplink {
  // Nearly all are, and a copy would cost each uplink time and memory.
  if (isInRange(uplink)) return uplink
  const { frequency, dataRate, receptions, ...rest } = uplink
  return {
    ...rest,
    receptions: holdReceptions(receptions),
    ...(isHeld('frequency', frequency, isFrequency(frequency)) ? { frequency } : {}),
    ...(isHeld('data rate', dataRate, isDataRate(dataRate)) ? { dataRate } : {}),
  }
}

function isInRange({ frequency, dataRate, receptions }: Uplink): boolean {
  return (
    (frequency === undefined || isFrequency(frequency)) &&
    (dataRate === undefined || isDataRate(dataRate)) &&
    receptions.length <= mostReceptions &&
    receptions.every(isReceptionInRange)
  )
}

function isReceptionInRange({ gatewayEui, rssi, snr, latitude, longitude }: Reception): boolean {
  const isNowhere = latitude === undefined && longitude === undefined
  return (
    (gatewayEui === '' || gatewayName.test(gatewayEui)) &&
    (rssi === undefined || isStrength(rssi)) &&
    (snr === undefined || isStrength(snr)) &&
    (isNowhere || isPlace(latitude, longitude))
  )
}

/** Notes a value that is there and not right. */
function isHeld<Value>(name: string, value: Value | undefined, isRight: boolean): value is Value {
  if (!isRight && value !== undefined) leaveOut(name, value)
  return isRight
}

/** Sorts again only if a reception has lost its SNR, and with it its place. */
function holdReceptions(receptions: readonly Reception[]): Reception[] {
  const held = receptions.map(holdReception)
  const isChanged = held.some(({ snr }, index) => snr !== receptions[index]?.snr)
  if (isChanged) held.sort(compareSnr)
  if (held.length > mostReceptions) leaveOut('gateways', held)
  return held.slice(0, mostReceptions)
}

function holdReception({ gatewayEui, rssi, snr, latitude, longitude }: Reception): Reception {
  const isNamed = gatewayEui === '' || gatewayName.test(gatewayEui)
  return {
    gatewayEui: isHeld('gateway', gatewayEui, isNamed) ? gatewayEui : '',
    ...(isHeld('rssi', rssi, isStrength(rssi)) ? { rssi } : {}),
    ...(isHeld('snr', snr, isStrength(snr)) ? { snr } : {}),
    ...(isHeld('latitude', latitude, isPlace(latitude, longitude)) ? { latitude, longitude } : {}),
  }
}

function isFrequency(value: number | undefined): boolean {
  return isWithin(value, 1, highestFrequency)
}

function isDataRate(value: string | undefined): boolean {
  return value !== undefined && dataRateName.test(value)
}

function isStrength(value: number | undefined): boolean {
  return isWithin(value, -highestStrength, highestStrength)
}

function isPlace(latitude: number | undefined, longitude: number | undefined): boolean {
  return isWithin(latitude, -90, 90) && isWithin(longitude, -180, 180)
}

function isWithin(value: number | undefined, lowest: number, highest: number): boolean {
  return value !== undefined && value >= lowest && value <= highest
}

/**
 * Reads a message and holds its values to their ranges. The first of its contents has the members that
 * were left out.
 */
export function readNoting(read: () => readonly NetworkMessage[]): NetworkMessage[] {
  // Of a message that was refused, or read elsewhere.
  takeNoted()
  const contents = read().map(holdToRange)
  const unread = takeNoted()
  const [first, ...others] = contents
  return unread.length === 0 || !first ? contents : [{ ...first, unread }, ...others]
}
