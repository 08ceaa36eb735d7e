/**
 * What was done outside the service: each uplink, each event of a webhook, each downlink. The arrays have a
 * place for each uplink by its number, so that millions fit.
 */
export interface Ledger {
  /** By the number of the uplink. */
  outcomes: Uint8Array
  /** The ordinal under which a receiver was told of it; 0 for none. */
  ordinals: Uint32Array
  /** By ordinal: how often the event of an uplink arrived. */
  arrivals: Uint8Array
  /** By ordinal: when it arrived last, in real milliseconds. */
  arrivedAt: Float64Array
  /** Uplinks that were told under two ordinals: they are stored twice. */
  twice: number[]
  /** Events that came again. */
  repetitions: Repetition[]
  /** All events but those of uplinks, by their ids. */
  events: Map<string, OtherEvent>
  /** By their bytes, which no other one has. */
  downlinks: Map<string, LedgerDownlink>
  /** What the simulated network has transmitted in sessions that are over, by DevEUI. */
  transmitted: Map<string, number>
  /** When attempts were cut off: before and after a restart, and when a receiver goes away or comes back. */
  disturbances: number[]
  /** Posts of uplinks that were repeated on purpose, and those that had to be. */
  repeated: number
  refused: number
}

/** In real time, in milliseconds. */
export interface Repetition {
  id: string
  at: number
  /** When it arrived before. */
  before: number
}

export interface OtherEvent {
  /** When it arrived last. */
  at: number
  type: string
  eui: string
  /** Of an alert, a registration or a downlink. */
  state: string
  /** Of a downlink: the entry of its history, or 0. */
  entry: number
}

export interface LedgerDownlink {
  eui: string
  /** As the answer says. */
  id: number
  isCancelled: boolean
  /** Attempts without an answer: each may have stored one more, since a key ends with its process. */
  lost: number
}

/**
 * What the answer to a DELETE says. An earlier attempt, whose answer is unknown, may have cancelled the
 * downlink: then its state tells, and not the outcome of the last one.
 */
export function isCancelledBy(answer: { status: number; text: string; attempts: number }): boolean {
  if (answer.status !== 200) return false
  const { outcome: said, downlink } = JSON.parse(answer.text).data
  return said === 'cancelled' || (answer.attempts > 1 && downlink.state === 'cancelled')
}

/** Of an uplink. */
export const outcome = { none: 0, sent: 1, acknowledged: 2 } as const

/** Room for so many uplinks, and for as many again that the network sends by itself. */
export function createLedger(uplinks: number): Ledger {
  return {
    outcomes: new Uint8Array(uplinks),
    ordinals: new Uint32Array(uplinks),
    arrivals: new Uint8Array(uplinks * 2 + 10_000),
    arrivedAt: new Float64Array(uplinks * 2 + 10_000),
    ...{ twice: [], repetitions: [], events: new Map() },
    ...{ downlinks: new Map(), transmitted: new Map(), disturbances: [] },
    ...{ repeated: 0, refused: 0 },
  }
}

const mark = '5a'
const numbered = new RegExp(`^[0-9a-f]{6}${mark}([0-9a-f]{8})$`)

/** The number of an uplink follows its frame, which no sensor's decoder minds. */
export function payloadOf(frame: string, number: number): string {
  return `${frame}${mark}${number.toString(16).padStart(8, '0')}`
}

/** Undefined for what the simulated devices send by themselves. */
export function numberOf(payload: string): number | undefined {
  const digits = numbered.exec(payload)?.[1]
  return digits === undefined ? undefined : Number.parseInt(digits, 16)
}

/** A message as a receiver got it. */
export interface Arrival {
  id: string
  body: {
    type: string
    data: {
      id?: number
      ordinal?: number
      data?: string
      device_id?: string | null
      state?: string
      status?: string
      event_name?: string
    }
  }
}

/** Enters an event that a receiver has taken. */
export function noteArrival(ledger: Ledger, { id, body }: Arrival, at: number): void {
  const { type, data } = body
  if (type === 'uplink') {
    noteUplink(ledger, id, data, at)
    return
  }
  const known = ledger.events.get(id)
  if (known) ledger.repetitions.push({ id, at, before: known.at })
  const state = data.state ?? data.status ?? data.event_name ?? ''
  const entry = type === 'downlink' ? (data.id ?? 0) : 0
  ledger.events.set(id, { at, type, eui: data.device_id ?? '', state, entry })
}

function noteUplink(
  { ordinals, arrivals, arrivedAt, twice, repetitions }: Ledger,
  id: string,
  { ordinal = 0, data = '' }: Arrival['body']['data'],
  at: number,
): void {
  const before = arrivals[ordinal] ?? 0
  if (before > 0) repetitions.push({ id, at, before: arrivedAt[ordinal] ?? 0 })
  arrivals[ordinal] = Math.min(before + 1, 255)
  arrivedAt[ordinal] = at
  const number = numberOf(data)
  if (number === undefined) return
  const known = ordinals[number] ?? 0
  if (known !== 0 && known !== ordinal) twice.push(number)
  ordinals[number] = ordinal
}
