import type { Queryable } from '../../db/connect.ts'
import type { Moment } from '../../http/timestamps.ts'
import type { StatusChange } from '../../sensors/sensor.ts'
import type { StoredDifference } from '../reconciliation/report-queries.ts'

/** What the page of a device shows beyond the row of the table. */
export interface DevicePage {
  status: StatusChange
  /** When each field of `status` was told. */
  status_times: Partial<Record<keyof StatusChange, string>>
  app_region: string | null
  frequency_plan: string | null
  is_console_only: boolean
  has_key: boolean
  commissioned_at: Moment
  updated_at: Moment
  gateway: { id: number; name: string; gateway_eui: string } | null
  user: { name: string; email: string }
  account: AccountOfDevice | null
  call: CallOfDevice | null
  quarantined: QuarantinedOfDevice | null
}

/** The organization's own account that the device is registered through. */
interface AccountOfDevice {
  status: 'connected' | 'unreachable' | 'refused'
  message: string
  /** ISO 8601. */
  compared_at: string | null
  difference: StoredDifference | null
}

/** The oldest call about the device that its network has still to receive. Times in ISO 8601. */
interface CallOfDevice {
  action: 'add' | 'rename' | 'remove'
  attempts: number
  next_attempt_at: string
  is_running: boolean
  last_error: string | null
  created_at: string
}

interface QuarantinedOfDevice {
  count: number
  detail: string
  received_at: string
}

/** Further messages are not counted. */
const mostCounted = 1000

/** SQL: a time in JSON, as `isoTime` writes it. */
function iso(column: string): string {
  return `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
}

/** The account's comparison: a look-up by the primary key of its differences. */
const accountOfDevice = `(
    select json_build_object('status', accounts.status, 'message', accounts.status_message,
      'compared_at', ${iso('reconciliations.compared_at')},
      'difference', case when differences.eui is not null then json_build_object(
        'kind', 'device', 'eui', differences.eui, 'difference', differences.difference,
        'problem', differences.problem, 'nameHere', differences.name_here,
        'nameThere', differences.name_there, 'isTaken', differences.is_taken,
        'isIgnored', ignores.eui is not null
      ) end)
    from network_accounts as accounts
    left join reconciliations on reconciliations.network_account_id = accounts.id
    left join reconciliation_differences as differences
      on differences.network_account_id = accounts.id and differences.eui = devices.eui
      and differences.kind = 'device'
    left join reconciliation_ignores as ignores on ignores.network_account_id = accounts.id
      and ignores.eui = devices.eui and ignores.kind = 'device'
    where accounts.organization_id = $1 and accounts.network = devices.network
      and accounts.register_method = devices.register_method
  )`

/** The index `provisioning_device` has a row only while a call waits. */
const callOfDevice = `(
    select json_build_object('action', action, 'attempts', attempts,
      'next_attempt_at', ${iso('next_attempt_at')},
      'is_running', coalesce(claimed_until > $3, false), 'last_error', last_error,
      'created_at', ${iso('created_at')})
    from provisioning
    where organization_id = $1 and device_id = devices.id
    order by id limit 1
  )`

/** An index range of the account and EUI: the index that keeps its messages unique. */
const quarantinedOfDevice = `(
    select case when count(*) > 0 then json_build_object('count', count(*),
      'detail', (array_agg(detail order by id desc))[1],
      'received_at', ${iso('max(received_at)')}) end
    from (
      select messages.id, messages.detail, messages.received_at
      from network_accounts as accounts
      join quarantined_messages as messages on messages.network_account_id = accounts.id
      where accounts.organization_id = $1 and accounts.network = devices.network
        and messages.organization_id = $1 and messages.device_eui = devices.eui
        and not messages.is_released
      limit ${mostCounted}
    ) as kept
  )`

/** Reads one device: each part is one look-up or a short index range. */
export async function readDevicePage(
  db: Queryable,
  organizationId: number,
  id: number,
  now: Date,
): Promise<DevicePage | undefined> {
  const rows = await db.query<DevicePage>(
    `select states.status, states.status_times, devices.app_region, devices.frequency_plan,
       devices.is_console_only, devices.sealed_key is not null as has_key,
       devices.commissioned_at, devices.updated_at,
       case when gateways.id is not null then json_build_object('id', gateways.id,
         'name', gateways.name, 'gateway_eui', gateways.eui) end as gateway,
       json_build_object('name', users.first_name || ' ' || users.last_name,
         'email', users.email) as user,
       ${accountOfDevice} as account, ${callOfDevice} as call,
       ${quarantinedOfDevice} as quarantined
     from devices
     join device_states as states on states.organization_id = devices.organization_id
       and states.device_id = devices.id
     join users on users.id = devices.user_id
     left join gateways on gateways.organization_id = devices.organization_id
       and gateways.id = devices.gateway_id and gateways.deleted_at is null
     where devices.organization_id = $1 and devices.id = $2 and devices.deleted_at is null`,
    [organizationId, id, now],
  )
  return rows[0]
}
