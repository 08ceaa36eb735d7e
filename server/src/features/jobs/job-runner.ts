import { announce } from '../events/announce.ts'
import { listRootsWithWork, type StoredJob } from './job-queries.ts'
import type { JobServices } from './portion.ts'
import { workPortion } from './work-portion.ts'

/** Works jobs in the background, a portion at a time. */
export interface JobRunner {
  /** Looks for jobs, and works them. */
  wake(): void
  /** Waits until there is no more to do, or the work failed. */
  idle(): Promise<void>
  /** Begins no more portions, and waits until none is in progress. */
  close(): Promise<void>
}

export interface JobServicesWithRunner extends JobServices {
  jobRunner: JobRunner
}

/** Tells the readers of `GET /events` that a job has changed. */
export function announceJob(
  services: Pick<JobServices, 'signals'>,
  { id, organization_id: organizationId }: Pick<StoredJob, 'id' | 'organization_id'>,
): void {
  announce(services, organizationId, { kind: 'job', id })
}

/** Portions at once in this process: they share the database with the requests. */
const parallelism = 3

/**
 * The trees of organizations take turns, with one portion of each at a time: the 100,000 rows of one
 * never hold up the ten of another. Within a tree, its jobs take turns too.
 */
export function createJobRunner(services: JobServices): JobRunner {
  const busy = new Map<number, Promise<void>>()
  /** When each tree last had a turn, by a counter. */
  const turns = new Map<number, number>()
  let turn = 0
  let isClosed = false
  let looking: Promise<void> | undefined
  let isAskedAgain = false

  const reportFailure = (error: unknown) =>
    // The rows wait, and the next look tries them again.
    services.log.warn({ err: error }, 'a job could not go on')

  const work = async (rootId: number) => {
    const job = await workPortion(services, rootId)
    if (!job) return
    announceJob(services, job)
    if (!job.is_dry_run) announce(services, job.organization_id, { kind: 'device' })
    services.provisioner.wake()
    services.downlinkSender.wake()
    wake()
  }
  const begin = (rootId: number) => {
    turn += 1
    turns.set(rootId, turn)
    const working = work(rootId)
      .catch(reportFailure)
      .finally(() => busy.delete(rootId))
    busy.set(rootId, working)
  }
  const lookOnce = async () => {
    const roots = isClosed ? [] : await listRootsWithWork(services.db)
    for (const known of [...turns.keys()]) if (!roots.includes(known)) turns.delete(known)
    roots.sort((one, other) => (turns.get(one) ?? 0) - (turns.get(other) ?? 0))
    for (const rootId of roots) {
      if (!isClosed && busy.size < parallelism && !busy.has(rootId)) begin(rootId)
    }
  }
  const look = async () => {
    try {
      do {
        isAskedAgain = false
        await lookOnce()
      } while (isAskedAgain)
    } catch (error) {
      reportFailure(error)
    } finally {
      // Set at once: a `wake` between the last check and this line would be lost.
      looking = undefined
    }
  }
  const wake = () => {
    isAskedAgain = true
    if (!isClosed) looking ??= look()
  }
  const idle = async () => {
    while (looking || busy.size > 0) await Promise.all([looking, ...busy.values()])
  }
  return {
    wake,
    idle,
    async close() {
      isClosed = true
      await idle()
    },
  }
}
