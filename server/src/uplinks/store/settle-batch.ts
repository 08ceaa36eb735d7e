import type { Database } from '../../db/connect.ts'
import { formFor } from '../../db/distribution/form-for.ts'
import { DatabaseUnavailable, isFaultOfTheRow, isPassing, isTimeout } from '../../db/errors.ts'
import { outlast } from '../../db/outlast.ts'
import type { Waiting } from './arrival.ts'
import { quarantineUnstorable } from './quarantine.ts'

/** How far the part of a tenant in a batch is, and how a batch or a part of it is stored. */
export interface BatchWork {
  /** Stores and answers. Throws where nothing is stored, and nobody has an answer. */
  store: Store
  /**
   * The uplinks of a tenant are written and COMMIT is sent, so that another batch may follow. Called
   * again when the part is repeated.
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
 */
export async function settleBatch(
  db: Database,
  batch: readonly Waiting[],
  { store, onWritten, onSettled }: BatchWork,
): Promise<void> {
  const tenants = Map.groupBy(batch, ({ arrival }) => arrival.account.tenantId)
  const onAllWritten = () => {
    for (const tenantId of tenants.keys()) onWritten(tenantId)
  }
  // While the database is away, it does not tell: the batch waits for it as it is.
  const settlePart = await formFor(db, { whole: settle, spread: settleEach }).catch(() => settle)
  const isTogether = tenants.size > 1 && settlePart === settle
  if (isTogether && (await isSettledTogether(db, batch, store, onAllWritten))) {
    for (const tenantId of tenants.keys()) onSettled(tenantId)
    return
  }
  await Promise.all(
    [...tenants].map(([tenantId, part]) =>
      settlePart(db, part, store, () => onWritten(tenantId)).finally(() => onSettled(tenantId)),
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

/** Where each organization is on one of several machines: a statement about only one runs there as it is. */
async function settleEach(db: Database, batch: readonly Waiting[], store: Store): Promise<void> {
  const organizations = Map.groupBy(batch, organizationOf)
  await Promise.all([...organizations.values()].map((part) => settle(db, part, store)))
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
