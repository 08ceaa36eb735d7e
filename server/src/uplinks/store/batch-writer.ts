import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Queryable } from '../../db/connect.ts'
import { outlast, settleWithin } from '../../db/outlast.ts'
import type { Transaction } from '../../db/transaction.ts'
import { noteHeardByNew } from '../../features/accounts/provisioning/move-queries.ts'
import { expectReports } from '../../features/downlinks/queue-checks.ts'
import {
  isTelling,
  noteUplinks,
  type TellingUplink,
} from '../../features/downlinks/telling-uplinks.ts'
import {
  noteUndecoded,
  type UndecodedFrame,
} from '../../features/fleet/device-types/decoding-run-queries.ts'
import type { KnownDevice } from '../../features/fleet/inventory/named-device-queries.ts'
import { decodeFrame } from '../../sensors/decode.ts'
import { needsMemory } from '../../sensors/reassembly.ts'
import type { Reading } from '../../sensors/sensor.ts'
import type { Tracer } from '../../traces/tracer.ts'
import {
  type Arrival,
  heardByNew,
  isStorable,
  mayNameDevice,
  type NamedArrival,
  networkOf,
  Outdated,
  type Waiting,
} from './arrival.ts'
import {
  addReceptions,
  countGateways,
  type FrameMemories,
  heardAt,
  mergeStatus,
  openMemories,
  tellingOf,
  toUplinkRow,
} from './batch-changes.ts'
import {
  type CommitTimes,
  createBatchSpacing,
  createCommitTimes,
  traceBatch,
} from './batch-timing.ts'
import type { Shares } from './ingest-shares.ts'
import { findStored, keyOf, uplinkKeyOf } from './key-queries.ts'
import { quarantine, quarantineUnstorable } from './quarantine.ts'
import { countReceptions } from './reception-queries.ts'
import { type RepeatOptions, settleBatch } from './settle-batch.ts'
import {
  type DeviceState,
  findInsert,
  lockCounters,
  readStates,
  type UplinkRow,
  waitBriefly,
} from './writer-queries.ts'

/*
 * How uplinks are stored:
 *
 * 1. gather what waits into a batch (`writeAll`),
 * 2. lock the counters of its organizations, and read what is known, in one round trip (`readKnown`),
 * 3. leave out repeats, and devices that have changed since they were looked up (`sortOut`),
 * 4. decode the frames, and write rows, states and counters in one statement (`writeFresh`),
 * 5. commit (the end of the transaction in `storeUplinks`),
 * 6. answer the senders (`storeAndAnswer`).
 *
 * settle-batch.ts says what happens when a batch fails.
 */

export interface BatchWriter {
  /** Adds an arrival to the queue of its tenant. */
  add(waiting: Waiting): void
  /** How long the batches took to be stored. */
  commitTimes(): CommitTimes
}

interface WriterServices {
  db: Database
  tracer: Tracer
  shares: Shares<Waiting>
}

/**
 * If a batch is not stored after this many milliseconds, the writer starts the next batch, of other
 * organizations.
 */
const longestTurn = 200

/**
 * The batch writer. Messages that arrive while one transaction commits, or a few milliseconds after
 * the last one began, go together into the next transaction. One flush of the disk then serves all
 * of them, and a single uplink does not wait.
 *
 * A batch begins when the former one is written and has sent its COMMIT. PostgreSQL holds it up at
 * the lock of the counter until that COMMIT has succeeded or failed, as it does with batches of
 * other processes. So the one is flushed while the other is prepared, and neither depends on the
 * success of the other.
 */
export function createBatchWriter({ db, tracer, shares }: WriterServices): BatchWriter {
  let isWriting = false
  /** Arrivals that no batch has taken. */
  let waiting = 0
  const spacing = createBatchSpacing()
  const commitTimes = createCommitTimes()
  /** The end of the last batch but one. */
  let former = Promise.resolve()

  async function writeAll(): Promise<void> {
    for (;;) {
      const delay = waiting > 0 ? spacing.timeUntilDue(waiting) : 0
      if (delay > 0) await sleep(delay)
      const batch = shares.take()
      if (batch.length === 0) break
      waiting -= batch.length
      spacing.begin(batch.length)
      const { promise: written, resolve: onWritten } = Promise.withResolvers<void>()
      const settled = settle(batch, onWritten)
      await settleWithin(Promise.all([former, Promise.race([written, settled])]), longestTurn)
      former = settled
    }
    isWriting = false
  }

  async function settle(batch: readonly Waiting[], onAllWritten: () => void): Promise<void> {
    const begunAt = performance.now()
    const unwritten = new Set(batch.map(({ arrival }) => arrival.account.tenantId))
    const onWritten = (tenantId: number) => {
      unwritten.delete(tenantId)
      shares.letPass(tenantId)
      if (unwritten.size === 0) onAllWritten()
      wake()
    }
    const onSettled = (tenantId: number) => {
      shares.release(tenantId)
      wake()
    }
    await traceBatch(tracer, batch, () =>
      settleBatch(db, batch, { store: storeAndAnswer, onWritten, onSettled }),
    )
    commitTimes.add((performance.now() - begunAt) / 1000)
  }

  function wake(): void {
    if (isWriting) return
    isWriting = true
    // Starts in the next turn of the event loop: all messages of this turn go into the same batch.
    setImmediate(writeAll)
  }

  return {
    add(item) {
      const { account, message } = item.arrival
      shares.add(account, message.length, item)
      waiting += 1
      wake()
    },
    commitTimes: commitTimes.read,
  }
}

/**
 * Stores a batch, or a part of one, and answers its senders. It is repeated until the last deadline.
 * Senders whose deadline has passed have their answer by then (ingest-queue.ts); their messages are
 * stored with the others nevertheless.
 */
async function storeAndAnswer(
  db: Database,
  batch: readonly Waiting[],
  { isWorthIt, onWritten }: RepeatOptions,
): Promise<void> {
  const latest = Math.max(...batch.map(({ arrival }) => arrival.deadline))
  const outdated = await outlast(latest, () => storeUplinks(db, batch, onWritten), isWorthIt)
  for (const { arrival, answer } of batch) {
    answer(outdated.has(arrival) ? new Outdated() : undefined)
  }
}

/**
 * Stores a batch. Uplinks of known devices get their ordinals and update the state of the devices,
 * in one transaction. The other messages go to the quarantine. A repeated uplink changes nothing,
 * except that a partial one (`isPartial`) adds new gateways. Returns the arrivals whose devices have
 * changed since they were looked up; nothing of them is stored.
 * `onWritten` is called when the uplinks are written and only the commit is missing.
 */
export async function storeUplinks(
  db: Database,
  arrivals: readonly NamedArrival[],
  onWritten = () => {},
): Promise<ReadonlySet<Arrival>> {
  const known: KnownArrival[] = []
  const unknown: Arrival[] = []
  const unstorable: Arrival[] = []
  for (const named of arrivals) {
    const { arrival, device } = named
    if (!device || !mayNameDevice(arrival, device)) unknown.push(arrival)
    else if (!isStorable(arrival.uplink.deduplicationKey)) unstorable.push(arrival)
    else known.push(toKnown(named, device))
  }
  const outdated = new Set<Arrival>()
  const isMixed = new Set(arrivals.map(({ arrival }) => arrival.account.tenantId)).size > 1
  const runIn = isMixed ? runBriefly : undefined
  const stored = await Promise.allSettled([
    known.length > 0 &&
      db.transaction(async (tx) => {
        if (isMixed) await waitBriefly(tx)
        await storeKnown(tx, known, outdated)
        onWritten()
      }),
    unknown.length > 0 &&
      quarantine(db, unknown, 'unknown_device', 'The device is not registered.', runIn),
    unstorable.length > 0 &&
      quarantineUnstorable(
        db,
        unstorable,
        'The key of the message is too long, or no text.',
        runIn,
      ),
  ])
  const failed = stored.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
  return outdated
}

/** Runs what is of several tenants in a transaction that waits briefly for locks. */
function runBriefly<T>(db: Database, work: (db: Queryable) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await waitBriefly(tx)
    return work(tx)
  })
}

/** An arrival of a known device. */
interface KnownArrival {
  arrival: Arrival
  device: KnownDevice
  /** Of a device with a codec. */
  reading: Reading | undefined
  /** See `heardAt`. */
  heard: string
  /** Whether it is decoded together with other frames of its device. */
  isJoined: boolean
}

function toKnown({ arrival, arrivedAt, reading }: NamedArrival, device: KnownDevice): KnownArrival {
  const heard = heardAt(arrival.uplink.receivedAt, arrivedAt)
  const isJoined = reading === undefined && needsMemory(frameOf(arrival))
  return { arrival, device, reading, heard, isJoined }
}

/**
 * Stores uplinks of known devices in a transaction: reads, then writes. `outdated` receives the arrivals
 * whose devices have changed since they were looked up.
 */
async function storeKnown(
  tx: Transaction,
  batch: readonly KnownArrival[],
  outdated: Set<Arrival>,
): Promise<void> {
  const stored = await readKnown(tx, batch)
  const gateways = countGateways()
  const { fresh, further } = sortOut(batch, stored, outdated)
  // What needs no answer is sent with the COMMIT.
  const telling = writeFresh(tx, fresh, stored, gateways)
  if (further.length > 0) {
    for (const { arrival, device, heard } of await addReceptions(tx, further)) {
      gateways.add(device.organization_id, arrival, heard)
    }
  }
  countReceptions(tx, gateways.rows())
  // What seldom follows from uplinks: the end of a move, news of downlinks, a check of a queue.
  const moved = fresh.flatMap(heardByNew)
  if (moved.length > 0) await noteHeardByNew(tx, moved)
  if (telling.length > 0) await noteUplinks(tx, telling)
  const expectant = fresh.filter(({ device }) => stored.states.get(device.id)?.has_held_downlinks)
  if (expectant.length > 0) {
    await expectReports(
      tx,
      expectant.map(({ arrival, device }) => ({
        id: device.id,
        organization_id: device.organization_id,
        network: networkOf(arrival, device),
      })),
    )
  }
}

/** Reads in one round trip, after the lock: the results stay true until the commit. */
async function readKnown(tx: Transaction, batch: readonly KnownArrival[]) {
  const organizations = new Set(batch.map(({ device }) => device.organization_id))
  const joined = batch.filter(({ isJoined }) => isJoined).map(({ device }) => device)
  const [insert, counters, states, stored, memories] = await Promise.all([
    findInsert(tx),
    lockCounters(tx, [...organizations]),
    readStates(
      tx,
      batch.map(({ device }) => device),
    ),
    findStored(
      tx,
      batch.map(({ arrival, device }) => uplinkKeyOf(device, arrival.uplink)),
    ),
    openMemories(tx, joined),
  ])
  return { insert, counters, states, stored, memories }
}

type Stored = Awaited<ReturnType<typeof readKnown>>

/** The arrivals that are new, and those that may add gateways to a stored uplink. */
function sortOut(
  batch: readonly KnownArrival[],
  { states, stored }: Stored,
  outdated: Set<Arrival>,
) {
  const fresh: KnownArrival[] = []
  const further: KnownArrival[] = []
  for (const known of batch) {
    const { device, arrival } = known
    const key = keyOf(device.id, arrival.uplink.deduplicationKey)
    if (states.get(device.id)?.version !== device.version) outdated.add(arrival)
    else if (!stored.has(key)) {
      stored.add(key)
      fresh.push(known)
    } else if (arrival.uplink.isPartial) further.push(known)
  }
  return { fresh, further }
}

/**
 * Decodes and writes new uplinks, and returns what they tell about downlinks. The rows and readings
 * are gone when it returns: kept until the commit, they would make garbage that is dear to collect.
 */
function writeFresh(
  tx: Transaction,
  fresh: readonly KnownArrival[],
  { counters, states, memories, insert }: Stored,
  gateways: ReturnType<typeof countGateways>,
): TellingUplink[] {
  const rows: UplinkRow[] = []
  const telling: TellingUplink[] = []
  const undecoded: UndecodedFrame[] = []
  for (const known of fresh) {
    const { device, arrival, heard } = known
    const state = states.get(device.id)
    const counter = counters.get(device.organization_id)
    // Throws, because an uplink that is skipped here would be acknowledged and lost.
    if (!state || !counter) throw new Error(`device ${device.id} has no counter`)
    counter.uplink_count += 1
    state.uplink_count += 1
    const reading = decode(known, memories)
    mergeStatus(state, heard, reading.status)
    const isPlain = known.reading === undefined && !known.isJoined
    const ordinals = { ordinal: counter.uplink_count, deviceOrdinal: state.uplink_count }
    rows.push(toUplinkRow({ arrival, device, reading, isPlain }, ordinals))
    gateways.add(device.organization_id, arrival, heard)
    telling.push(tellingOf(known, reading))
    if (reading.isPutOff) undecoded.push(undecodedOf(device, ordinals.ordinal))
  }
  if (rows.length > 0) insert(tx, { rows, states: changedStates(rows, states), counters })
  noteUndecoded(tx, undecoded)
  memories.save(tx)
  return telling.filter(isTelling)
}

function decode(known: KnownArrival, memories: FrameMemories): Reading {
  const frame = frameOf(known.arrival)
  const reading = known.reading ?? decodeFrame(frame)
  return known.isJoined ? memories.join({ ...known, frame, reading }) : reading
}

function frameOf({ uplink }: Arrival) {
  return { bytes: uplink.payload, fPort: uplink.fPort }
}

function undecodedOf({ organization_id, type_id }: KnownDevice, ordinal: number): UndecodedFrame {
  return { organization_id, type_id, ordinal }
}

function changedStates(rows: UplinkRow[], states: Map<number, DeviceState>): DeviceState[] {
  const ids = new Set(rows.map((row) => row.device_id))
  return [...ids].flatMap((id) => states.get(id) ?? [])
}
