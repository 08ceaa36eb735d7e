import { announce } from '../../outgoing/events/announce.ts'
import { listWithWork, type StoredJob } from './job-queries.ts'
import type { JobServices } from './portion.ts'
import { createTenantTurns, type TenantTurns } from './tenant-turns.ts'
import { workPortion } from './work-portion.ts'

export interface JobServicesWithRunner extends JobServices {
  /** Works jobs in the background, a portion at a time. */
  jobRunner: TenantTurns
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
 * Tenants take turns, with one portion of each at a time: the 100,000 rows of one never hold up the ten of
 * another. Within a tenant, its organizations take turns, and within each its jobs.
 */
export function createJobRunner(services: JobServices): TenantTurns {
  const others = createTurns(services, false)
  const takeOvers = createTurns(services, true)
  const both = [others, takeOvers]
  return {
    wake: () => {
      for (const each of both) each.wake()
    },
    idle: async () => {
      for (const each of both) await each.idle()
    },
    close: async () => {
      await Promise.all(both.map((each) => each.close()))
    },
  }
}

/** Take-overs wait for networks, one at a time: they never hold up other jobs. */
function createTurns(services: JobServices, takesOver: boolean): TenantTurns {
  return createTenantTurns({
    list: () => listWithWork(services.db, { takesOver, now: services.now() }),
    keyOf: ({ tenant_id }) => tenant_id,
    parallelism: takesOver ? 1 : parallelism,
    mayBegin: () => true,
    async work({ organization_id: organizationId }, isStopped) {
      const job = await services.tracer.run({ name: 'work job' }, async (span) => {
        const worked = await workPortion(services, organizationId, { takesOver, isStopped })
        const { id, organization_id, kind } = worked ?? {}
        span.set({
          'lora.job.id': id,
          'lora.organization.id': organization_id,
          'lora.job.kind': kind,
        })
        return worked
      })
      if (!job) return false
      announceJob(services, job)
      if (!job.is_dry_run) announce(services, job.organization_id, { kind: 'device' })
      services.provisioner.wake()
      services.downlinkSender.wake()
      return true
    },
    // The rows wait, and the next look tries them again.
    reportFailure: (err) => services.log.warn({ err }, 'a job could not go on'),
  })
}
