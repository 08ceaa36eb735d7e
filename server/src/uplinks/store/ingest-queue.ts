import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Queryable } from '../../db/connect.ts'
import { DatabaseUnavailable } from '../../db/errors.ts'
import { outlast } from '../../db/outlast.ts'
import { createRecentlyRead } from '../../db/recently-read.ts'
import { lookUpTogether } from '../../db/together.ts'
import type { TypeDecoder } from '../../features/fleet/device-types/type-codec.ts'
import {
  findDevices,
  type KnownDevice,
  lookUpKeyOf,
} from '../../features/fleet/inventory/named-device-queries.ts'
import type { ShareUser } from '../../http/room.ts'
import { isoTimeOf } from '../../http/timestamps.ts'
import { isEui, normalizeEui } from '../../lora/eui.ts'
import { firstCustomTypeId } from '../../sensors/index.ts'
import type { Reading } from '../../sensors/sensor.ts'
import { currentSpan } from '../../traces/span.ts'
import { noTraces, type Tracer } from '../../traces/tracer.ts'
import {
  type Arrival,
  mayNameDevice,
  type NamedArrival,
  Outdated,
  QueueFull,
  type Waiting,
} from './arrival.ts'
import { type CommitTimes, traceArrival } from './batch-timing.ts'
import { createBatchWriter } from './batch-writer.ts'
import { createShares, type ShareLimits } from './ingest-shares.ts'

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
  take(deadline: number): HeldMessage
  leave(held: HeldMessage): void
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
function createHeldMessages(): HeldMessages {
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
    take(deadline) {
      const held = { since: performance.now(), deadline, refuse: undefined }
      messages.add(held)
      watch(deadline)
      return held
    },
    leave(held) {
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

/**
 * The devices of the last uplinks. What is recalled may be outdated: the writer compares the version
 * of the device in the transaction that stores the uplink. So no process has to tell another that a
 * device was changed or deleted.
 */
interface KnownDevices {
  /** The device that an arrival names, without a look at the database. */
  recall(arrival: Arrival): KnownDevice | undefined
  find(arrival: Arrival): Promise<KnownDevice | undefined>
  forget(arrival: Arrival): void
}

/**
 * At most some 50 MB. With more devices that report in turns, the others are looked up.
 */
const mostKnown = 100_000

function createKnownDevices(db: Queryable): KnownDevices {
  const known = createRecentlyRead<KnownDevice>(mostKnown)
  const findDevice = lookUpTogether(
    (keys: string[]) => findDevices(db, keys),
    ({ key }) => key,
  )
  return {
    recall(arrival) {
      const device = known.get(keyOf(arrival, euiOf(arrival)))
      return device && mayNameDevice(arrival, device) ? device : undefined
    },
    async find(arrival) {
      const eui = euiOf(arrival)
      if (!isEui(eui)) return undefined
      const key = keyOf(arrival, eui)
      const device = await findDevice(key)
      // The version of a device does not tell that its type has another codec.
      if (device && !isOfCustomType(device)) known.set(key, device)
      else known.forget(key)
      return device
    },
    forget(arrival) {
      known.forget(keyOf(arrival, euiOf(arrival)))
    },
  }
}

function isOfCustomType({ type_id }: KnownDevice): boolean {
  return type_id >= firstCustomTypeId
}

function euiOf({ uplink }: Arrival): string {
  return normalizeEui(uplink.devEui)
}

function keyOf({ account }: Arrival, eui: string): string {
  return lookUpKeyOf(account, eui)
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
  let isClosed = false
  let refused = 0
  let refusals = 0
  const messages = createHeldMessages()
  // The device is looked up before the batch is formed. If the writer did it, it could write
  // nothing else meanwhile.
  const knownDevices = createKnownDevices(db)

  /**
   * A sender that is refused at once sends again at once: reading the messages of 400 such
   * connections took all the time of the process. The delay is random, so that the senders do not
   * all come back together.
   */
  async function refuse(): Promise<never> {
    refusals += 1
    if (!isClosed && refused < mostRefused) {
      refused += 1
      await sleep(limits.refusalDelay * (0.5 + Math.random() / 2))
      refused -= 1
    }
    throw new QueueFull()
  }

  function hasRoom(user: ShareUser): boolean {
    return !isClosed && shares.fullnessOf(user) < 1
  }

  function hold({ account, message, deadline }: Arrival): HeldMessage {
    shares.hold(account, message.length)
    return messages.take(deadline)
  }

  function leave(held: HeldMessage, { account, message }: Arrival): void {
    shares.giveBack(account, message.length)
    messages.leave(held)
  }

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
        leave(held, arrival)
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
        .finally(() => leave(held, arrival))
        .then(resolve, reject)
    })
  }

  async function write(arrival: Arrival, delay: number): Promise<void> {
    if (delay > 0) await sleep(delay)
    if (isClosed) throw new QueueFull()
    const arrivedAt = isoTimeOf(now())
    for (;;) {
      try {
        const device = knownDevices.recall(arrival)
        const named = device ? { arrival, arrivedAt, device } : await name(arrival, arrivedAt)
        return await enqueue(named)
      } catch (error) {
        if (!isWorthAnotherLook(error, arrival)) throw error
        // The next look-up reads the database.
        knownDevices.forget(arrival)
      }
    }
  }

  async function name(arrival: Arrival, arrivedAt: string): Promise<NamedArrival> {
    const { deadline } = arrival
    const device = await outlast(deadline, () => knownDevices.find(arrival))
    const named: NamedArrival = { arrival, arrivedAt, device }
    // A codec runs before the batch is formed, because it takes time, and no other uplink may wait
    // for it.
    if (device && isOfCustomType(device) && mayNameDevice(arrival, device)) {
      named.reading = await outlast(deadline, () => decodeByCodec(decoder, arrival, device))
    }
    return named
  }

  function enqueue({ arrival, arrivedAt, device, reading }: NamedArrival): Promise<void> {
    return new Promise((resolve, reject) => {
      const answer = (error?: unknown) => (error === undefined ? resolve() : reject(error))
      const span = tracer.isOn ? currentSpan() : undefined
      writer.add({ arrival, arrivedAt, device, reading, answer, span })
    })
  }

  return {
    depth: shares.held,
    oldestWait: messages.oldestWait,
    refusals: () => refusals,
    commitTimes: writer.commitTimes,
    hasRoom,
    async checkRoom(user) {
      if (!hasRoom(user)) await refuse()
    },
    store(arrival) {
      const taken = shares.fullnessOf(arrival.account)
      if (isClosed || taken >= 1) return refuse()
      // A message takes its room before it is held back: the limit holds for all messages in
      // memory.
      const held = hold(arrival)
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

/** Whether the device may be another one by now, and there is time to look. */
function isWorthAnotherLook(error: unknown, { deadline }: Arrival): boolean {
  return error instanceof Outdated && performance.now() <= deadline
}

function decodeByCodec(
  decoder: TypeDecoder,
  { uplink }: Arrival,
  { id, organization_id, type_id, type_revision, sealed_variables }: KnownDevice,
): Promise<Reading> {
  const named = {
    organizationId: organization_id,
    typeId: type_id,
    revision: type_revision ?? 0,
    deviceId: id,
    sealedVariables: sealed_variables,
  }
  const frame = { bytes: uplink.payload, fPort: uplink.fPort }
  return decoder.decode(named, frame, uplink.receivedAt)
}
