import type { CoreServices } from '../../core-services.ts'
import { createTenantTurns, type TenantTurns } from '../../fleet/jobs/tenant-turns.ts'
import type { BrokerPoster } from './broker-poster.ts'
import { listDue } from './claim-queries.ts'
import { type PortionServices, workPortion } from './portion.ts'
import type { Poster } from './post-message.ts'

export interface WebhookServices extends CoreServices {
  /** Sends the events of all webhooks in the background, a portion at a time. */
  webhookSender: TenantTurns
  poster: Poster
  brokerPoster: BrokerPoster
}

/** Portions at once in this process: at most 16 times as many requests. */
const parallelism = 64
/** The same for one tenant, so that the others always have places. */
const mostOfTenant = 8
/** The same for one organization, so that the others of its tenant have places too. */
const mostOfOrganization = 4

/**
 * A webhook has one portion in progress, in one process of all. Tenants take
 * turns: a receiver that is slow to answer holds up nobody but its own webhook.
 */
export function createWebhookSender(services: PortionServices): TenantTurns {
  const turns = createTenantTurns({
    list: () => listDue(services.db, services.now(), services.presence),
    keyOf: ({ organization_id, id }) => `${organization_id} ${id}`,
    parallelism,
    mayBegin: ({ tenant_id, organization_id }, busy) =>
      busy.filter((each) => each.tenant_id === tenant_id).length < mostOfTenant &&
      busy.filter((each) => each.organization_id === organization_id).length < mostOfOrganization,
    async work(due, isClosed) {
      await workPortion(services, due, isClosed)
      return true
    },
    // The claim ends by itself, and the next one sends it again.
    reportFailure: (err) => services.log.warn({ err }, 'a webhook could not go on'),
  })
  return {
    ...turns,
    async close() {
      await turns.close()
      services.brokerPoster.close()
      await services.poster.close()
    },
  }
}
