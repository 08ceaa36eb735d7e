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

const deviceOfPage = `select devices.eui, devices.network, devices.register_method, states.status,
    states.status_times - 'since' as status_times, devices.app_region, devices.frequency_plan,
    devices.network_profile, devices.radio, devices.is_console_only,
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
  where devices.organization_id = $1 and devices.id = $2 and devices.deleted_at is null`

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
      and differences.network_account_id = accounts.id and differences.eui = $4
      and differences.kind = 'device'
    left join reconciliation_ignores as ignores on ignores.organization_id = $1
      and ignores.network_account_id = accounts.id and ignores.eui = $4
      and ignores.kind = 'device'
    where accounts.register_method = $3
  )`

/** The index `provisioning_device` has a row only while a call waits. */
const callOfDevice = `(
    select json_build_object('action', action, 'attempts', attempts,
      'next_attempt_at', ${iso('next_attempt_at')},
      'is_running', coalesce(claimed_until > $6, false), 'last_error', last_error,
      'created_at', ${iso('created_at')})
    from provisioning
    where organization_id = $1 and device_id = $5
    order by id limit 1
  )`

const networkOfPage = `with accounts as materialized (
    select * from network_accounts where organization_id = $1 and network = $2
  )
  select ${accountOfDevice} as account, ${callOfDevice} as call,
    array(select id from accounts) as "accountIds"`

/** The messages are a range of the index that keeps them unique. */
const quarantinedOfDevice = `select count(*), (array_agg(detail order by id desc))[1] as detail,
    ${iso('max(received_at)')} as received_at
  from (
    select id, detail, received_at from quarantined_messages
    where organization_id = $1 and network_account_id = any($2::bigint[]) and device_eui = $3
      and not is_released
    limit ${mostCounted}
  ) as kept`

interface NamedDevice {
  eui: string
  network: string
  register_method: string
}

type OfDevice = Omit<DevicePage, 'account' | 'call' | 'quarantined'> & NamedDevice

type OfNetwork = Pick<DevicePage, 'account' | 'call'> & { accountIds: number[] }

/**
 * Reads one device. Each part is one look-up or a short index range. They are apart because a device
 * and its account may be on different machines (docs/scaling.md).
 */
export async function readDevicePage(
  db: Queryable,
  organizationId: number,
  id: number,
  now: Date,
): Promise<DevicePage | undefined> {
  const [found] = await db.query<OfDevice>(deviceOfPage, [organizationId, id])
  if (!found) return undefined
  const { eui, network, register_method, ...device } = found
  const [ofNetwork] = await db.query<OfNetwork>(networkOfPage, [
    organizationId,
    network,
    register_method,
    eui,
    id,
    now,
  ])
  const { account = null, call = null, accountIds = [] } = ofNetwork ?? {}
  const [kept] = await db.query<QuarantinedOfDevice>(quarantinedOfDevice, [
    organizationId,
    accountIds,
    eui,
  ])
  return { ...device, account, call, quarantined: kept?.count ? kept : null }
}
