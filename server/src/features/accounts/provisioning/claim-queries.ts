import type { Queryable } from '../../../db/connect.ts'
import { formFor } from '../../../db/distribution/form-for.ts'
import { saidPlace } from '../../fleet/inventory/places.ts'
import { isOfSameAccount } from '../connections/account-name.ts'
import {
  accountAndRoom,
  type Claiming,
  type Lane,
  laneIsOpen,
  placesFor,
} from '../connections/lane-queries.ts'
import type { DeviceTask, GatewayTask, ProvisioningTask } from './outbox-queries.ts'

/** A claimed call, without the values of its device or gateway. */
export type ClaimedCall = Omit<DeviceTask, 'kind' | 'target_id' | keyof DeviceValues> & {
  device_id: number | null
  gateway_id: number | null
  /** Of the move of which the call is a step. */
  place: Pick<DeviceTask, 'app_region' | 'frequency_plan' | 'network_profile'> | null
}

type DeviceValues = Pick<
  DeviceTask,
  | 'name'
  | 'position'
  | 'join_eui'
  | 'app_region'
  | 'frequency_plan'
  | 'sealed_key'
  | 'type_id'
  | 'type_origin'
  | 'network_profile'
  | 'radio'
  | 'sealed_network_key'
>
type GatewayValues = Pick<GatewayTask, 'name' | 'position' | 'region' | 'description' | 'settings'>

/**
 * Adds the values of the devices and gateways, where these are on another machine than the outbox
 * (docs/scaling.md). All calls are of one organization.
 */
export async function describeTasks(
  db: Queryable,
  calls: readonly ClaimedCall[],
): Promise<ProvisioningTask[]> {
  const organizationId = calls[0]?.organization_id ?? 0
  const read = async <Values>(text: string, ids: (number | null)[]) => {
    const given = ids.filter((id) => id !== null)
    if (given.length === 0) return new Map<number, Values>()
    const rows = await db.query<Values & { id: number }>(text, [organizationId, given])
    return new Map(rows.map(({ id, ...values }) => [id, values as Values]))
  }
  const [devices, gateways] = await Promise.all([
    read<DeviceValues>(
      devicesOfTasks,
      calls.map((call) => call.device_id),
    ),
    read<GatewayValues>(
      gatewaysOfTasks,
      calls.map((call) => call.gateway_id),
    ),
  ])
  return calls.flatMap(({ device_id, gateway_id, place, ...call }): ProvisioningTask[] => {
    const device = device_id === null ? undefined : devices.get(device_id)
    if (device_id !== null && device) {
      return [{ ...call, ...device, ...place, kind: 'device', target_id: device_id }]
    }
    const gateway = gateway_id === null ? undefined : gateways.get(gateway_id)
    if (gateway_id === null || !gateway) return []
    return [{ ...call, ...gateway, kind: 'gateway', target_id: gateway_id }]
  })
}

const devicesOfTasks = `select devices.id, name, ${saidPlace('devices')} as position, join_eui, app_region,
    frequency_plan, sealed_key, type_id, device_types.catalogue as type_origin, network_profile, radio,
    sealed_network_key
  from devices
  left join device_types on device_types.organization_id = $1 and device_types.id = devices.type_id
  where devices.organization_id = $1 and devices.id = any($2::bigint[])`

const gatewaysOfTasks = `select id, name, ${saidPlace('gateways')} as position, region, description, settings
  from gateways where organization_id = $1 and id = any($2::bigint[])`

/** A device or gateway whose call at the network a request waits for. */
export type Awaited = { deviceId: number } | { gatewayId: number }

/**
 * Claims the next due calls of a lane: as many as its account may take now, but at most `most`.
 * Claims none while the account is paused.
 */
export function claimOfLane(
  db: Queryable,
  { network, register_method, organization_id }: Lane,
  { now, claimedUntil, claimedBy }: Claiming,
  most: number,
): Promise<ProvisioningTask[]> {
  const values = [now, claimedUntil, claimedBy, network, register_method, organization_id, most]
  return claim(db, laneClaims, values)
}

/** Claims the next call for a device or gateway, even if it is not due. */
export async function claimAwaited(
  db: Queryable,
  target: Awaited,
  { now, claimedUntil, claimedBy }: Claiming,
): Promise<ProvisioningTask | undefined> {
  const [claims, id] =
    'deviceId' in target ? [deviceClaims, target.deviceId] : [gatewayClaims, target.gatewayId]
  const tasks = await claim(db, claims, [now, claimedUntil, claimedBy, id])
  return tasks[0]
}

async function claim(
  db: Queryable,
  { whole, spread }: Claims,
  values: readonly unknown[],
): Promise<ProvisioningTask[]> {
  const run = await formFor(db, {
    whole: () => db.query<ProvisioningTask>(whole, values),
    spread: async () => describeTasks(db, await db.query<ClaimedCall>(spread, values)),
  })
  return run()
}

/** The claimed call becomes the removal of its device or gateway, at its place before later calls. */
export async function turnIntoRemoval(
  tx: Queryable,
  { id, organization_id }: ProvisioningTask,
  now: Date,
): Promise<void> {
  await tx.query(
    `update provisioning
     set action = 'remove', attempts = 0, claimed_until = null, next_attempt_at = $3
     where organization_id = $1 and id = $2`,
    [organization_id, id, now],
  )
}

/**
 * Returns the organization of the waiting calls for a device or gateway, and whether a process is
 * making one now. Undefined when no call waits.
 */
export async function findAwaited(
  db: Queryable,
  target: Awaited,
  now: Date,
): Promise<{ organizationId: number; isUnderWay: boolean } | undefined> {
  const [deviceId, gatewayId] = 'deviceId' in target ? [target.deviceId] : [null, target.gatewayId]
  const calls = await db.query<{ organizationId: number; isUnderWay: boolean }>(
    `select organization_id as "organizationId",
       coalesce(bool_or(claimed_until >= $3), false) as "isUnderWay"
     from provisioning
     where device_id = $1 or gateway_id = $2
     group by organization_id`,
    [deviceId, gatewayId, now],
  )
  return calls[0]
}

const taskColumns = `claimed.id, claimed.organization_id, claimed.network, claimed.register_method,
  account.id as account_id, account.version as account_version, account.is_well as is_account_well,
  claimed.eui, claimed.action, claimed.attempts, claimed.move_id, claimed.replaces_key`

/** SQL: how a device speaks, its profile, and the account's profiles by device type. A move has no own one. */
const profileColumns = `devices.type_id, device_types.catalogue as type_origin, devices.radio, devices.sealed_network_key, account.device_profiles,
  case when moves.id is null then devices.network_profile end as network_profile`

const laneClaims = claimTexts(
  'select $4::text as network, $5::text as register_method, $6::bigint as organization_id',
  `head.network = $4 and head.register_method = $5 and head.organization_id = $6
   and head.next_attempt_at <= $1 and ${laneIsOpen}`,
  placesFor('$7'),
)
const deviceClaims = claimTexts(...awaited('device_id'), '1', true)
const gatewayClaims = claimTexts(...awaited('gateway_id'), '1', true)

/**
 * A device that moves may have calls at two accounts: the older one comes first. `offset`
 * and `is not distinct` keep the planner from an index other than that of the device or gateway.
 */
function awaited(column: 'device_id' | 'gateway_id'): [lane: string, condition: string] {
  const lane = `select network, register_method, organization_id from (
      select * from provisioning where ${column} = $4 offset 0
    ) as calls order by id limit 1`
  const condition = `head.${column} = $4 and exists (
      select from lane where lane.network is not distinct from head.network
        and lane.register_method is not distinct from head.register_method
    )`
  return [lane, condition]
}

/** SQL: a value with which a device is added to a network; a move has its own. */
function ofMoveOrDevice(column: string): string {
  return `case when moves.id is null then devices.${column} else moves.${column} end as ${column}`
}

interface Claims {
  whole: string
  /** Without the devices and gateways, which are on other machines. */
  spread: string
}

/**
 * Returns the statements that claim calls. Each call is the oldest for its EUI through that account,
 * and has no current claim. `$1` is the present, `$2` the end of the claim, and `$3` the process
 * that claims.
 */
function claimTexts(lane: string, condition: string, limit: string, isAwaited = false): Claims {
  // A CTE is executed once. A subquery could be executed for each joined row, and claim more.
  const claimed = `with lane as materialized (${lane}),
    ${accountAndRoom('provisioning')}, due as materialized (
      select head.organization_id, head.id
      from provisioning as head
      where ${condition}
        and exists (select from account)
        and (head.claimed_until is null or head.claimed_until < $1)
        and (head.gateway_id is null
          or head.organization_id = (select organization_id from account))
        and not exists (
          select from provisioning as earlier
          where ${isOfSameAccount('earlier', 'head')}
            and earlier.eui = head.eui and earlier.id < head.id
            and (earlier.gateway_id is null) = (head.gateway_id is null)
        )
      order by head.next_attempt_at, head.id
      limit ${limit}
      for update of head skip locked
    ), claimed as (
      update provisioning
      set claimed_until = $2, claimed_by = $3, attempts = provisioning.attempts + 1
      from due
      where provisioning.organization_id = due.organization_id and provisioning.id = due.id
      returning provisioning.*
    )`
  const whole = `${claimed}
    select 'device' as kind, ${taskColumns}, ${isAwaited} as is_awaited,
      claimed.device_id as target_id, devices.name, ${saidPlace('devices')} as position, devices.join_eui,
      ${ofMoveOrDevice('app_region')}, ${ofMoveOrDevice('frequency_plan')}, devices.sealed_key,
      moves.sealed_key as moving_key, ${profileColumns}, null as region, null as description,
      null::jsonb as settings
    from claimed
    cross join account
    join devices on devices.organization_id = claimed.organization_id
      and devices.id = claimed.device_id
    left join device_types on device_types.organization_id = claimed.organization_id
      and device_types.id = devices.type_id
    left join device_moves as moves on moves.organization_id = claimed.organization_id
      and moves.id = claimed.move_id
    union all
    select 'gateway', ${taskColumns}, ${isAwaited}, claimed.gateway_id, gateways.name, ${saidPlace('gateways')} as position, null, null,
      null, null, null, null, null, null, null, null, null, gateways.region, gateways.description, gateways.settings
    from claimed
    cross join account
    join gateways on gateways.organization_id = claimed.organization_id
      and gateways.id = claimed.gateway_id`
  const spread = `${claimed}
    select ${taskColumns}, ${isAwaited} as is_awaited, claimed.device_id, claimed.gateway_id,
      moves.sealed_key as moving_key, account.device_profiles, case when moves.id is not null then jsonb_build_object(
        'app_region', moves.app_region, 'frequency_plan', moves.frequency_plan,
          'network_profile', null
      ) end as place
    from claimed
    cross join account
    left join device_moves as moves on moves.organization_id = claimed.organization_id
      and moves.id = claimed.move_id`
  return { whole, spread }
}
