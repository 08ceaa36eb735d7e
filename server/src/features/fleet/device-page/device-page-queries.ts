import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'
import type { StatusChange } from '../../../sensors/sensor.ts'
import type { AccountFacts } from '../../accounts/network-accounts/account-verdict.ts'
import type { StoredDifference } from '../../accounts/reconciliation/report-queries.ts'

/** What the page of a device shows beyond the row of the table. */
export interface DevicePage {
  status: StatusChange
  /** When each field of `status` was told. */
  status_times: Partial<Record<keyof StatusChange, string>>
  app_region: string | null
  frequency_plan: string | null
  /** Of the device itself. */
  network_profile: string | null
  /** Null for LoRaWAN 1.0.x and class A with a join. */
  radio: { version: string; activation: string; deviceClass: string; devAddr?: string } | null
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
  message: string
  facts: AccountFacts
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
    select json_build_object('message', accounts.status_message, 'facts', json_build_object(
        'created_at', accounts.created_at::text, 'status', accounts.status,
        'status_message', accounts.status_message, 'callback_message', accounts.callback_message,
        'callback_heard_at', accounts.callback_heard_at::text,
        'callback_checked_at', accounts.callback_checked_at::text,
        'broker_message', accounts.broker_message,
        'status_since', accounts.status_since::text, 'broker_since', accounts.broker_since::text,
        'broker_heard_at', accounts.broker_heard_at::text),
      'compared_at', ${iso('reconciliations.compared_at')},
      'difference', case when differences.eui is not null then json_build_object(
        'kind', 'device', 'eui', differences.eui, 'difference', differences.difference,
        'problem', differences.problem, 'nameHere', differences.name_here,
        'nameThere', differences.name_there, 'isTaken', differences.is_taken,
        'isIgnored', ignores.eui is not null
      ) end)
    from accounts
    left join reconciliations on reconciliations.organization_id = $1
      and reconciliations.network_account_id = accounts.id
    left join reconciliation_differences as differences on differences.organization_id = $1
      and differences.network_account_id = accounts.id and differences.eui = accounts.eui
      and differences.kind = 'device'
    left join reconciliation_ignores as ignores on ignores.organization_id = $1
      and ignores.network_account_id = accounts.id and ignores.eui = accounts.eui
      and ignores.kind = 'device'
    where accounts.is_of_device
  )`

/** The index `provisioning_device` has a row only while a call waits. */
const callOfDevice = `(
    select json_build_object('action', action, 'attempts', attempts,
      'next_attempt_at', ${iso('next_attempt_at')},
      'is_running', coalesce(claimed_until > $3, false), 'last_error', last_error,
      'created_at', ${iso('created_at')})
    from provisioning
    where organization_id = $1 and device_id = $2
    order by id limit 1
  )`

const quarantinedOfDevice = `(
    select case when count(*) > 0 then json_build_object('count', count(*),
      'detail', (array_agg(detail order by id desc))[1],
      'received_at', ${iso('max(received_at)')}) end
    from kept
  )`

/**
 * Each part is one look-up or a short index range; the messages of the quarantine are a range of the
 * index that keeps them unique. The parts are apart because those of the device and its account may
 * be on several machines (docs/scaling.md).
 */
const devicePage = `with device as materialized (
    select devices.eui, devices.network, devices.register_method, states.status,
      states.status_times - 'since' as status_times, devices.app_region, devices.frequency_plan, devices.network_profile, devices.radio,
      devices.is_console_only,
      devices.sealed_key is not null as has_key, devices.commissioned_at, devices.updated_at,
      case when gateways.id is not null then json_build_object('id', gateways.id,
        'name', gateways.name, 'gateway_eui', gateways.eui) end as gateway,
      json_build_object('name', users.first_name || ' ' || users.last_name,
        'email', users.email) as user
    from devices
    join device_states as states on states.organization_id = devices.organization_id
      and states.device_id = devices.id
    join users on users.id = devices.user_id
    left join gateways on gateways.organization_id = devices.organization_id
      and gateways.id = devices.gateway_id and gateways.deleted_at is null
    where devices.organization_id = $1 and devices.id = $2 and devices.deleted_at is null
  ), accounts as materialized (
    select of_network.id, of_network.status, of_network.status_message, of_network.created_at,
      of_network.callback_message, of_network.callback_heard_at, of_network.callback_checked_at,
      of_network.broker_message, of_network.broker_heard_at,
      of_network.status_since, of_network.broker_since, device.eui,
      of_network.register_method = device.register_method as is_of_device
    from device
    join network_accounts as of_network on of_network.organization_id = $1
      and of_network.network = device.network
  ), kept as materialized (
    select messages.id, messages.detail, messages.received_at
    from accounts
    join quarantined_messages as messages on messages.organization_id = $1
      and messages.network_account_id = accounts.id and messages.device_eui = accounts.eui
    where not messages.is_released
    limit ${mostCounted}
  )
  select device.status, device.status_times, device.app_region, device.frequency_plan, device.network_profile,
    device.radio,
    device.is_console_only, device.has_key, device.commissioned_at, device.updated_at,
    device.gateway, device.user, ${accountOfDevice} as account, ${callOfDevice} as call,
    ${quarantinedOfDevice} as quarantined
  from device`

/** Reads one device. */
export async function readDevicePage(
  db: Queryable,
  organizationId: number,
  id: number,
  now: Date,
): Promise<DevicePage | undefined> {
  const rows = await db.query<DevicePage>(devicePage, [organizationId, id, now])
  return rows[0]
}
