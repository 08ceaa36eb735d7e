import type { Queryable } from '../../../db/connect.ts'
import { DatabaseUnavailable } from '../../../db/errors.ts'
import { type Permission, permissions } from '../../../http/endpoint.ts'
import { HttpError, lacksPermission } from '../../../http/errors.ts'
import { findMember } from '../../people/organizations/member-queries.ts'
import { transactBatch } from '../batches/batches.ts'
import { deleteRows, renameRows } from './batch-rows.ts'
import { changeNetworkRows, changeRows, moveRows } from './change-rows.ts'
import { configureRows } from './configure-rows.ts'
import { findMissingRight, type SentKind } from './job-kinds.ts'
import * as jobQueries from './job-queries.ts'
import { failed, type JobServices, type RowResult, type WorkRows } from './portion.ts'
import { registerRows } from './register-rows.ts'
import * as rowQueries from './row-queries.ts'
import { readTakeOver } from './take-over-rows.ts'

const workers: Record<SentKind, WorkRows> = {
  register: registerRows,
  rename: renameRows,
  move: moveRows,
  configure: configureRows,
  delete: deleteRows,
  change: changeRows,
  change_network: changeNetworkRows,
}

/** Rows of one transaction: some 100 ms, for which the organization's quota is locked. */
const portionSize = 500
/** When a portion fails for an unknown reason, the row at fault is sought in smaller ones. */
const shrink = 8

const rowFailed = 'The row could not be worked for an internal reason.'

/**
 * Works the next rows of an organization's jobs. Returns the job, or undefined when there is nothing to do just
 * now.
 * Rows and their results are stored in one transaction with what they change, so that no row is done
 * twice or lost, however the process ends.
 */
export async function workPortion(
  services: JobServices,
  organizationId: number,
): Promise<jobQueries.StoredJob | undefined> {
  const job = await jobQueries.findNextJob(services.db, organizationId)
  if (!job) return undefined
  const [work, mostAtOnce] =
    job.kind === 'take_over'
      ? await readTakeOver(services, job)
      : ([workers[job.kind], portionSize] as const)
  for (let size = mostAtOnce; ; size = Math.ceil(size / shrink)) {
    try {
      const portion = { job, size, work }
      const isWorked = await transactBatch(services.db, (tx) => workJob(tx, services, portion))
      return isWorked ? job : undefined
    } catch (error) {
      const isBusy = error instanceof HttpError && error.status === 503
      if (error instanceof DatabaseUnavailable || isBusy) throw error
      services.log.error({ err: error, job: job.id, rows: size }, 'a portion of a job failed')
      if (size > 1) continue
      const givenUp = { job, size, work: async () => [failed(rowFailed)] }
      await services.db.transaction((tx) => workJob(tx, services, givenUp))
      return job
    }
  }
}

async function workJob(
  tx: Queryable,
  services: JobServices,
  { job, size, work }: { job: jobQueries.StoredJob; size: number; work: WorkRows },
): Promise<boolean> {
  if (!(await jobQueries.takeJob(tx, job.id))) return false
  const now = services.now()
  const held = await findRights(tx, job)
  const missing = findMissingRight(job.kind, held)
  if (missing) {
    const message = `${job.user_name} has lost the right to it. ${lacksPermission(missing)}`
    await rowQueries.cancelRows(tx, job.id)
    await jobQueries.endJob(tx, job.id, { state: 'cancelled', message, now })
    return true
  }
  const rows = await rowQueries.listWaiting(tx, job.id, size)
  if (rows.length > 0) {
    const sender = {
      organizationId: job.organization_id,
      userId: job.user_id,
      permissions: held,
    }
    const results = await work(tx, services, { job, sender, now }, rows)
    await storeAll(tx, job.id, rows, results, now)
  }
  if (rows.length < size) await jobQueries.endJob(tx, job.id, { state: 'done', now })
  return true
}

/** The rights of now: who gave the job may have lost them since. */
async function findRights(
  tx: Queryable,
  { organization_id: organizationId, user_id: userId }: jobQueries.StoredJob,
): Promise<readonly Permission[]> {
  const member = await findMember(tx, organizationId, userId)
  if (!member) return []
  return member.is_owner ? permissions : member.permissions
}

async function storeAll(
  tx: Queryable,
  jobId: number,
  rows: readonly rowQueries.WaitingRow[],
  results: readonly RowResult[],
  now: Date,
): Promise<void> {
  const worked = rows.map(({ number }, index) => ({
    number,
    ...(results[index] ?? failed(rowFailed)),
  }))
  await rowQueries.storeResults(tx, jobId, worked)
  const doneCount = worked.filter(({ state }) => state === 'done').length
  const counts = { done: doneCount, failed: worked.length - doneCount, now }
  await jobQueries.notePortion(tx, jobId, counts)
}
