import type { Queryable } from '../../../db/connect.ts'
import type { Caller } from '../../../http/endpoint.ts'
import { findDeviceType } from '../../../sensors/index.ts'
import { createValues, devicesBelow } from '../../fleet/inventory/device-selection-queries.ts'
import { groupsBelow } from '../../fleet/inventory/groups-below.ts'
import { readReference } from '../../fleet/inventory/references.ts'
import { havingTag } from '../../fleet/inventory/tags.ts'
import * as planQueries from '../plans/plan-queries.ts'

/** What sources name, as far as it is there for whoever looks. */

/** Whoever looks at a dashboard: a caller, or a screen with a link. */
export type Looker = Pick<Caller, 'organizationId' | 'groupId' | 'tag'>

/** A key with a tag has no groups: a group also has devices without the tag. */
export async function findGroups(
  db: Queryable,
  { organizationId, groupId, tag }: Looker,
  ids: readonly number[],
): Promise<{ id: number }[]> {
  if (tag !== undefined) return []
  if (groupId === undefined) {
    return db.query<{ id: number }>(
      'select id from device_groups where organization_id = $1 and id = any($2::bigint[])',
      [organizationId, ids],
    )
  }
  return db.query<{ id: number }>(
    `with recursive ${groupsBelow('$1', '$3')} select id from below where id = any($2::bigint[])`,
    [organizationId, ids, groupId],
  )
}

export function findDevices(
  db: Queryable,
  { organizationId, groupId, tag }: Looker,
  devices: readonly (string | number)[],
): Promise<{ id: number; eui: string }[]> {
  const references = devices.map((device) => readReference(String(device)))
  const { list, add } = createValues()
  add(organizationId)
  const ids = add(references.flatMap(({ id }) => id ?? []))
  const euis = add(references.flatMap(({ eui }) => eui ?? []))
  const within = [
    ...(groupId === undefined ? [] : [`and devices.id in (${devicesBelow('$1', add(groupId))})`]),
    ...(tag === undefined ? [] : [`and ${havingTag('devices.tags', `${add(tag)}::text`)}`]),
  ]
  return db.query<{ id: number; eui: string }>(
    `select devices.id, devices.eui from devices
     where devices.organization_id = $1 and devices.deleted_at is null
       and devices.id in (
         select unnest(${ids}::bigint[])
         union all
         select named.id from devices as named
         where named.organization_id = $1 and named.eui = any(${euis}::text[])
           and named.deleted_at is null
       ) ${within.join(' ')}`,
    list,
  )
}

/** All that there are for the caller; none for a key with a tag, as with groups. */
export async function findPlans(db: Queryable, looker: Looker): Promise<number[]> {
  if (looker.tag !== undefined) return []
  return (await planQueries.list(db, looker, null)).map(({ id }) => id)
}

export async function findTypes(
  db: Queryable,
  { organizationId }: Looker,
  types: readonly number[],
): Promise<number[]> {
  const own = await db.query<{ id: number }>(
    'select id from device_types where organization_id = $1 and id = any($2::bigint[])',
    [organizationId, types],
  )
  return [...types.filter((id) => findDeviceType(id)), ...own.map(({ id }) => id)]
}
