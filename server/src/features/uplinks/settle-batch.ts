import type { Database } from '../../db/connect.ts'
import { DatabaseUnavailable, isFaultOfTheRow, isPassing } from '../../db/errors.ts'
import { outlast } from '../../db/outlast.ts'
import type { NamedArrival } from './arrival.ts'
import { quarantineUnstorable, storeUplinks } from './store-uplinks.ts'

/** An arrival whose sender waits for the answer. */
export interface Waiting extends NamedArrival {
  resolve(): void
  reject(error: unknown): void
}

/**
 * Answers everyone in a batch once what they sent is stored. While the database is away the batch
 * is kept. One that fails is stored in parts: first by root organization, each for itself, so that
 * nobody waits for another's fault; then by organization; then in halves, until the row that the
 * database cannot hold is alone, and goes to the quarantine.
 *
 * `onSettled` hears of each root organization when all of its part is answered.
 */
export async function settleBatch(
  db: Database,
  batch: readonly Waiting[],
  onSettled: (rootId: number) => void,
): Promise<void> {
  const roots = groupBy(batch, ({ arrival }) => arrival.account.rootId)
  if (roots.size > 1 && (await isSettledTogether(db, batch))) {
    for (const rootId of roots.keys()) onSettled(rootId)
    return
  }
  await Promise.all(
    [...roots].map(([rootId, part]) => settlePart(db, part).finally(() => onSettled(rootId))),
  )
}

/** False when it has to be stored in parts, each of which has its own faults and repeats. */
async function isSettledTogether(db: Database, batch: readonly Waiting[]): Promise<boolean> {
  try {
    await keepTrying(db, batch, isUnavailable)
  } catch (error) {
    if (!isUnavailable(error)) return false
    rejectAll(batch, error)
  }
  return true
}

function isUnavailable(error: unknown): boolean {
  return error instanceof DatabaseUnavailable
}

async function settlePart(db: Database, batch: readonly Waiting[]): Promise<void> {
  try {
    await keepTrying(db, batch, isPassing)
  } catch (error) {
    const [first] = batch
    const parts = isPassing(error) ? [] : split(batch, error)
    if (parts.length > 1) for (const part of parts) await settlePart(db, part)
    else if (first && batch.length === 1 && isFaultOfTheRow(error)) {
      await settleUnstorable(db, first, error.message)
    } else rejectAll(batch, error)
  }
}

/** By organization, or else, where a row is to blame, in halves. */
function split(batch: readonly Waiting[], error: unknown): (readonly Waiting[])[] {
  const organizations = groupBy(batch, organizationOf)
  if (organizations.size > 1) return [...organizations.values()]
  if (!isFaultOfTheRow(error) || batch.length === 1) return []
  const half = Math.ceil(batch.length / 2)
  return [batch.slice(0, half), batch.slice(half)]
}

function organizationOf({ arrival, device }: Waiting): number {
  return device?.organization_id ?? arrival.account.organizationId
}

/** Answers all; those whose time is over before the others hear that the database is away. */
async function keepTrying(
  db: Database,
  batch: readonly Waiting[],
  isWorthIt: (error: unknown) => boolean,
): Promise<void> {
  const latest = Math.max(...batch.map(({ arrival }) => arrival.deadline))
  let kept = batch
  let isRepeat = false
  await outlast(
    latest,
    async () => {
      if (isRepeat) kept = kept.filter((waiting) => !isOverdue(waiting))
      isRepeat = true
      await storeUplinks(db, kept)
    },
    isWorthIt,
  )
  for (const { resolve } of kept) resolve()
}

/** Refuses an arrival whose time is over. */
function isOverdue({ arrival, reject }: Waiting): boolean {
  if (arrival.deadline > performance.now()) return false
  reject(new DatabaseUnavailable('it did not come back in time'))
  return true
}

async function settleUnstorable(
  db: Database,
  { arrival, resolve, reject }: Waiting,
  reason: string,
): Promise<void> {
  try {
    await outlast(arrival.deadline, () => quarantineUnstorable(db, [arrival], reason))
    resolve()
  } catch (error) {
    reject(error)
  }
}

function rejectAll(batch: readonly Waiting[], error: unknown): void {
  for (const { reject } of batch) reject(error)
}

/** `Map.groupBy`, which the oldest Node that runs this does not have. */
function groupBy(
  batch: readonly Waiting[],
  keyOf: (waiting: Waiting) => number,
): Map<number, Waiting[]> {
  const groups = new Map<number, Waiting[]>()
  for (const waiting of batch) {
    const key = keyOf(waiting)
    const group = groups.get(key)
    if (group) group.push(waiting)
    else groups.set(key, [waiting])
  }
  return groups
}
