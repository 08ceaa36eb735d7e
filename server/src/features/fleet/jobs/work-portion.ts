import type { Queryable } from '../../../db/connect.ts'
import { DatabaseUnavailable } from '../../../db/errors.ts'
import { type Permission, permissions } from '../../../http/endpoint.ts'
import { HttpError, lacksPermission } from '../../../http/errors.ts'
import { isoTime } from '../../../http/timestamps.ts'
import { NetworkError } from '../../../networks/network-error.ts'
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
import { failAll, readTakeOver } from './take-over-rows.ts'

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
/** A move to the operator's account keeps others from it who have such EUIs, until the transaction ends. */
const movesAtOnce = 25
/** When a portion fails for an unknown reason, the row at fault is sought in smaller ones. */
const shrink = 8

/** For reading a network; longer than that takes. When the process dies, another goes on then. */
const claimSeconds = 600
/** Before a network that could not be read is read again, and how long that goes on. */
const pauseSeconds = 15
/** Where others are before it in the turns of the account: nothing was asked. */
const busySeconds = 2
const longestWait = 600

const notRead = 'The network could not be read for an internal reason.'
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
  { takesOver, isStopped }: { takesOver: boolean; isStopped: () => boolean },
): Promise<jobQueries.StoredJob | undefined> {
  const turn = { takesOver, now: services.now() }
  const job = await jobQueries.findNextJob(services.db, organizationId, turn)
  if (!job) return undefined
  if (job.kind === 'take_over') return workTakeOver(services, job, isStopped)
  const most = job.kind === 'change_network' ? movesAtOnce : portionSize
  return workRows(services, job, [workers[job.kind], most])
}

/** Reads the network first. While that fails, the job waits; when it has failed for long, so do its rows. */
async function workTakeOver(
  services: JobServices,
  job: jobQueries.StoredJob,
  isStopped: () => boolean,
): Promise<jobQueries.StoredJob | undefined> {
  const { db, log } = services
  const inSeconds = (seconds: number) => new Date(services.now().getTime() + seconds * 1000)
  const claim = { now: services.now(), until: inSeconds(claimSeconds) }
  if (!(await jobQueries.claimJob(db, job.id, claim))) return undefined
  try {
    return await workRows(services, job, await readTakeOver(services, job, isStopped))
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error
    const isBusy = error instanceof HttpError && error.status === 503
    if (isStopped() || isBusy) {
      await jobQueries.putOff(db, job.id, { until: inSeconds(isBusy ? busySeconds : 0) })
      return undefined
    }
    const isTold = error instanceof NetworkError
    if (!isTold) log.error({ err: error, job: job.id }, 'a network could not be read for a job')
    const message = isTold ? error.message : notRead
    const asked = (isTold && error.retryAfterMs) || 0
    const since = await jobQueries.putOff(db, job.id, {
      until: inSeconds(Math.min(Math.max(pauseSeconds, asked / 1000), longestWait)),
      waits: { message, since: services.now() },
    })
    const isTooLong = since !== undefined && inSeconds(-longestWait) >= new Date(isoTime(since))
    return isTooLong ? workRows(services, job, failAll(message)) : job
  }
}

async function workRows(
  services: JobServices,
  job: jobQueries.StoredJob,
  [work, mostAtOnce]: readonly [WorkRows, number],
): Promise<jobQueries.StoredJob | undefined> {
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
    const isWhole = await storeAll(tx, job.id, rows, results, now)
    if (!isWhole) return true
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

/** Returns whether all rows are worked. */
async function storeAll(
  tx: Queryable,
  jobId: number,
  rows: readonly rowQueries.WaitingRow[],
  results: readonly RowResult[],
  now: Date,
): Promise<boolean> {
  const worked = rows.flatMap(({ number }, index) => {
    const { state, ...result } = results[index] ?? failed(rowFailed)
    return state === 'waiting' ? [] : { number, state, ...result }
  })
  await rowQueries.storeResults(tx, jobId, worked)
  const doneCount = worked.filter(({ state }) => state === 'done').length
  const counts = { done: doneCount, failed: worked.length - doneCount, now }
  await jobQueries.notePortion(tx, jobId, counts)
  return worked.length === rows.length
}
