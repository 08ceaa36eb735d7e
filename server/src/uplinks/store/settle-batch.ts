import type { Database } from '../../db/connect.ts'
import { groupByPlace } from '../../db/distribution/places.ts'
import { DatabaseUnavailable, isFaultOfTheRow, isPassing, isTimeout } from '../../db/errors.ts'
import { outlast } from '../../db/outlast.ts'
import type { Waiting } from './arrival.ts'
import { quarantineUnstorable } from './quarantine.ts'

/** How far the part of a tenant in a batch is, and how a batch or a part of it is stored. */
export interface BatchWork {
  /** Stores and answers. Throws where nothing is stored, and nobody has an answer. */
  store: Store
  /**
   * The uplinks of a tenant are written and COMMIT is sent, so that another batch may follow. Called once,
   * before `onSettled`.
   */
  onWritten(tenantId: number): void
  /** All senders in the part of a tenant have their answer. */
  onSettled(tenantId: number): void
}

type Store = (db: Database, batch: readonly Waiting[], options: RepeatOptions) => Promise<void>

export interface RepeatOptions {
  /** Whether the batch is repeated after this error, until its deadline. */
  isWorthIt(error: unknown): boolean
  onWritten(): void
}

/**
 * Answers each sender in a batch when its message is stored. While the database is away, the batch
 * is kept. If a batch fails, it is stored in parts. The first parts are the tenants,
 * each on its own, so that none waits for the fault of another. The next parts are organizations,
 * then halves. At the end the row that the database cannot hold is alone, and goes to the
 * quarantine. A batch that the database does not store in the time of a statement is halved as well,
 * a few times: its senders have their answer, but those who send nothing again lose nothing.
 *
 * Where organizations are at several places, the batch of each place is stored by itself.
 */
export async function settleBatch(
  db: Database,
  batch: readonly Waiting[],
  { store, onWritten, onSettled }: BatchWork,
): Promise<void> {
  // While the database is away, it does not tell: the batch waits for it as it is.
  const groups = await groupByPlace(db, batch, organizationOf).catch(() => [batch])
  const written = whenInAll(groups, onWritten)
  const settled = whenInAll(groups, onSettled)
  await Promise.all(
    groups.map((group) => {
      const [onGroupWritten, onGroupSettled] = [written(group), settled(group)]
      return settleGroup(db, group, {
        store,
        onWritten: onGroupWritten,
        onSettled: (tenantId) => {
          // What was quarantined or refused has nothing left to write.
          onGroupWritten(tenantId)
          onGroupSettled(tenantId)
        },
      })
    }),
  )
}

type Group = readonly Waiting[]

/** Calls `act` for a tenant when it was called for each group that has something of it. */
function whenInAll(groups: readonly Group[], act: (tenantId: number) => void) {
  const open = new Map<number, Set<Group>>()
  for (const group of groups) {
    for (const { arrival } of group) {
      const { tenantId } = arrival.account
      open.set(tenantId, (open.get(tenantId) ?? new Set()).add(group))
    }
  }
  return (group: Group) => (tenantId: number) => {
    const others = open.get(tenantId)
    if (others?.delete(group) && others.size === 0) act(tenantId)
  }
}

async function settleGroup(
  db: Database,
  group: Group,
  { store, onWritten, onSettled }: BatchWork,
): Promise<void> {
  const tenants = Map.groupBy(group, ({ arrival }) => arrival.account.tenantId)
  const onAllWritten = () => {
    for (const tenantId of tenants.keys()) onWritten(tenantId)
  }
  if (tenants.size > 1 && (await isSettledTogether(db, group, store, onAllWritten))) {
    for (const tenantId of tenants.keys()) onSettled(tenantId)
    return
  }
  await Promise.all(
    [...tenants].map(([tenantId, part]) =>
      settle(db, part, store, () => onWritten(tenantId)).finally(() => onSettled(tenantId)),
    ),
  )
}

/**
 * Returns false when the batch must be stored in parts. Each part then has its own errors, repeats
 * and waits for locks (`waitBriefly`).
 */
async function isSettledTogether(
  db: Database,
  batch: readonly Waiting[],
  store: Store,
  onWritten: () => void,
): Promise<boolean> {
  try {
    await store(db, batch, { isWorthIt: isUnavailable, onWritten })
  } catch (error) {
    if (!isUnavailable(error)) return false
    rejectAll(batch, error)
  }
  return true
}

function isUnavailable(error: unknown): boolean {
  return error instanceof DatabaseUnavailable
}

async function settle(
  db: Database,
  batch: readonly Waiting[],
  store: Store,
  onWritten = () => {},
): Promise<void> {
  try {
    await store(db, batch, { isWorthIt: isPassing, onWritten })
  } catch (error) {
    const [first] = batch
    const parts = isPassing(error) && !isTooSlow(error) ? [] : split(batch, error)
    if (parts.length > 1) for (const part of parts) await settle(db, part, store)
    else if (first && batch.length === 1 && isFaultOfTheRow(error)) {
      await settleUnstorable(db, first, error.message)
    } else rejectAll(batch, error)
  }
}

/** Whether a batch was repeated until its deadline, and its statement took too long at the end. */
function isTooSlow(error: unknown): boolean {
  return error instanceof DatabaseUnavailable && isTimeout(error.cause)
}

/** A smaller batch is not halved when it is too slow: 500 uplinks are given up after 15 tries. */
const fewestToHalve = 64

/**
 * Splits by organization. If there is only one, it splits into halves when a row caused the error, or
 * the batch is too slow.
 */
function split(batch: readonly Waiting[], error: unknown): (readonly Waiting[])[] {
  const organizations = Map.groupBy(batch, organizationOf)
  if (organizations.size > 1) return [...organizations.values()]
  if (batch.length < (isTooSlow(error) ? fewestToHalve : 2)) return []
  if (!isFaultOfTheRow(error) && !isTooSlow(error)) return []
  const half = Math.ceil(batch.length / 2)
  return [batch.slice(0, half), batch.slice(half)]
}

function organizationOf({ arrival, device }: Waiting): number {
  return device?.organization_id ?? arrival.account.organizationId
}

async function settleUnstorable(
  db: Database,
  { arrival, answer }: Waiting,
  reason: string,
): Promise<void> {
  try {
    await outlast(arrival.deadline, () => quarantineUnstorable(db, [arrival], reason))
    answer()
  } catch (error) {
    answer(error)
  }
}

function rejectAll(batch: readonly Waiting[], error: unknown): void {
  for (const { answer } of batch) answer(error)
}
