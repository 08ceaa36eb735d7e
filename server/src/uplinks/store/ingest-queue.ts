import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../db/connect.ts'
import { DatabaseUnavailable } from '../../db/errors.ts'
import type { TypeDecoder } from '../../features/fleet/device-types/type-codec.ts'
import type { KnownDevice } from '../../features/fleet/inventory/named-device-queries.ts'
import type { ShareUser } from '../../http/room.ts'
import { isoTimeOf } from '../../http/timestamps.ts'
import { currentSpan } from '../../traces/span.ts'
import { noTraces, type Tracer } from '../../traces/tracer.ts'
import { type Arrival, type NamedArrival, Outdated, QueueFull, type Waiting } from './arrival.ts'
import { type CommitTimes, traceArrival } from './batch-timing.ts'
import { type BatchWriter, createBatchWriter } from './batch-writer.ts'
import { createShares, type ShareLimits, type Shares } from './ingest-shares.ts'
import { createKnownDevices, type KnownDevices } from './known-devices.ts'

/** A message from its arrival until the writer is done with it. */
interface HeldMessage {
  /** On the clock of `performance.now()`, as the deadline. */
  since: number
  deadline: number
  /** Tells the sender that the message is not stored in time; undefined when it is told. */
  refuse: ((error: unknown) => void) | undefined
}

/** The messages that are in the queue, in the order of arrival. */
interface HeldMessages {
  /** Its sender is refused at the deadline, unless it leaves before. */
  take(arrival: Arrival): HeldMessage
  leave(held: HeldMessage, arrival: Arrival): void
  /** Seconds since the arrival of the message that waits longest; 0 when none waits. */
  oldestWait(): number
  /** Resolves when all have left. */
  emptied(): Promise<void>
}

/** Between two looks at the deadlines, in milliseconds; a timer cannot wait for ever. */
const longestWatch = 60_000

/**
 * A database that falls silent lets a statement hang for seconds after the sender has given up. So
 * the sender is refused at the deadline. The message is held while it may still be stored: a
 * repeat is absorbed then. One timer is enough for all.
 */
function createHeldMessages({ hold, giveBack }: Shares<Waiting>): HeldMessages {
  const messages = new Set<HeldMessage>()
  let onEmpty: (() => void) | undefined
  let timer: NodeJS.Timeout | undefined
  let watched = Number.POSITIVE_INFINITY

  function watch(deadline: number): void {
    if (deadline >= watched) return
    clearTimeout(timer)
    watched = deadline
    const left = Math.max(1, Math.ceil(deadline - performance.now()))
    timer = setTimeout(refuseOverdue, Math.min(left, longestWatch)).unref()
  }

  function refuseOverdue(): void {
    const now = performance.now()
    watched = Number.POSITIVE_INFINITY
    let next = Number.POSITIVE_INFINITY
    for (const held of messages) {
      const { refuse, deadline } = held
      if (!refuse) continue
      if (deadline > now) next = Math.min(next, deadline)
      else {
        held.refuse = undefined
        refuse(new DatabaseUnavailable('it did not answer in time'))
      }
    }
    watch(next)
  }

  return {
    take({ account, message, deadline }) {
      hold(account, message.length)
      const held = { since: performance.now(), deadline, refuse: undefined }
      messages.add(held)
      watch(deadline)
      return held
    },
    leave(held, { account, message }) {
      giveBack(account, message.length)
      messages.delete(held)
      if (messages.size === 0) onEmpty?.()
    },
    oldestWait() {
      const [oldest] = messages
      return oldest === undefined ? 0 : (performance.now() - oldest.since) / 1000
    },
    async emptied() {
      const { promise, resolve } = Promise.withResolvers<void>()
      onEmpty = resolve
      if (messages.size > 0) await promise
    },
  }
}

export interface IngestQueue {
  /**
   * Resolves when the message is committed, as an uplink or in the quarantine. Rejects with
   * DatabaseUnavailable at its deadline; it may still be stored then.
   */
  store(arrival: Arrival): Promise<void>
  /** Whether the queue has room for a message of this organization. */
  hasRoom(user: ShareUser): boolean
  /** Throws `QueueFull` after a while when it has none. */
  checkRoom(user: ShareUser): Promise<void>
  /**
   * The number of waiting arrivals, with those that are held back and those that are being written.
   */
  depth(): number
  /** Seconds since the arrival of the message that waits longest; 0 when none waits. */
  oldestWait(): number
  /** Messages since the start of the process that were refused because the queue was full. */
  refusals(): number
  /** How long the batches took to be stored. */
  commitTimes(): CommitTimes
  /**
   * Accepts no more messages, refuses those that are held back, and waits for the others to be
   * written.
   */
  close(): Promise<void>
}

/**
 * When more than half of an organization's room is taken, its messages are held back. When all of
 * it is taken, they are refused.
 */
export interface IngestLimits extends ShareLimits {
  /** The longest time that a message is held back before it goes to the writer, in milliseconds. */
  longestDelay: number
  /** The longest time before a refused sender gets its answer, in milliseconds. */
  refusalDelay: number
}

interface IngestServices {
  db: Database
  decoder: TypeDecoder
  now(): Date
  tracer?: Tracer
}

export const defaultLimits: IngestLimits = {
  capacity: 10_000,
  capacityBytes: 32 * 1024 * 1024,
  batchSize: 500,
  batchBytes: 256 * 1024,
  // Networks wait 5 s, and a message is kept for 4 s.
  longestWait: 3000,
  longestDelay: 1000,
  refusalDelay: 2000,
}

/**
 * At most this many refused senders wait for their answer at one time. Further ones get it at once.
 */
const mostRefused = 2000

/** The messages that wait for the batch writer, within the limits of their organizations. */
export function createIngestQueue(
  { db, decoder, now, tracer = noTraces }: IngestServices,
  limits: IngestLimits = defaultLimits,
): IngestQueue {
  const shares = createShares<Waiting>(limits)
  const writer = createBatchWriter({ db, tracer, shares })
  const messages = createHeldMessages(shares)
  // The device is looked up before the batch is formed. If the writer did it, it could write
  // nothing else meanwhile.
  const knownDevices = createKnownDevices(db, decoder)
  const refusals = createRefusals(limits)
  let isClosed = false
  const { storeNow, storeLater } = createStoring({
    writer,
    messages,
    knownDevices,
    now,
    tracer,
    isClosed: () => isClosed,
  })

  function hasRoom(user: ShareUser): boolean {
    return !isClosed && shares.fullnessOf(user) < 1
  }

  return {
    depth: shares.held,
    oldestWait: messages.oldestWait,
    refusals: refusals.count,
    commitTimes: writer.commitTimes,
    hasRoom,
    async checkRoom(user) {
      if (!hasRoom(user)) await refusals.refuse(isClosed)
    },
    store(arrival) {
      const taken = shares.fullnessOf(arrival.account)
      if (isClosed || taken >= 1) return refusals.refuse(isClosed)
      // A message takes its room before it is held back: the limit holds for all messages in
      // memory.
      const held = messages.take(arrival)
      const delay = Math.max(0, taken * 2 - 1) * limits.longestDelay
      const isPlain = delay === 0 && !tracer.isOn
      const device = isPlain ? knownDevices.recall(arrival) : undefined
      return device ? storeNow(arrival, device, held) : storeLater(arrival, delay, held)
    },
    async close() {
      isClosed = true
      await messages.emptied()
    },
  }
}

/**
 * A sender that is refused at once sends again at once: reading the messages of 400 such
 * connections took all the time of the process. The delay is random, so that the senders do not
 * all come back together.
 */
function createRefusals({ refusalDelay }: IngestLimits) {
  let waiting = 0
  let count = 0
  return {
    count: () => count,
    async refuse(isClosed: boolean): Promise<never> {
      count += 1
      if (!isClosed && waiting < mostRefused) {
        waiting += 1
        await sleep(refusalDelay * (0.5 + Math.random() / 2))
        waiting -= 1
      }
      throw new QueueFull()
    },
  }
}

interface StoringServices extends Required<Pick<IngestServices, 'now' | 'tracer'>> {
  writer: BatchWriter
  messages: HeldMessages
  knownDevices: KnownDevices
  isClosed(): boolean
}

function createStoring({ writer, messages, knownDevices, now, tracer, isClosed }: StoringServices) {
  /**
   * Nearly all messages: with one promise until the answer. What is kept for each message meanwhile is
   * copied by the collection of garbage.
   */
  function storeNow(arrival: Arrival, device: KnownDevice, held: HeldMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      held.refuse = reject
      const answer = (error?: unknown) => {
        if (isWorthAnotherLook(error, arrival)) {
          knownDevices.forget(arrival)
          return resolve(storeLater(arrival, 0, held))
        }
        messages.leave(held, arrival)
        return error === undefined ? resolve() : reject(error)
      }
      const arrivedAt = isoTimeOf(now())
      writer.add({ arrival, arrivedAt, device, reading: undefined, answer, span: undefined })
    })
  }

  function storeLater(arrival: Arrival, delay: number, held: HeldMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      held.refuse = reject
      traceArrival(tracer, arrival, () => write(arrival, delay))
        .finally(() => messages.leave(held, arrival))
        .then(resolve, reject)
    })
  }

  async function write(arrival: Arrival, delay: number): Promise<void> {
    if (delay > 0) await sleep(delay)
    if (isClosed()) throw new QueueFull()
    const arrivedAt = isoTimeOf(now())
    for (;;) {
      try {
        const device = knownDevices.recall(arrival)
        const named = device
          ? { arrival, arrivedAt, device }
          : await knownDevices.name(arrival, arrivedAt)
        return await enqueue(named)
      } catch (error) {
        if (!isWorthAnotherLook(error, arrival)) throw error
        // The next look-up reads the database.
        knownDevices.forget(arrival)
      }
    }
  }

  function enqueue({ arrival, arrivedAt, device, reading }: NamedArrival): Promise<void> {
    return new Promise((resolve, reject) => {
      const answer = (error?: unknown) => (error === undefined ? resolve() : reject(error))
      const span = tracer.isOn ? currentSpan() : undefined
      writer.add({ arrival, arrivedAt, device, reading, answer, span })
    })
  }

  return { storeNow, storeLater }
}

/** Whether the device may be another one by now, and there is time to look. */
function isWorthAnotherLook(error: unknown, { deadline }: Arrival): boolean {
  return error instanceof Outdated && performance.now() <= deadline
}
