import type { Caller, RecordChange } from '../../http/endpoint.ts'
import type { JobKind } from './job-kinds.ts'
import { insertJob, type StoredJob } from './job-queries.ts'
import { toJobRecord } from './job-record.ts'
import { announceJob, type JobServicesWithRunner } from './job-runner.ts'
import { checkRoom, readJob, takeRows } from './take-rows.ts'

interface SentJob {
  kind: JobKind
  title: string | null
  settings: Record<string, unknown>
  isDryRun: boolean
  rows: readonly unknown[]
  /** Further rows follow in other requests. */
  more: boolean
  record: RecordChange
}

/** Stores a job with its rows, and begins it when all of them are there. */
export async function beginJob(
  services: JobServicesWithRunner,
  { organizationId, userId }: Caller,
  { rows, more, record, ...sent }: SentJob,
): Promise<StoredJob> {
  const job = await services.db.transaction(async (tx) => {
    await checkRoom(tx, organizationId, { jobs: 1, rows: rows.length })
    const id = await insertJob(tx, organizationId, { ...sent, userId, now: services.now() })
    await takeRows(tx, services, organizationId, { id, kind: sent.kind, total: 0 }, { rows, more })
    const begun = await readJob(tx, organizationId, id)
    await record(tx, { data: toJobRecord(begun) })
    return begun
  })
  services.jobRunner.wake()
  announceJob(services, job)
  return job
}
