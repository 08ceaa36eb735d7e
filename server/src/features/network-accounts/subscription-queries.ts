import type { Queryable } from '../../db/connect.ts'
import type { StoredAccount } from './account-queries.ts'

/** An account and the root of its organization's tree. */
export type LeasedAccount = StoredAccount & { root_id: number }

/** Takes or renews the lease of every account that names a broker and that nobody else follows. */
export function leaseSubscriptions(
  db: Queryable,
  lease: { holder: string; now: Date; until: Date },
): Promise<LeasedAccount[]> {
  return db.query<LeasedAccount>(
    `update network_accounts
     set subscriber = $1, subscribed_until = $3
     where account_fields ? 'mqtt_url'
       and (subscriber = $1 or subscribed_until is null or subscribed_until < $2)
     returning id, organization_id, network, register_method, uuid, account_fields,
       sealed_secrets, status, status_message, callback_message, broker_message,
       sealed_callback_secret, updated_at,
       (select root_id from organizations where organizations.id = organization_id) as root_id`,
    [lease.holder, lease.now, lease.until],
  )
}

/** Gives the leases back, so that another process need not wait for their end. */
export async function endLeases(db: Queryable, holder: string): Promise<void> {
  await db.query(
    'update network_accounts set subscriber = null, subscribed_until = null where subscriber = $1',
    [holder],
  )
}
