import type { Queryable } from '../../../db/connect.ts'
import type { OwnDeclaration } from '../../../sensors/own-measurements.ts'

/** Devices of one type: what rules could look at. */
export interface FoundType {
  type_id: number
  devices: number
  /** What the organization says of its own type. */
  measurements: readonly OwnDeclaration[] | null
}

/** A group, or a device that is in none of these, whose name says that it is cooled. */
export interface ColdPlace {
  kind: 'group' | 'device'
  id: number
  name: string
  types: number[]
}

export interface FleetFacts {
  gateways: number
  rules: number
  types: FoundType[]
  cold: ColdPlace[]
}

const mostPlaces = 5

/** SQL: whether a name is that of something cooled, in the words that people use. */
const isCold = (name: string) =>
  `${name} ~* '(fridge|refrigerat|freezer|cooler|cold (room|store|storage))'`

/** What there is to look at. A scan of the organization's devices, as in its summary. */
export async function findFacts(db: Queryable, organizationId: number): Promise<FleetFacts> {
  const [counts] = await db.query<{ gateways: number; rules: number }>(
    `select (select count(*) from gateways where organization_id = $1 and deleted_at is null) as gateways,
       (select count(*) from alert_rules where organization_id = $1 and deleted_at is null) as rules`,
    [organizationId],
  )
  const types = await db.query<FoundType>(
    `select used.type_id, used.devices, device_types.measurements
     from (
       select devices.type_id, count(*) as devices from devices
       where devices.organization_id = $1 and devices.deleted_at is null
       group by devices.type_id
     ) as used
     left join device_types
       on device_types.organization_id = $1 and device_types.id = used.type_id
     order by used.devices desc, used.type_id`,
    [organizationId],
  )
  const cold = await db.query<ColdPlace>(
    `with places as materialized (
       select groups.id, groups.name from device_groups as groups
       where groups.organization_id = $1 and ${isCold('groups.name')}
     ), grouped as (
       select 'group' as kind, places.id, places.name, array_agg(distinct devices.type_id) as types
       from places
       join grouped_devices as members
         on members.organization_id = $1 and members.group_id = places.id
       join devices on devices.organization_id = $1 and devices.id = members.device_id
         and devices.deleted_at is null
       group by places.id, places.name
     ), single as (
       select 'device', devices.id, devices.name, array[devices.type_id]
       from devices
       where devices.organization_id = $1 and devices.deleted_at is null and ${isCold('devices.name')}
         and devices.id not in (
           select members.device_id from grouped_devices as members
           join places on places.id = members.group_id
           where members.organization_id = $1
         )
     )
     select * from (select * from grouped union all select * from single) as found
     order by kind desc, lower(name), id
     limit ${mostPlaces}`,
    [organizationId],
  )
  return { gateways: counts?.gateways ?? 0, rules: counts?.rules ?? 0, types, cold }
}
