import type { CoreServices } from '../core-services.ts'
import { announce } from '../events/announce.ts'
import { createTenantTurns, type TenantTurns } from '../jobs/tenant-turns.ts'
import type { AlertMails } from './alert-mails.ts'
import { watchOrganization } from './watch.ts'
import { listDue } from './watch-queries.ts'

export interface AlertServices extends CoreServices {
  /** Looks after the rules of all organizations in the background. */
  alertWatcher: TenantTurns
  alertMails: AlertMails
}

export type WatchServices = Pick<
  CoreServices,
  'db' | 'now' | 'log' | 'presence' | 'signals' | 'publicUrl'
>

/** Organizations at once in this process: they share the database with the requests. */
const parallelism = 3

/**
 * Tenants take turns, with one organization of each at a time: a million uplinks
 * of one never hold up the alerts of another.
 */
export function createAlertWatcher(
  services: WatchServices,
  mails: Pick<AlertMails, 'wake'>,
): TenantTurns {
  return createTenantTurns({
    list: () => listDue(services.db, services.now()),
    keyOf: ({ tenant_id }) => tenant_id,
    parallelism,
    mayBegin: () => true,
    async work({ organization_id: organizationId }) {
      const turn = await watchOrganization(services, organizationId)
      if (turn.changes > 0) announce(services, organizationId, { kind: 'alert' })
      if (turn.mails > 0) mails.wake()
      return true
    },
    // The claim ends by itself, and the next look does it again.
    reportFailure: (err) =>
      services.log.warn({ err }, 'the alerts of an organization could not be looked after'),
  })
}
