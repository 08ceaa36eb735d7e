import type { Queryable } from '../../../db/connect.ts'
import type { Caller } from '../../../http/endpoint.ts'
import type { OwnDeclaration } from '../../../sensors/own-measurements.ts'
import { createValues, devicesBelow } from '../../fleet/inventory/device-selection-queries.ts'
import type { TypeColumns } from '../../fleet/inventory/references.ts'
import { havingTag } from '../../fleet/inventory/tags.ts'

/** A device type of which there are devices. */
export interface UsedType extends TypeColumns {
  devices: number
  /** What the organization says of its own type. */
  measurements: readonly OwnDeclaration[] | null
}

/** The types of the devices that there are for the caller, in a group if one is given; most devices first. */
export function listUsedTypes(
  db: Queryable,
  { organizationId, groupId, tag }: Pick<Caller, 'organizationId' | 'groupId' | 'tag'>,
  group?: number,
): Promise<UsedType[]> {
  const { list, add } = createValues()
  add(organizationId)
  const within = [groupId, group]
    .filter((id) => id !== undefined)
    .map((id) => `and devices.id in (${devicesBelow('$1', add(id))})`)
  const tagged = tag === undefined ? '' : `and ${havingTag('devices.tags', `${add(tag)}::text`)}`
  return db.query<UsedType>(
    `select used.type_id, used.devices, device_types.type_name as custom_type_name,
       device_types.part_number as custom_part_number, device_types.measurements
     from (
       select devices.type_id, count(*) as devices from devices
       where devices.organization_id = $1 and devices.deleted_at is null
         ${within.join(' ')} ${tagged}
       group by devices.type_id
     ) as used
     left join device_types
       on device_types.organization_id = $1 and device_types.id = used.type_id
     order by used.devices desc, used.type_id`,
    list,
  )
}

/** The groups that there are for the caller, by name. */
export function listGroups(
  db: Queryable,
  { organizationId, groupId }: Pick<Caller, 'organizationId' | 'groupId'>,
): Promise<{ id: number; name: string }[]> {
  return db.query<{ id: number; name: string }>(
    `with recursive below as (
       select id, name from device_groups
       where organization_id = $1 and (id = $2 or $2::bigint is null and parent_id is null)
       union
       select child.id, child.name from below
       join device_groups as child
         on child.organization_id = $1 and child.parent_id = below.id
     )
     select id, name from below order by lower(name), id`,
    [organizationId, groupId],
  )
}
