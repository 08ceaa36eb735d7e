import { setTimeout as sleep } from 'node:timers/promises'
import type {
  DeviceDetails,
  ListedThing,
  NetworkConnection,
  WantedDetails,
} from '../../../networks/network.ts'
import { NetworkError } from '../../../networks/network-error.ts'
import { NetworkPausedError } from '../connections/circuit-breaker.ts'
import { type Kind, placeOf } from './difference.ts'

/** Reads single devices from a network while it answers and time is left. */
interface DeviceReader {
  /** Returns the device's details besides its listing; undefined if it was not read. */
  read(listed: ListedThing, wanted: { key: boolean }): Promise<DeviceDetails | undefined>
  isOver(): boolean
  /** False for a device that was not reached, but may be later. */
  hasTold(eui: string, isRead: boolean): boolean
  /** The number of devices read. */
  count(): number
  /** Says why some of `total` devices are not known; undefined when all are. */
  findReason(total: number): string | undefined
}

export interface ReaderBounds {
  /** For all calls together. */
  seconds: number
  /** Calls a second that the network accepts. */
  perSecond: number | undefined
  isStopped?: (() => boolean) | undefined
}

/** When the network asks to slow down without a time. */
const usualPauseMs = 5_000
/** A slower call counts as waiting behind others: the account's other work needs a turn. */
const slowMs = 2_000
/** After so long a pause looks whether the comparison is to stop. */
const longestSleep = 250

/**
 * Makes calls as concurrently as they are asked for. Once the network asks to slow down, or is slow,
 * it makes one call at a time, and pauses after each for as long as the call took: half of the
 * network's capacity is left to other work of the account.
 */
export function createReader(
  connection: NetworkConnection,
  { seconds, perSecond = Number.POSITIVE_INFINITY, isStopped }: ReaderBounds,
): DeviceReader {
  const end = performance.now() + seconds * 1000
  let nextAt = 0
  let done = 0
  let failed = 0
  let keyDenial: string | undefined
  let failure: string | undefined
  let hasGivenUp: boolean | 'denied' = false
  let isSlow = false
  let line: Promise<unknown> = Promise.resolve()
  const lost = new Set<string>()
  const isOver = () => hasGivenUp !== false || isStopped?.() === true || performance.now() > end
  /** Returns whether the call may be repeated. */
  const takeError = (error: unknown): boolean => {
    if (!(error instanceof NetworkError)) throw error
    failure = error.message
    if (error.kind === 'slow_down') {
      isSlow = true
      nextAt = Math.max(nextAt, performance.now() + (error.retryAfterMs ?? usualPauseMs))
      hasGivenUp ||= nextAt > end
      return true
    }
    // A denial holds for all devices; a device that is gone or fails alone is skipped.
    hasGivenUp ||= error.kind === 'unauthorized' ? 'denied' : error instanceof NetworkPausedError
    return false
  }
  /** Undefined when the call must be repeated, or no time is left. */
  const call = async (devEui: string, wanted: WantedDetails) => {
    const turn = Math.max(nextAt, performance.now())
    nextAt = turn + 1000 / perSecond
    await sleepUntil(turn, isOver)
    if (isOver()) return undefined
    const began = performance.now()
    try {
      const key = wanted.key && keyDenial === undefined
      const details = await connection.readDevice?.(devEui, { ...wanted, key })
      keyDenial ??= details?.keyDenial
      return details
    } catch (error) {
      if (takeError(error)) return undefined
      if (!isRefusal(error)) lost.add(devEui)
      failed += 1
      return {}
    } finally {
      const now = performance.now()
      isSlow ||= now - began > slowMs
      if (isSlow) nextAt = Math.max(nextAt, 2 * now - began)
    }
  }
  const readOne = async (devEui: string, wanted: WantedDetails) => {
    while (!isOver()) {
      const answer = isSlow ? line.then(() => call(devEui, wanted)) : call(devEui, wanted)
      line = Promise.allSettled([line, answer])
      const details = await answer
      if (details) return details
    }
    return undefined
  }
  return {
    isOver,
    hasTold: (eui, isRead) => hasGivenUp === 'denied' || (isRead && !lost.has(eui)),
    count: () => done,
    async read(listed, wanted) {
      const { eui, radio } = listed
      const details = connection.readDevice ? await readOne(eui, { ...wanted, radio }) : {}
      if (details) done += 1
      return details && { ...listed, ...details }
    },
    findReason: (total) => reasonOf(total - done + failed, total, failure) ?? keyDenial,
  }
}

/** Whether the same call would fail again. */
function isRefusal(error: unknown): boolean {
  return error instanceof NetworkError && error.kind === 'refused'
}

async function sleepUntil(time: number, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const rest = time - performance.now()
    if (rest <= 0) return
    await sleep(Math.min(rest + 1, longestSleep))
  }
}

function reasonOf(unknown: number, total: number, failure: string | undefined) {
  if (unknown <= 0) return undefined
  const words = failure ?? 'The next comparison continues with them.'
  return `The keys of ${unknown} of ${total} devices are not compared. ${words}`
}

/** Concurrent calls to one network; of a client's eight connections, two stay free for other work. */
const inFlight = 6

export async function inParallel<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0
  const takeItems = async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item)
  }
  await Promise.all(Array.from({ length: inFlight }, takeItems))
}

/**
 * Adds to listed devices what the list leaves out, as far as time allows: an adopted device is recorded
 * as it is at the network. Returns the places of those that the network could not tell just now.
 */
export async function completeListed(
  connection: NetworkConnection,
  listed: Map<string, ListedThing>,
  places: readonly string[],
  { key = false, ...bounds }: ReaderBounds & { key?: boolean | undefined },
): Promise<Set<string>> {
  const reader = createReader(connection, bounds)
  const read = new Set<string>()
  await inParallel(places, async (place) => {
    const thing = listed.get(place)
    const found = thing && (await reader.read(thing, { key }))
    if (!found) return
    listed.set(place, { ...thing, ...found })
    read.add(place)
  })
  const isTold = (place: string) => reader.hasTold(listed.get(place)?.eui ?? '', read.has(place))
  return new Set(places.filter((place) => !isTold(place)))
}

/** Devices or gateways that a network may list; they are held in memory. */
const mostListed = 500_000
/** Pages of a list, empty ones included: a faulty server may never stop. */
const mostPages = 10_000
const longestName = 255

/** A kind that the network does not list to this account. */
export interface DeniedList {
  kind: Kind
  denial: NetworkError
}

/**
 * Returns the list, or the denial when the network refuses before the first page. Throws
 * `NetworkError` when the list breaks off.
 */
export async function readListOrDenial(
  kind: Kind,
  pages: AsyncIterable<ListedThing[]>,
  timeIsUp: () => boolean,
): Promise<Map<string, ListedThing> | DeniedList> {
  let isBegun = false
  const begin = async function* () {
    for await (const page of pages) {
      isBegun = true
      yield page
    }
  }
  try {
    return await readList(kind, begin(), timeIsUp)
  } catch (error) {
    if (isBegun || !(error instanceof NetworkError)) throw error
    if (error.kind !== 'refused' && error.kind !== 'unauthorized') throw error
    return { kind, denial: error }
  }
}

/**
 * Reads all that the network lists, by place. Repeated rows count toward the limit: a faulty server
 * may repeat a page forever. `timeIsUp` is asked after each page; pages have timeouts of their own.
 * Throws `NetworkError`.
 */
export async function readList(
  kind: Kind,
  pages: AsyncIterable<ListedThing[]>,
  timeIsUp: () => boolean,
): Promise<Map<string, ListedThing>> {
  const things = new Map<string, ListedThing>()
  let rowCount = 0
  let pageCount = 0
  for await (const page of pages) {
    rowCount += page.length
    pageCount += 1
    if (rowCount > mostListed) {
      throw new NetworkError('refused', `The network lists more than ${mostListed} ${kind}s.`)
    }
    if (pageCount > mostPages) {
      throw new NetworkError('unreachable', `The network does not stop listing ${kind}s.`)
    }
    if (timeIsUp()) {
      throw new NetworkError('unreachable', `The network takes too long to list its ${kind}s.`)
    }
    for (const thing of page) {
      const { eui } = thing
      things.set(placeOf({ kind, eui }), { ...thing, name: storableName(thing.name) })
    }
  }
  return things
}

/** Cuts a name to what the database can hold. */
function storableName(name: string): string {
  return name.replaceAll('\u0000', '').slice(0, longestName).toWellFormed()
}
