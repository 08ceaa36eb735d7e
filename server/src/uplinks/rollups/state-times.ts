/** How long a state had each of its values. Times are microseconds since 1970, as exact as the database has them. */

/** What the uplinks of an hour, or a single one, say of a state. */
export interface Said {
  /** When the first and the last of them was heard, whether or not they say its value. */
  first: number
  last: number
  /** From the first one until one says a value: the value before them ran on for so long. */
  before: number
  /** The last value that they say; null where they say none. */
  value: string | null
  /** How long each value lasted from then until the last of them. */
  lasted: Readonly<Record<string, number>>
}

/** An uplink: when it was heard, and the value that it says, if it says one. */
export type SaidUplink = [at: number, value: string | null]

/** The same as `Said`, as an hour is stored; times count from its beginning. */
export type StoredHour = [
  first: number,
  last: number,
  before: number,
  value: string | null,
  lasted: Record<string, number>,
]

/** A state with more values in an hour, such as a text that a codec makes up, has only these. */
const mostValues = 20

export const saidBy = ([at, value]: SaidUplink): Said => ({
  ...{ first: at, last: at, before: 0, value, lasted: {} },
})

/** Sums the uplinks of an hour up, which are in the order of their times. */
export function sumUpHour(uplinks: readonly SaidUplink[], hour: number): StoredHour | undefined {
  const [first, last] = [uplinks[0]?.[0], uplinks.at(-1)?.[0]]
  if (first === undefined || last === undefined) return undefined
  let [value, since, before]: [string | null, number, number] = [null, first, 0]
  const lasted = new Map<string, number>()
  const end = (at: number) => {
    if (value === null) before = at - first
    else if (lasted.has(value) || lasted.size < mostValues) {
      lasted.set(value, (lasted.get(value) ?? 0) + at - since)
    }
    since = at
  }
  for (const [at, said] of uplinks) {
    if (said === null || said === value) continue
    end(at)
    value = said
  }
  end(last)
  return [first - hour, last - hour, before, value, Object.fromEntries(lasted)]
}

export function fromStored([first, last, ...rest]: StoredHour, hour: number): Said {
  const [before, value, lasted] = rest
  return { first: hour + first, last: hour + last, before, value, lasted }
}

/** What a state has been told of. */
interface Sink {
  /** It had the value from one time until another. */
  held(value: string, from: number, to: number): void
  /** It had the value for so long in the hour of the time. */
  lasted(value: string, at: number, time: number): void
}

/**
 * Follows a state through time. A value holds until another one is said, or until the device was not heard
 * for `longest`: then it is silent, and its state is not known until it says it again.
 */
export function followState(said: Iterable<Said>, longest: number, sink: Sink): void {
  let [value, heard]: [string | null, number] = [null, Number.NEGATIVE_INFINITY]
  for (const one of said) {
    if (value !== null) {
      sink.held(value, heard, Math.min(one.first, heard + longest))
      if (one.first > heard + longest) value = null
    }
    if (value !== null && one.before > 0) sink.lasted(value, one.first, one.before)
    for (const [each, time] of Object.entries(one.lasted)) sink.lasted(each, one.first, time)
    value = one.value ?? value
    heard = one.last
  }
  if (value !== null) sink.held(value, heard, heard + longest)
}
