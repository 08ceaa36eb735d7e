import type { Queryable } from '../../../db/connect.ts'
import { isOfSameAccount } from '../connections/account-name.ts'
import { isPartlyRefused } from '../connections/pause-queries.ts'

/** An account whose callback is due for a check. */
export interface CareRow {
  id: number
  /** Milliseconds since 1970; at least those of the last day. */
  repairs: number[]
  isLeft: boolean
  message: string
  /** When the last uplinks came by callback and by broker, in milliseconds since 1970. */
  callbackHeardAt: number | null
  brokerHeardAt: number | null
  /** When it was last checked, in milliseconds since 1970. */
  checkedAt: number | null
}

/** After so long without an uplink a callback is checked once. */
const quiet = "interval '1 hour'"
/** A broker ahead of the callback by more than this makes the check hourly. */
const ahead = "interval '10 minutes'"

/** SQL: since the last check, uplinks have stopped, or have come only by the broker. */
const isSilent = `(
  accounts.callback_heard_at < $1::timestamptz - ${quiet}
  and coalesce(accounts.callback_checked_at < accounts.callback_heard_at + ${quiet}, true)
  or accounts.broker_heard_at > coalesce(accounts.callback_heard_at, '-infinity') + ${ahead}
  and coalesce(accounts.callback_checked_at < $1::timestamptz - ${quiet}, true)
)`

/** Without an uplink for so long, a callback that its network may have paused is looked at. */
const lull = "interval '15 seconds'"

/** SQL: uplinks stopped to come to a callback of `$5`, and it was not looked at since. */
const isQuiet = `(
  accounts.network = any($5) and accounts.callback_heard_at < $1::timestamptz - ${lull}
  and coalesce(accounts.callback_checked_at < accounts.callback_heard_at + ${lull}, true)
)`

/**
 * SQL: an account that is away is asked again where the callback may be paused, whatever its own pause:
 * nothing else may be waiting to be sent.
 */
const mayBeAsked = `(
  (accounts.status = 'connected' or ${isPartlyRefused('accounts')})
  and coalesce(accounts.paused_until <= $1, true)
  or accounts.status = 'unreachable' and accounts.network = any($5)
)`

const careColumns = `accounts.id, accounts.callback_repairs as repairs,
  accounts.is_callback_left as "isLeft", accounts.callback_message as message,
  (extract(epoch from accounts.callback_heard_at) * 1000)::bigint as "callbackHeardAt",
  (extract(epoch from accounts.broker_heard_at) * 1000)::bigint as "brokerHeardAt",
  (extract(epoch from chosen.callback_checked_at) * 1000)::bigint as "checkedAt"`

/**
 * Claims the account that has been due longest of each of some tenants, and moves its next
 * time on, so that no other process claims it.
 */
export function claimDue(
  db: Queryable,
  claim: {
    networks: readonly string[]
    /** Those of them that pause callbacks. */
    pausing: readonly string[]
    now: Date
    next: Date
    most: number
  },
): Promise<CareRow[]> {
  return db.query<CareRow>(
    `with first as materialized (
       select distinct on (organizations.tenant_id) accounts.id, accounts.next_callback_check_at,
         accounts.callback_checked_at
       from network_accounts as accounts
       join organizations on organizations.id = accounts.organization_id
         and organizations.deletion_id is null
       where accounts.network = any($3) and ${mayBeAsked}
         and (accounts.next_callback_check_at <= $1 or ${isSilent} or ${isQuiet})
       order by organizations.tenant_id, accounts.next_callback_check_at
     ), chosen as materialized (
       select id, callback_checked_at from first order by next_callback_check_at limit $4
     )
     update network_accounts as accounts
     set next_callback_check_at = $2, callback_checked_at = $1
     from chosen
     where accounts.id = chosen.id
       and (accounts.next_callback_check_at <= $1 or ${isSilent} or ${isQuiet})
     returning ${careColumns}`,
    [claim.now, claim.next, claim.networks, claim.most, claim.pausing],
  )
}

export interface CareNote {
  message: string
  repairs: readonly number[]
  isLeft: boolean
  next: Date
}

/** Records the result of a check, unless the account was changed meanwhile. */
export async function note(
  db: Queryable,
  { id, version }: { id: number; version: string },
  { message, repairs, isLeft, next }: CareNote,
): Promise<void> {
  await db.query(
    `update network_accounts
     set callback_message = $3, callback_repairs = $4, is_callback_left = $5,
       next_callback_check_at = $6
     where id = $1 and updated_at = $2`,
    [id, version, message, JSON.stringify(repairs), isLeft, next],
  )
}

/** Claims one account, whenever it is due; undefined where it is away, or has no callback to check. */
export async function claimNow(
  db: Queryable,
  claim: { id: number; now: Date; next: Date },
): Promise<CareRow | undefined> {
  const rows = await db.query<CareRow>(
    `update network_accounts as accounts
     set next_callback_check_at = $3, callback_checked_at = $2
     from (select id, callback_checked_at from network_accounts where id = $1) as chosen
     where accounts.id = chosen.id and accounts.next_callback_check_at is not null
       and (accounts.status = 'connected' or ${isPartlyRefused('accounts')})
     returning ${careColumns}`,
    [claim.id, claim.now, claim.next],
  )
  return rows[0]
}

/** Marks the callback as possibly present at the network. */
export async function markEntered(db: Queryable, id: number): Promise<void> {
  await db.query('update network_accounts set is_callback_entered = true where id = $1', [id])
}

export async function isEntered(db: Queryable, id: number): Promise<boolean> {
  const [row] = await db.query<{ isEntered: boolean }>(
    'select is_callback_entered as "isEntered" from network_accounts where id = $1',
    [id],
  )
  return row?.isEntered ?? false
}

/** A request that changes the account enters its callback itself; the background waits so long. */
const soon = "interval '1 minute'"

/** Marks an account that moved: its callback is not entered yet, and due soon. */
export async function forget(tx: Queryable, id: number, now: Date): Promise<void> {
  await tx.query(
    `update network_accounts
     set is_callback_entered = false, callback_repairs = '[]', is_callback_left = false,
       callback_message = '', next_callback_check_at = $2::timestamptz + ${soon}
     where id = $1`,
    [id, now],
  )
}

export async function checkSoon(db: Queryable, id: number, now: Date): Promise<void> {
  await db.query(
    `update network_accounts set next_callback_check_at = $2::timestamptz + ${soon}
     where id = $1 and next_callback_check_at > $2::timestamptz + ${soon}`,
    [id, now],
  )
}

/** Makes every account due within `minutes`, at spread times, unless it was checked that recently. */
export async function checkAllSoon(
  db: Queryable,
  { now, minutes, pausing }: { now: Date; minutes: number; pausing: readonly string[] },
): Promise<void> {
  // A callback that was paused loses messages until it is freed.
  await db.query(
    'update network_accounts set next_callback_check_at = $1 where network = any($2) and next_callback_check_at > $1',
    [now, pausing],
  )
  await db.query(
    `update network_accounts
     set next_callback_check_at =
       $1::timestamptz + make_interval(secs => 60 * $2::integer * random())
     where next_callback_check_at > $1::timestamptz + make_interval(mins => $2)
       and coalesce(callback_checked_at < $1::timestamptz - make_interval(mins => $2), true)`,
    [now, minutes],
  )
}

interface LatestDevice {
  devEui: string
  /** In milliseconds since 1970; the time of registration when never heard. */
  heardAt: number
  isHeard: boolean
}

/** Finds the account's device that was heard last, or else the one registered first. */
export async function findLatestDevice(
  db: Queryable,
  accountId: number,
): Promise<LatestDevice | undefined> {
  const [device] = await db.query<LatestDevice>(
    // The account apart, since devices may be on other machines (docs/scaling.md).
    `with account as materialized (
       select network, register_method, organization_id from network_accounts where id = $1
     )
     select devices.eui as "devEui", device_states.last_seen is not null as "isHeard",
       (extract(epoch from coalesce(device_states.last_seen, devices.created_at)) * 1000)::bigint
         as "heardAt"
     from account
     join devices on ${isOfSameAccount('devices', 'account')}
     left join device_states on device_states.organization_id = devices.organization_id
       and device_states.device_id = devices.id
     where devices.deleted_at is null and devices.register_status = 'active'
     order by device_states.last_seen desc nulls last, devices.created_at, devices.id
     limit 1`,
    [accountId],
  )
  return device
}
