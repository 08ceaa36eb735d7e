import type { Queryable } from '../../../db/connect.ts'

export interface Withdrawal {
  id: number
  account_id: number
  network: string
  sealed_callback: Buffer
}

const columns = `withdrawals.id, withdrawals.account_id, withdrawals.network,
  withdrawals.sealed_callback`

/** Former callbacks of a tenant; the oldest are dropped. */
const mostOfTenant = 50

/** Inserts a former callback, which is sealed afterwards under its id. */
export async function insert(
  tx: Queryable,
  withdrawal: {
    organizationId: number
    accountId: number
    network: string
    place: string
    now: Date
  },
): Promise<number> {
  const { organizationId, accountId, network, place, now } = withdrawal
  const [row] = await tx.query<{ id: number }>(
    `insert into callback_withdrawals (
       organization_id, account_id, network, place, sealed_callback, created_at, next_try_at
     )
     values ($1, $2, $3, $4, '', $5, $5)
     returning id`,
    [organizationId, accountId, network, place, now],
  )
  await tx.query(
    `delete from callback_withdrawals
     where id in (
       select withdrawals.id from callback_withdrawals as withdrawals
       join organizations on organizations.id = withdrawals.organization_id
       where organizations.tenant_id = (select tenant_id from organizations where id = $1)
       order by withdrawals.id desc
       offset $2
     )`,
    [organizationId, mostOfTenant],
  )
  return row?.id ?? 0
}

export async function seal(tx: Queryable, id: number, sealed: Buffer): Promise<void> {
  await tx.query('update callback_withdrawals set sealed_callback = $2 where id = $1', [id, sealed])
}

/** Drops a former callback: the account is at this place again. */
export async function cancel(tx: Queryable, accountId: number, place: string): Promise<void> {
  await tx.query('delete from callback_withdrawals where account_id = $1 and place = $2', [
    accountId,
    place,
  ])
}

/** Claims the oldest due one of each of some tenants, and moves its next try on. */
export function claimDue(
  db: Queryable,
  { now, most }: { now: Date; most: number },
): Promise<Withdrawal[]> {
  return db.query<Withdrawal>(
    `with first as materialized (
       select distinct on (organizations.tenant_id) withdrawals.id, withdrawals.next_try_at
       from callback_withdrawals as withdrawals
       join organizations on organizations.id = withdrawals.organization_id
       where withdrawals.next_try_at <= $1
       order by organizations.tenant_id, withdrawals.next_try_at
     ), chosen as materialized (
       select id from first order by next_try_at limit $2
     )
     update callback_withdrawals as withdrawals
     set next_try_at = ${nextTry}, tries = withdrawals.tries + 1
     from chosen
     where withdrawals.id = chosen.id and withdrawals.next_try_at <= $1
     returning ${columns}`,
    [now, most],
  )
}

/** Claims all of one account. */
export function claimOfAccount(db: Queryable, accountId: number, now: Date): Promise<Withdrawal[]> {
  return db.query<Withdrawal>(
    `update callback_withdrawals as withdrawals
     set next_try_at = ${nextTry}, tries = withdrawals.tries + 1
     where account_id = $2 and next_try_at <= $1
     returning ${columns}`,
    [now, accountId],
  )
}

/** A pause of one minute that doubles up to six hours, slightly spread. */
const nextTry = `$1::timestamptz
  + make_interval(mins => least(360, power(2, least(withdrawals.tries, 20)))::integer) * (1 + 0.25 * random())`

export async function remove(db: Queryable, id: number): Promise<void> {
  await db.query('delete from callback_withdrawals where id = $1', [id])
}

/** Drops older ones and returns their networks. */
export function removeOld(db: Queryable, before: Date): Promise<{ network: string }[]> {
  return db.query('delete from callback_withdrawals where created_at < $1 returning network', [
    before,
  ])
}

/** Gives up what could not be taken away for a year. */
export async function removeOldWithdrawals(db: Queryable, now: Date): Promise<void> {
  await db.query(
    `delete from callback_withdrawals where created_at < $1::timestamptz - interval '366 days'`,
    [now],
  )
}
