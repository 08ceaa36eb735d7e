import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../db/connect.ts'
import { outlast } from '../../db/outlast.ts'
import type { TypeDecoder } from '../../features/fleet/device-types/type-codec.ts'
import type { KnownDevice } from '../../features/fleet/inventory/named-device-queries.ts'
import type { ShareUser } from '../../http/room.ts'
import { isoTimeOf } from '../../http/timestamps.ts'
import type { Reading } from '../../sensors/sensor.ts'
import { currentSpan } from '../../traces/span.ts'
import { noTraces, type Tracer } from '../../traces/tracer.ts'
import { type Arrival, mayNameDevice, type NamedArrival, Outdated, QueueFull } from './arrival.ts'
import { createBatchWriter } from './batch-writer.ts'
import type { CommitTimes } from './commit-times.ts'
import { createPlaces, type Place } from './ingest-places.ts'
import { createShares, type ShareLimits } from './ingest-shares.ts'
import { createKnownDevices, isOfCustomType } from './known-devices.ts'
import type { Waiting } from './settle-batch.ts'
import { traceArrival } from './trace-ingest.ts'

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
  const places = createPlaces()
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

  function takePlace({ account, message, deadline }: Arrival): Place {
    shares.hold(account, message.length)
    return places.take(deadline)
  }

  function leave(place: Place, { account, message }: Arrival): void {
    shares.giveBack(account, message.length)
    places.leave(place)
  }

  /**
   * Nearly all messages: with one promise until the answer. What is kept for each message meanwhile is
   * copied by the collection of garbage.
   */
  function storeNow(arrival: Arrival, device: KnownDevice, place: Place): Promise<void> {
    return new Promise((resolve, reject) => {
      place.refuse = reject
      const answer = (error?: unknown) => {
        if (isWorthAnotherLook(error, arrival)) {
          knownDevices.forget(arrival)
          return resolve(storeLater(arrival, 0, place))
        }
        leave(place, arrival)
        return error === undefined ? resolve() : reject(error)
      }
      const arrivedAt = isoTimeOf(now())
      writer.add({ arrival, arrivedAt, device, reading: undefined, answer, span: undefined })
    })
  }

  function storeLater(arrival: Arrival, delay: number, place: Place): Promise<void> {
    return new Promise((resolve, reject) => {
      place.refuse = reject
      traceArrival(tracer, arrival, () => write(arrival, delay))
        .finally(() => leave(place, arrival))
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
    oldestWait: places.oldestWait,
    refusals: () => refusals,
    commitTimes: writer.commitTimes,
    hasRoom,
    async checkRoom(user) {
      if (!hasRoom(user)) await refuse()
    },
    store(arrival) {
      const taken = shares.fullnessOf(arrival.account)
      if (isClosed || taken >= 1) return refuse()
      // A message takes its place before it is held back: the limit holds for all messages in
      // memory.
      const place = takePlace(arrival)
      const delay = Math.max(0, taken * 2 - 1) * limits.longestDelay
      const isPlain = delay === 0 && !tracer.isOn
      const device = isPlain ? knownDevices.recall(arrival) : undefined
      return device ? storeNow(arrival, device, place) : storeLater(arrival, delay, place)
    },
    async close() {
      isClosed = true
      await places.emptied()
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
