import type { Database } from '../../server/src/db/connect.ts'
import { coarseStates } from '../../server/src/features/fleet/inventory/coarse-states.ts'
import { voltsIn } from '../../server/test/device-states.ts'
import type { Proof } from '../figures.ts'

/** Sets all counters and states to what the uplinks say, as the batch writer would have left them. */
export async function setCounters(db: Database): Promise<void> {
  await db.query('drop table if exists bench.counted')
  await db.query(
    `create table bench.counted as
     select organization_id, device_id, count(*) as uplinks, min(event_time) as first,
       max(event_time) as last
     from uplinks group by organization_id, device_id`,
  )
  await db.query('analyze bench.counted')
  await db.query(
    `update organization_counters set uplink_count = counted.uplinks
     from (
       select organization_id, sum(uplinks) as uplinks from bench.counted group by organization_id
     ) as counted
     where organization_counters.organization_id = counted.organization_id`,
  )
  await db.query(
    `update device_states
     set uplink_count = counted.uplinks, last_seen = counted.last, status = types.status,
       has_rhythm = true,
       status_times = (
         select coalesce(jsonb_object_agg(
           key, to_char(counted.last at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
         ), '{}') from jsonb_object_keys(types.status) as key
       ), ${coarseStates('counted.last', 'types.status', voltsIn('types.status'))}
     from bench.counted
     join devices on devices.id = counted.device_id
     join bench.types on types.type_id = devices.type_id
     where device_states.device_id = counted.device_id`,
  )
  await setRhythms(db)
  await setGateways(db)
}

/** The uplinks of a device are spread evenly. */
async function setRhythms(db: Database): Promise<void> {
  await db.query('delete from device_rhythms')
  await db.query(
    `insert into device_rhythms (
       organization_id, device_id, interval_seconds, long_seconds, silent_seconds, learnt_at,
       learnt_count, due_at
     )
     select organization_id, device_id, seconds, seconds, greatest(3 * seconds, 3600), now(), uplinks,
       last + make_interval(secs => greatest(3 * seconds, 3600))
     from bench.counted
     cross join lateral (
       select extract(epoch from last - first)::double precision / greatest(uplinks - 1, 1) as seconds
     ) as mean`,
  )
}

/** A device's uplinks were heard by the gateway of its turn and by the next one. */
async function setGateways(db: Database): Promise<void> {
  await db.query(
    `update gateway_states
     set uplink_count = heard.uplinks, first_seen = heard.first, last_seen = heard.last
     from (
       select gateways.id, sum(turn.uplinks) as uplinks, min(turn.first) as first,
         max(turn.last) as last
       from (
         select gateways.organization_id, gateways.place, gateways.count,
           sum(counted.uplinks) as uplinks, min(counted.first) as first, max(counted.last) as last
         from bench.gateways
         join bench.devices on devices.gateway = gateways.slot
         join bench.counted on counted.device_id = devices.id
         group by gateways.organization_id, gateways.place, gateways.count
       ) as turn
       cross join lateral (
         select turn.place union select (turn.place + 1) % turn.count
       ) as hearing (place)
       join bench.gateways on gateways.organization_id = turn.organization_id
         and gateways.place = hearing.place
       group by gateways.id
     ) as heard
     where gateway_states.gateway_id = heard.id`,
  )
}

/** Compares counters and ordinals with the rows themselves. */
export async function checkFilling(db: Database, uplinks: number): Promise<Proof[]> {
  const [row] = await db.query<Record<string, number>>(
    `with organization as (
       select organization_id, count(*) as uplinks, min(ordinal) as first, max(ordinal) as last
       from uplinks group by organization_id
     ), device as (
       select device_id, count(*) as uplinks, min(device_ordinal) as first,
         max(device_ordinal) as last
       from uplinks group by organization_id, device_id
     )
     select (select sum(uplinks) from organization)::bigint as uplinks,
       (select count(*) from organization_counters as counters
        left join organization on organization.organization_id = counters.organization_id
        where counters.uplink_count <> coalesce(organization.uplinks, 0)
          or organization.first <> 1 or organization.last <> organization.uplinks) as counters,
       (select count(*) from device_states as states
        left join device on device.device_id = states.device_id
        where states.uplink_count <> coalesce(device.uplinks, 0)
          or device.first <> 1 or device.last <> device.uplinks) as states,
       (select count(*) from organizations
        where device_count <> (
          select count(*) from devices
          where devices.organization_id = organizations.id and devices.deleted_at is null
        )) as organizations,
       (select count(*) from organization_totals as totals
        where device_count <> (
          select sum(device_count) from organizations where tenant_id = totals.organization_id
        )) as trees`,
  )
  const wrong = (what: string) => Number(row?.[what])
  return [
    {
      claim: 'every uplink of the plan is stored',
      isTrue: Number(row?.uplinks) === uplinks,
      details: `${row?.uplinks} of ${uplinks}`,
    },
    {
      claim: 'the ordinals go from 1 to the counter without a gap, of organizations and of devices',
      isTrue: wrong('counters') === 0 && wrong('states') === 0,
      details: `${row?.counters} organizations and ${row?.states} devices wrong`,
    },
    {
      claim: 'the devices of each organization and of each tenant are counted',
      isTrue: wrong('organizations') === 0 && wrong('trees') === 0,
      details: `${row?.organizations} organizations and ${row?.trees} tenants wrong`,
    },
  ]
}
