import type { Database } from '../../db/connect.ts'
import { isDistributed } from '../../db/distribution/is-distributed.ts'
import { isNotEmpty } from '../../db/must-be-empty.ts'
import { createRecentlyRead, type RecentlyRead } from '../../db/recently-read.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { Arrival } from './arrival.ts'
import { waitBriefly } from './lock-queries.ts'
import type { Outdated } from './outdated.ts'
import { isRemembered, type KnownArrival, organizationsOf, storeKnown } from './store-known.ts'
import { type Counter, currentTransaction } from './writer-queries.ts'

/*
 * A batch in one flight: what it would read first is remembered, and PostgreSQL has all of it, with the
 * COMMIT, before the former batch is committed. Where something else is there by then, the transaction
 * fails before it writes, and the batch is stored by what is read (docs/decisions/0051-one-flight.md).
 */

/** What is remembered of the counter of an organization. */
interface Memory {
  /** As the last batch of this process leaves it. */
  count: number | undefined
  /** Batches in a row that found the counter so: nobody else writes. */
  calm: number
  /** So many are needed for a flight. */
  needed: number
  /** The end of the last flight, with what follows where it fails; undefined when none is under way. */
  flight: Promise<unknown> | undefined
}

/** A smaller batch is not worth the two statements more, unless it would wait for a flight. */
const fewest = 16
const leastCalm = 2
const mostCalm = 64
const mostOrganizations = 10_000

const memories = new WeakMap<Database, RecentlyRead<Memory>>()

function memoryOf(db: Database, organizationId: number): Memory {
  const known = memories.get(db) ?? createRecentlyRead<Memory>(mostOrganizations)
  memories.set(db, known)
  const key = String(organizationId)
  const memory = known.get(key) ?? {
    ...{ count: undefined, calm: 0, needed: leastCalm, flight: undefined },
  }
  known.set(key, memory)
  return memory
}

interface Storing {
  /** Receives the arrivals that are outdated. */
  outdated: Map<Arrival, Outdated>
  /** Of several tenants. */
  isMixed: boolean
  /** Called when the uplinks are written or sent, and only the answer to the commit is missing. */
  onWritten(): void
}

/**
 * Stores uplinks of known devices in a transaction, in one flight where that may succeed. The batches
 * of an organization are stored in the order in which they come here.
 */
export async function storeInFlight(
  db: Database,
  batch: readonly KnownArrival[],
  storing: Storing,
): Promise<void> {
  const own = organizationsOf(batch).map((id) => memoryOf(db, id))
  const former = Promise.all(own.map(({ flight }) => flight))
  const isWorthIt = batch.length >= fewest || own.some(({ flight }) => flight)
  const isCalm = own.every(({ calm, needed }) => calm >= needed)
  if (!isWorthIt || !isCalm || !mayFly(db, batch) || (await isDistributed(db))) {
    await former
    return storeByReading(db, batch, storing)
  }
  const flying = fly(db, batch, storing).then(
    () => own.forEach(noteSuccess),
    async (error: unknown) => {
      own.forEach(noteFailure)
      if (!isNotEmpty(error) && !(error instanceof Forgotten)) throw error
      // A former flight that fails has its place before this one.
      await former
      return storeByReading(db, batch, storing)
    },
  )
  const landed = flying
    .catch(() => {})
    .then(() => {
      for (const memory of own) if (memory.flight === landed) memory.flight = undefined
    })
  for (const memory of own) memory.flight = landed
  return flying
}

function noteSuccess(memory: Memory): void {
  memory.needed = Math.max(memory.needed / 2, leastCalm)
}

function noteFailure(memory: Memory): void {
  memory.count = undefined
  memory.calm = 0
  memory.needed = Math.min(memory.needed * 2, mostCalm)
}

function mayFly(db: Database, batch: readonly KnownArrival[]): boolean {
  return (
    batch.every(isRemembered) &&
    organizationsOf(batch).every((id) => memoryOf(db, id).count !== undefined)
  )
}

/** What was remembered was forgotten before the flight began. */
class Forgotten extends Error {}

function fly(db: Database, batch: readonly KnownArrival[], storing: Storing): Promise<void> {
  return storeBy(db, storing, async (tx) => {
    const transaction = await currentTransaction(tx)
    if (!mayFly(db, batch)) throw new Forgotten()
    const assumed = new Map(
      organizationsOf(batch).map((id): [number, Counter] => {
        const count = memoryOf(db, id).count ?? 0
        return [id, { organization_id: id, uplink_count: count, found_count: count, transaction }]
      }),
    )
    const { outdated } = await storeKnown(tx, batch, assumed)
    for (const [id, { uplink_count }] of assumed) memoryOf(db, id).count = uplink_count
    return outdated
  })
}

function storeByReading(
  db: Database,
  batch: readonly KnownArrival[],
  storing: Storing,
): Promise<void> {
  return storeBy(db, storing, async (tx) => {
    const { counters, outdated } = await storeKnown(tx, batch)
    for (const [id, { uplink_count, found_count }] of counters) {
      const memory = memoryOf(db, id)
      memory.calm = memory.count === found_count ? memory.calm + 1 : 0
      memory.count = uplink_count
    }
    return outdated
  })
}

/** Stores in a transaction. What is outdated is told when it is committed: until then it may fail. */
async function storeBy(
  db: Database,
  { outdated, isMixed, onWritten }: Storing,
  store: (tx: Transaction) => Promise<ReadonlyMap<Arrival, Outdated>>,
): Promise<void> {
  const found = await db.transaction(async (tx) => {
    if (isMixed) waitBriefly(tx)
    const result = await store(tx)
    onWritten()
    return result
  })
  for (const [arrival, reason] of found) outdated.set(arrival, reason)
}
