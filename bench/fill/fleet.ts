import type { Database, Queryable } from '../../server/src/db/connect.ts'
import { devicesOfLargest, type FillPlan, type Progress } from './plan.ts'
import { typeIds } from './samples.ts'

/** Devices that share a gateway, and devices of a group. */
const devicesPerGateway = 100
const devicesPerGroup = 10

/** Subgroups of a group. */
const branches = 10

/** How many kinds of signal the uplinks of a pair of gateways have. */
export const signals = 10

/**
 * Registers organizations, devices, gateways and groups by SQL, in one transaction. Organization 1
 * must be there, without devices. The devices have no keys and need no provisioning.
 */
export async function registerFleet(
  db: Database,
  plan: FillPlan,
  onProgress: Progress,
): Promise<void> {
  const [found] = await db.query<{ devices: number; organizations: number }>(
    `select (select count(*) from devices) as devices,
       (select count(*) from organizations) as organizations`,
  )
  if (found?.devices !== 0 || found.organizations !== 1) {
    throw new Error('Only a new database is filled: one organization, no devices.')
  }
  await db.transaction(async (tx) => {
    onProgress(`${plan.organizations.toLocaleString('en-US')} organizations`)
    await insertOrganizations(tx, plan)
    onProgress(`${plan.devices.toLocaleString('en-US')} devices`)
    await insertDevices(tx)
    await insertGateways(tx)
    await insertGroups(tx)
    await noteFleet(tx, 'true')
  })
  for (const table of ['organizations', 'devices', 'device_states', 'gateways', 'device_groups']) {
    await db.query(`vacuum (analyze) ${table}`)
  }
  await db.query('vacuum (analyze) grouped_devices')
}

/** `bench.organizations`: one row for each organization, with its places among all devices. */
async function insertOrganizations(tx: Queryable, plan: FillPlan): Promise<void> {
  const largest = devicesOfLargest(plan)
  await tx.query(
    `create table bench.organizations (
       slot bigint primary key, organization_id bigint, devices bigint, first_device bigint
     )`,
  )
  await tx.query(
    `with owner as (
       insert into users (email, normal_email, password_hash, first_name, last_name)
       select 'owner-' || slot || '@example.test', 'owner-' || slot || '@example.test',
         password_hash, 'Owner', slot::text
       from generate_series(1, $1::bigint - 1) as slot
       cross join (select password_hash from users order by id limit 1) as first
       returning id, last_name::bigint as slot
     ), made as (
       insert into organizations (name, owner_user_id, device_limit)
       select 'Bench organization ' || slot, id, 1000000000 from owner order by slot
       returning id, owner_user_id
     ), member as (
       insert into members (organization_id, user_id, is_owner) select id, owner_user_id, true
       from made
     ), counter as (
       insert into organization_counters (organization_id) select id from made
     )
     insert into bench.organizations
     select owner.slot, made.id,
       ($2::bigint - $3) / ($1 - 1) + (owner.slot <= ($2 - $3) % ($1 - 1))::integer
     from made join owner on owner.id = made.owner_user_id
     union all
     select 0, 1, $3`,
    [plan.organizations, plan.devices, largest],
  )
  await tx.query(
    `update bench.organizations set first_device = before.devices
     from (
       select slot, coalesce(sum(devices) over (
         order by slot rows between unbounded preceding and 1 preceding
       ), 0) as devices from bench.organizations
     ) as before
     where organizations.slot = before.slot`,
  )
}

async function insertDevices(tx: Queryable): Promise<void> {
  await tx.query('update organizations set device_limit = 1000000000')
  await tx.query(
    `insert into devices (
       organization_id, device_eui, join_eui, name, type_id, network, register_method,
       is_console_only, register_status, user_id
     )
     select fleet.organization_id,
       case when slot = 0 then '00aa00be' else '00ab' || lpad(to_hex(slot), 4, '0') end
         || lpad(to_hex(number), 8, '0'),
       '0000000000000000', 'Bench device ' || number,
       ($1::integer[])[1 + number % array_length($1::integer[], 1)], 'chirpstack',
       'user_account', true, 'active', (select min(id) from users)
     from bench.organizations as fleet
     cross join generate_series(0, fleet.devices - 1) as number
     order by slot, number`,
    [typeIds],
  )
  await tx.query(
    `insert into device_states (device_id, organization_id)
     select id, organization_id from devices order by id`,
  )
  await tx.query(
    `update organizations set device_count = fleet.devices
     from bench.organizations as fleet where organizations.id = fleet.organization_id`,
  )
}

async function insertGateways(tx: Queryable): Promise<void> {
  await tx.query(
    `insert into gateways (
       organization_id, gateway_eui, name, network, register_method, region, register_status,
       user_id
     )
     select organization_id,
       '00ac' || lpad(to_hex(slot), 4, '0') || lpad(to_hex(number), 8, '0'),
       'Bench gateway ' || number, 'chirpstack', 'user_account', 'EU868', 'active',
       (select min(id) from users)
     from bench.organizations as fleet
     cross join generate_series(0, (fleet.devices - 1) / ${devicesPerGateway}) as number
     order by slot, number`,
  )
  await tx.query(
    `insert into gateway_states (gateway_id, organization_id)
     select id, organization_id from gateways order by id`,
  )
}

async function insertGroups(tx: Queryable): Promise<void> {
  await tx.query(
    `insert into device_groups (organization_id, id, parent_id, name, user_id)
     overriding system value
     select organization_id, number, nullif(number / ${branches}, 0), 'Bench group ' || number,
       (select min(id) from users)
     from bench.organizations as fleet
     cross join generate_series(1, 1 + (fleet.devices - 1) / ${devicesPerGroup}) as number
     order by slot, number`,
  )
  await tx.query(
    `select setval(pg_get_serial_sequence('device_groups', 'id'), (select max(id) from device_groups))`,
  )
  await tx.query(
    `insert into grouped_devices (organization_id, group_id, device_id)
     select devices.organization_id,
       1 + (devices.id - 1) % (1 + (fleet.devices - 1) / ${devicesPerGroup}), devices.id
     from devices
     join bench.organizations as fleet on fleet.organization_id = devices.organization_id`,
  )
}

/**
 * Makes `bench.devices`, `bench.gateways` and `bench.receptions` of the devices that send uplinks.
 * Each device is heard by two gateways: that of its turn and the next, if there is one.
 */
export async function noteFleet(tx: Queryable, isSender: string): Promise<void> {
  await tx.query(
    `create table bench.gateways as
     select row_number() over (order by organization_id, id) as slot, organization_id, id,
       gateway_eui, (row_number() over ofOne) - 1 as place, count(*) over ofAll as count
     from gateways where organization_id in (select organization_id from bench.organizations)
     window ofOne as (partition by organization_id order by id),
       ofAll as (partition by organization_id)`,
  )
  await tx.query(
    `create table bench.devices as
     select fleet.first_device + row_number() over (partition by fleet.slot order by devices.id) - 1
         as slot,
       devices.id, devices.type_id, coalesce(gateways.slot, 0) as gateway
     from devices
     join bench.organizations as fleet on fleet.organization_id = devices.organization_id
     left join (
       select organization_id, max(count) as count from bench.gateways group by organization_id
     ) as sizes on sizes.organization_id = devices.organization_id
     left join bench.gateways on gateways.organization_id = devices.organization_id
       and gateways.place = devices.id % sizes.count
     where ${isSender}`,
  )
  await tx.query('alter table bench.devices add primary key (slot)')
  await tx.query(
    `create table bench.receptions as
     select first.slot as gateway, signal, -36 - 4 * signal as rssi, 10.5 - signal as snr,
       jsonb_build_array(
         jsonb_build_array(first.gateway_eui, -36 - 4 * signal, 10.5 - signal),
         jsonb_build_array(coalesce(next.gateway_eui, '00ac00000000ffff'), -80, 2)
       ) as receptions
     from (
       select slot, organization_id, place, count, gateway_eui from bench.gateways
       union all
       select 0, 0, 0, 1, '00ac00000000fffe'
     ) as first
     cross join generate_series(0, ${signals} - 1) as signal
     left join bench.gateways as next on next.organization_id = first.organization_id
       and first.count > 1 and next.place = (first.place + 1) % first.count`,
  )
  await tx.query('alter table bench.receptions add primary key (gateway, signal)')
  for (const table of ['organizations', 'gateways', 'devices', 'receptions']) {
    await tx.query(`analyze bench.${table}`)
  }
}
