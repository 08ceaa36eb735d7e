import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'
import type { UnreadMembers } from '../../../uplinks/receive/sender-queries.ts'
import type { AccountStatus, RegisterMethod } from '../connections/account-queries.ts'

/** What is known of an account at a network, besides what its owner entered. */
export interface AccountState {
  id: number
  network: string
  register_method: RegisterMethod
  /** False for an account of the operator that the organization may use. */
  is_own: boolean
  created_at: Moment
  status: AccountStatus
  status_message: string
  status_since: Moment
  failures: number
  paused_until: Moment | null
  callback_message: string
  callback_heard_at: Moment | null
  callback_checked_at: Moment | null
  /** The account names a broker. */
  has_broker: boolean
  broker_message: string | null
  broker_since: Moment | null
  broker_heard_at: Moment | null
  unread_members: UnreadMembers
}

/** Reads a few rows (`mostAccounts`). */
export function listStates(db: Queryable, organizationId: number): Promise<AccountState[]> {
  return db.query<AccountState>(
    `select id, network, register_method, organization_id = $1 as is_own, created_at, status,
       status_message, status_since, failures, paused_until, callback_message, callback_heard_at,
       callback_checked_at, account_fields ? 'mqtt_url' as has_broker, broker_message, broker_since,
       broker_heard_at,
       unread_members
     from network_accounts
     where organization_id = $1 or register_method = 'vendor'
     order by network, register_method`,
    [organizationId],
  )
}

/** What the organization has at a network by one register method. */
export interface AccountCount {
  network: string
  register_method: RegisterMethod
  devices: number
  register_errors: number
  waiting_calls: number
  waiting_downlinks: number
  quarantined: number
}

/**
 * Cheap with 100,000 devices: they are counted only in the index `devices_account`, calls in
 * `provisioning_lane`, and open downlinks in `downlinks_open`, which holds no others. A quarantine
 * is bounded, and counted in the index that keeps its messages unique.
 */
export function countOfAccounts(
  db: Queryable,
  organizationId: number,
  { networks, methods }: { networks: readonly string[]; methods: readonly RegisterMethod[] },
): Promise<AccountCount[]> {
  return db.query<AccountCount>(
    `with kept as materialized (
       select network_account_id, count(*) from quarantined_messages
       where organization_id = $1
       group by network_account_id
     ), counted as (
       select network, register_method, count(*) as devices,
         count(*) filter (where register_status = 'register_error') as register_errors,
         0::bigint as calls, 0::bigint as downlinks, 0::bigint as quarantined
       from devices
       where organization_id = $1 and deleted_at is null
       group by network, register_method
       union all
       select network, register_method, 0, 0, count(*), 0, 0
       from provisioning
       where organization_id = $1 and network = any($2)
         and register_method = any($3)
       group by network, register_method
       union all
       select devices.network, devices.register_method, 0, 0, 0, count(*), 0
       from downlinks
       join devices on devices.organization_id = $1 and devices.id = downlinks.device_id
       where downlinks.organization_id = $1 and downlinks.state in ('queued', 'handed_over')
       group by devices.network, devices.register_method
       union all
       select accounts.network, accounts.register_method, 0, 0, 0, 0, coalesce(kept.count, 0)
       from network_accounts as accounts
       left join kept on kept.network_account_id = accounts.id
       where accounts.organization_id = $1
     )
     select network, register_method, sum(devices)::bigint as devices,
       sum(register_errors)::bigint as register_errors, sum(calls)::bigint as waiting_calls,
       sum(downlinks)::bigint as waiting_downlinks, sum(quarantined)::bigint as quarantined
     from counted
     group by network, register_method`,
    [organizationId, networks, methods],
  )
}
