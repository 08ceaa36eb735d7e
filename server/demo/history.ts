import { connect, type Queryable } from '../src/db/connect.ts'
import { periodOf } from '../src/features/fleet/inventory/coarse-states.ts'
import { rebuildRollups } from '../src/uplinks/rollups/rebuild.ts'
import { makeDashboards } from './dashboards.ts'
import type { Call, DemoNetwork } from './fleet.ts'
import { addFloorPlan } from './floor-plan.ts'

interface Furniture {
  /** Calls the API as the demo's owner. */
  call: Call
  databaseUrl: string
  networks: readonly DemoNetwork[]
}

/** Uplinks of each device in the week before the demo; those of all devices are bounded. */
const framesPerDevice = 160
const mostFrames = 6000

/**
 * Devices that stand out, by their place among the devices, and the frames that they send in turn
 * (sensors/frames, sensors/types): temperatures of 20 °C and a low battery of 2.5 V; an opened case;
 * and a room of 31 °C.
 */
const standingOut: readonly [number, readonly string[]][] = [
  [2, ['1001020125000000000003', '1009001494']],
  [4, ['100200', '1001180031000000000003']],
  [9, ['1009001f9f', '1009001e9e']],
]

/** What the owner wants to be told. */
const rules = [
  {
    ...{ name: 'Room too warm', kind: 'threshold' },
    settings: { key: 'temperature', above: 27, margin: 1 },
  },
  { name: 'Battery low', kind: 'low_battery' },
  { name: 'Sensor opened', kind: 'tamper' },
] as const

/** How the devices send from now on. */
export interface Behaviour {
  /** EUIs of devices that send nothing more. */
  silent: ReadonlySet<string>
  /** What these send instead of the frames of their simulator, in turn. */
  frames: ReadonlyMap<string, readonly string[]>
}

interface ListedDevice {
  id: number
  device_id: string
}

/**
 * Gives the fleet what it would have after a week: groups, the gateways that heard it, uplinks with
 * times of a week, a silent device, rules that tell of those that stand out, and dashboards.
 * @returns how it goes on, and the address of the dashboard for the wall.
 */
export async function furnishDemo(
  furniture: Furniture,
): Promise<{ behaviour: Behaviour; wall: string }> {
  const { call } = furniture
  const { data } = (await call('GET', '/devices?itemsPerPage=1000')) as { data: ListedDevice[] }
  const euis = data.map(({ device_id }) => device_id)
  // A fleet of a few devices is one that somebody wants to see sending.
  const silent = new Set(euis.length > 6 ? euis.slice(-1) : [])
  await registerGateways(furniture)
  await sendHistory(furniture, silent)
  await dateBack(furniture.databaseUrl, silent)
  const groups = await makeGroups(call, data)
  await placeDevices(call, euis)
  const wall = await makeDashboards(call, groups)
  for (const rule of rules) await call('POST', '/alert-rules', { recipients: [], ...rule })
  const chosen = silent.size > 0 ? standingOut : []
  const frames = chosen.flatMap(([place, sent]): [string, readonly string[]][] => {
    const eui = euis[place]
    return eui === undefined || silent.has(eui) ? [] : [[eui, sent]]
  })
  return { wall, behaviour: { silent, frames: new Map(frames) } }
}

async function sendHistory({ networks }: Furniture, silent: ReadonlySet<string>): Promise<void> {
  const devices = networks.flatMap(({ simulator }) =>
    simulator.deviceEuis().map((eui) => ({ eui, simulator })),
  )
  const rounds = Math.min(framesPerDevice, Math.floor(mostFrames / Math.max(1, devices.length)))
  for (let round = 0; round < rounds; round += 1) {
    const sending = devices.filter(
      ({ eui }) => !silent.has(eui.toUpperCase()) || round < rounds * 0.6,
    )
    await Promise.all(sending.map(({ eui, simulator }) => simulator.sendUplink(eui)))
  }
}

/**
 * Spreads the stored uplinks over the last week, in their order, more of them by day than by night.
 * The service itself takes no times of the past for the arrival of an uplink, so the demo changes
 * its own database.
 */
async function dateBack(databaseUrl: string, silent: ReadonlySet<string>): Promise<void> {
  const db = connect(databaseUrl, { max: 1 })
  try {
    await db.query(
      `with spread as (
         select organization_id, ordinal,
           ordinal::float8 / (max(ordinal) over (partition by organization_id) + 1) as part,
           -- The most uplinks come at 13:00 UTC.
           2 * pi() * (extract(epoch from now())::float8 / 86400 - 13 / 24.0) + pi() as noon
         from uplinks
       ), placed as (
         select organization_id, ordinal,
           now() - interval '7 days' * (1 - part - 0.6 * (sin(14 * pi() * part + noon) - sin(noon))
             / (14 * pi())) as moment
         from spread
       )
       update uplinks set event_time = placed.moment, received_at = placed.moment
       from placed
       where (placed.organization_id, placed.ordinal) = (uplinks.organization_id, uplinks.ordinal)`,
    )
    await db.query(
      `update device_states
       set last_seen = newest.moment, seen_period = ${periodOf('newest.moment')}
       from (select device_id, max(event_time) as moment from uplinks group by device_id) as newest
       where newest.device_id = device_states.device_id`,
    )
    await db.query(`update devices set created_at = now() - interval '8 days',
      commissioned_at = now() - interval '8 days'`)
    await dateGateways(db)
    // They were summed up as of today, and learnt as of its last minute.
    await rebuildRollups(db, 1)
    await db.query('delete from device_rhythms')
    await db.query('update device_states set has_rhythm = false')
    // It said nothing since it was heard last.
    await db.query(
      `update device_states set status_times = coalesce((
         select jsonb_object_agg(key, to_char(
           device_states.last_seen at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'
         )) from jsonb_object_keys(device_states.status_times) as key
       ), '{}')
       from devices where devices.id = device_states.device_id and devices.eui = any ($1)`,
      [[...silent]],
    )
  } finally {
    await db.close()
  }
}

/** Gives the gateways a week of traffic: their counters at the beginning of each hour. */
async function dateGateways(db: Queryable): Promise<void> {
  await db.query(`update gateways set created_at = now() - interval '8 days'`)
  await db.query(`update gateway_states set first_seen = now() - interval '7 days'
    where last_seen is not null`)
  await db.query(
    `insert into gateway_outages (organization_id, gateway_id, began_at, ended_at)
     select gateways.organization_id, gateways.id, outage.began_at,
       outage.began_at + make_interval(mins => outage.minutes)
     from gateways
     cross join (values (now() - interval '5 days 4 hours', 52), (now() - interval '30 hours', 34))
       as outage (began_at, minutes)
     where gateways.name like 'Gate house%'`,
  )
  await db.query('delete from gateway_hours')
  await db.query(
    `insert into gateway_hours (hour, gateway_id, organization_id, uplink_count, downlink_count)
     select hour, gateways.id, gateways.organization_id,
       coalesce(sum(heard.count) over (
         partition by gateways.id order by hour
         rows between unbounded preceding and 1 preceding
       ), 0), 0
     from gateways
     cross join generate_series(
       date_trunc('hour', now(), 'UTC') - interval '8 days', now(), interval '1 hour'
     ) as hour
     left join (
       select uplinks.organization_id, reception ->> 0 as eui,
         date_trunc('hour', received_at, 'UTC') as heard_in, count(*) as count
       from uplinks cross join jsonb_array_elements(uplinks.receptions) as reception
       group by 1, 2, 3
     ) as heard on heard.organization_id = gateways.organization_id
       and heard.eui = gateways.eui and heard_in = hour`,
  )
}

/** Returns the ids of the groups by their names. */
async function makeGroups(
  call: Call,
  devices: readonly ListedDevice[],
): Promise<Map<string, number>> {
  const third = Math.ceil(devices.length / 3)
  const parts = ['Ground floor', 'First floor', 'Cold store'] as const
  const top = idOf(await call('POST', '/device-groups', { groupName: 'Warehouse' }))
  await call('PATCH', `/fleet/groups/${top}`, { address: 'Invented Quay 7\n20457 Hamburg' })
  const groups = new Map([['Warehouse', top]])
  for (const [index, groupName] of parts.entries()) {
    const members = devices.slice(index * third, (index + 1) * third).map(({ id }) => id)
    const body = { groupName, selectedDevices: members, selectedGroup: top }
    const group = idOf(await call('POST', '/device-groups', body))
    groups.set(groupName, group)
    if (index === 0) await addFloorPlan(call, group, members)
  }
  return groups
}

function idOf(answer: Record<string, unknown>): number {
  const record = (answer.data ?? answer) as Record<string, unknown>
  return Number(record.id)
}

/** With places in an invented yard in the port of Hamburg. */
const gatewaySites = [
  { site: 'Roof north', lat: 53.5402, lng: 9.9671 },
  { site: 'Roof south', lat: 53.5329, lng: 9.9713 },
  { site: 'Gate house', lat: 53.5361, lng: 9.9824 },
] as const

/** Around the middle of the yard, each further out than the one before. */
async function placeDevices(call: Call, euis: readonly string[]): Promise<void> {
  const turn = Math.PI * (3 - Math.sqrt(5))
  const devices = euis.slice(0, mostPlaced).map((deviceId, index) => {
    const distance = 0.0006 * Math.sqrt(index + 1)
    const place = {
      latitude: round(53.5364 + distance * Math.sin(index * turn)),
      longitude: round(9.9736 + distance * 1.7 * Math.cos(index * turn)),
    }
    return { action: 'update', deviceId, ...place, place_source: 'map' }
  })
  if (devices.length > 0) await call('POST', '/batch-device-requests', { devices })
}

/** Items of one batch. */
const mostPlaced = 1000

function round(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6
}

/** Before the devices send, so that these gateways hear them. */
async function registerGateways({ call, networks }: Furniture): Promise<void> {
  for (const [place, { network }] of networks.entries()) {
    for (const [index, { site, lat, lng }] of gatewaySites.entries()) {
      const body = {
        gateway_bridge: network.key,
        gateway_name: networks.length === 1 ? site : `${site}, ${network.name}`,
        gateway_eui: `00AA0000000F${place.toString(16).padStart(2, '0')}0${index}`.toUpperCase(),
        region: 'EU868',
        frequency_plan: 'EU_863_870_TTN',
        zone_id: 'eu1',
      }
      // Some networks have no gateways here, or need more than a demo knows.
      const made = await call('POST', '/gateways', body).catch(() => undefined)
      if (!made) continue
      const { id } = made.gateway as { id: number }
      await call('PATCH', `/gateways/${id}`, { latitude: lat, longitude: lng })
    }
  }
}
