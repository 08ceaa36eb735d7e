import type { Queryable } from '../../db/connect.ts'
import type { StoredAccount } from '../connections/account-queries.ts'

/** Takes the account on these networks that has been due for longest, and sets its next time. */
export async function claimDue(
  db: Queryable,
  claim: { networks: readonly string[]; now: Date; next: Date },
): Promise<(StoredAccount & { root_id: number }) | undefined> {
  const accounts = await db.query<StoredAccount & { root_id: number }>(
    `with due as materialized (
       select id from network_accounts
       where next_comparison_at <= $1 and network = any($3)
       order by next_comparison_at
       limit 1
       for update skip locked
     )
     update network_accounts as accounts set next_comparison_at = $2
     from due, organizations
     where accounts.id = due.id and organizations.id = accounts.organization_id
     returning accounts.id, accounts.organization_id, accounts.network, accounts.register_method,
       accounts.uuid, accounts.account_fields, accounts.sealed_secrets, accounts.status,
       accounts.status_message, accounts.callback_message, accounts.broker_message,
       accounts.broker_session, accounts.subscriber, accounts.sealed_callback_secret, accounts.updated_at, organizations.root_id`,
    [claim.now, claim.next, claim.networks],
  )
  return accounts[0]
}

export async function setNextComparison(
  db: Queryable,
  accountId: number,
  next: Date,
): Promise<void> {
  await db.query('update network_accounts set next_comparison_at = $2 where id = $1', [
    accountId,
    next,
  ])
}
