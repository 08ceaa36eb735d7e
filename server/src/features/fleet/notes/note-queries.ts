import type { Queryable } from '../../../db/connect.ts'
import type { Caller } from '../../../http/endpoint.ts'
import type { Moment } from '../../../http/timestamps.ts'
import { createValues, devicesBelow, type Values } from '../inventory/device-selection-queries.ts'
import { groupsBelow } from '../inventory/groups-below.ts'
import type { Reference } from '../inventory/references.ts'
import { havingTag } from '../inventory/tags.ts'

export interface StoredNote {
  id: number
  at: Moment
  text: string
  device_id: number | null
  device_eui: string | null
  device_name: string | null
  gateway_id: number | null
  gateway_eui: string | null
  gateway_name: string | null
  group_id: number | null
  group_name: string | null
  user_id: number
  user_name: string
  created_at: Moment
  updated_at: Moment
}

const columns = `notes.id, notes.at, notes.text, notes.created_at, notes.updated_at,
  devices.id as device_id, devices.eui as device_eui, devices.name as device_name,
  gateways.id as gateway_id, gateways.gateway_eui, gateways.name as gateway_name,
  device_groups.id as group_id, device_groups.name as group_name, notes.user_id, (
    select concat_ws(' ', users.first_name, users.last_name) from users where users.id = notes.user_id
  ) as user_name`

const joined = `from notes
  left join devices on devices.organization_id = $1 and devices.id = notes.device_id
  left join gateways on gateways.organization_id = $1 and gateways.id = notes.gateway_id
  left join device_groups
    on device_groups.organization_id = $1 and device_groups.id = notes.group_id
  where notes.organization_id = $1 and (notes.gateway_id is null or gateways.deleted_at is null)`

type Viewer = Pick<Caller, 'organizationId' | 'groupId' | 'tag'>

/** SQL: what a limited caller may see: notes on devices within the limit, and on groups within the group. */
function visible({ groupId, tag }: Viewer, { add }: Values): string {
  const conditions: string[] = []
  if (groupId !== undefined) {
    const group = add(groupId)
    conditions.push(`(${inGroup(group)})`)
  }
  if (tag !== undefined) {
    conditions.push(`notes.device_id in (
      select tagged.id from devices as tagged
      where tagged.organization_id = $1 and ${havingTag('tagged.tags', `${add(tag)}::text`)}
    )`)
  }
  return conditions.map((condition) => `and ${condition}`).join(' ')
}

const inGroup = (group: string) => `notes.device_id in (${devicesBelow('$1', group)})
  or notes.group_id in (with recursive ${groupsBelow('$1', group)} select below.id from below)`

/** SQL: the groups that these devices are in, and all groups above. */
const groupsAbove = (devices: string) => `with recursive above as (
    select grouped.group_id as id from grouped_devices as grouped
    where grouped.organization_id = $1 and grouped.device_id = any(${devices}::bigint[])
    union
    select parents.parent_id from above
    join device_groups as parents on parents.organization_id = $1 and parents.id = above.id
    where parents.parent_id is not null
  ) select above.id from above`

/** Those about a device, with those about its groups; about a gateway; or about all in a group. */
export interface NoteFilter {
  device: number | undefined
  gateway: number | undefined
  group: number | undefined
  from: Date | undefined
  to: Date | undefined
}

/** The newest first. */
export async function list(
  db: Queryable,
  viewer: Viewer,
  { device, gateway, group, from, to }: NoteFilter,
  page: { limit: number; offset: number },
): Promise<{ notes: StoredNote[]; total: number }> {
  const values = createValues()
  const { add } = values
  add(viewer.organizationId)
  const conditions = [visible(viewer, values)]
  if (device !== undefined) {
    const name = add([device])
    conditions.push(
      `and (notes.device_id = any(${name}::bigint[]) or notes.group_id in (${groupsAbove(name)}))`,
    )
  }
  if (gateway !== undefined) conditions.push(`and notes.gateway_id = ${add(gateway)}`)
  if (group !== undefined) conditions.push(`and (${inGroup(add(group))})`)
  if (from) conditions.push(`and notes.at >= ${add(from)}`)
  if (to) conditions.push(`and notes.at < ${add(to)}`)
  const rows = await db.query<StoredNote & { total: number }>(
    `select ${columns}, count(*) over () as total ${joined} ${conditions.join(' ')}
     order by notes.at desc, notes.id desc limit ${add(page.limit)} offset ${add(page.offset)}`,
    values.list,
  )
  return { notes: rows, total: rows[0]?.total ?? 0 }
}

/** What a chart of these devices shows of a time: the newest notes on them and on their groups. */
export function listForChart(
  db: Queryable,
  { organizationId, groupId, tag }: Viewer,
  ids: readonly number[],
  { from, to, most }: { from: Date; to: Date; most: number },
): Promise<{ at: Moment; text: string; about: string }[]> {
  // A group tells of devices that are not for a caller with a limit.
  const isAll = groupId === undefined && tag === undefined
  return db.query<{ at: Moment; text: string; about: string }>(
    `select notes.at, notes.text, coalesce(devices.name, device_groups.name) as about
     ${joined} and (
       notes.device_id = any($2::bigint[])
       or $6::boolean and notes.group_id in (${groupsAbove('$2')})
     ) and notes.at >= $3 and notes.at < $4
     order by notes.at desc, notes.id desc limit $5`,
    [organizationId, ids, from, to, most, isAll],
  )
}

export async function find(
  db: Queryable,
  organizationId: number,
  { id, isLocked = false }: { id: number; isLocked?: boolean },
): Promise<StoredNote | undefined> {
  const rows = await db.query<StoredNote>(
    `select ${columns} ${joined} and notes.id = $2 ${isLocked ? 'for update of notes' : ''}`,
    [organizationId, id],
  )
  return rows[0]
}

/** The id of a device as far as it is there for the caller. */
export async function findDevice(
  db: Queryable,
  { organizationId, groupId, tag }: Viewer,
  { id, eui }: Reference,
): Promise<number | undefined> {
  const { list: given, add } = createValues()
  add(organizationId)
  const named = eui === null ? `devices.id = ${add(id)}` : `devices.eui = ${add(eui)}`
  const limits = [
    ...(groupId === undefined ? [] : [`and devices.id in (${devicesBelow('$1', add(groupId))})`]),
    ...(tag === undefined ? [] : [`and ${havingTag('devices.tags', `${add(tag)}::text`)}`]),
  ]
  const [device] = await db.query<{ id: number }>(
    `select devices.id from devices
     where devices.organization_id = $1 and devices.deleted_at is null and ${named}
       ${limits.join(' ')}`,
    given,
  )
  return device?.id
}

/** Gateways and groups are for callers without such a limit. */
export async function findGateway(
  db: Queryable,
  { organizationId, groupId, tag }: Viewer,
  { id, eui }: Reference,
): Promise<number | undefined> {
  if (groupId !== undefined || tag !== undefined) return undefined
  const [gateway] = await db.query<{ id: number }>(
    `select id from gateways
     where organization_id = $1 and deleted_at is null and (id = $2 or eui = $3)`,
    [organizationId, id, eui],
  )
  return gateway?.id
}

export async function findGroup(
  db: Queryable,
  { organizationId, groupId, tag }: Viewer,
  id: number,
): Promise<number | undefined> {
  if (tag !== undefined) return undefined
  const [group] = await db.query<{ id: number }>(
    `with recursive ${groupsBelow('$1', '$3')}
     select device_groups.id from device_groups
     where device_groups.organization_id = $1 and device_groups.id = $2
       and ($3::bigint is null or device_groups.id in (select below.id from below))`,
    [organizationId, id, groupId ?? null],
  )
  return group?.id
}

/** The one of the three that is not null. */
export interface Subject {
  device_id: number | null
  gateway_id: number | null
  group_id: number | null
}

export interface NewNote extends Subject {
  /** An archive has text. */
  at: Date | string
  text: string
  userId: number
  now: Date
}

export async function insert(
  tx: Queryable,
  organizationId: number,
  { device_id, gateway_id, group_id, at, text, userId, now }: NewNote,
): Promise<number> {
  const rows = await tx.query<{ id: number }>(
    `insert into notes (
       organization_id, device_id, gateway_id, group_id, at, text, user_id, created_at, updated_at
     )
     values ($1, $2, $3, $4, $5, $6, $7, $8, $8)
     returning id`,
    [organizationId, device_id, gateway_id, group_id, at, text, userId, now],
  )
  return rows[0]?.id ?? 0
}

/** Whether there is the same already: for archives that come in again. */
export async function isThere(
  db: Queryable,
  organizationId: number,
  { device_id, gateway_id, group_id, at, text }: Subject & { at: string; text: string },
): Promise<boolean> {
  const rows = await db.query(
    `select id from notes
     where organization_id = $1 and at = $5 and text = $6 and device_id is not distinct from $2
       and gateway_id is not distinct from $3 and group_id is not distinct from $4`,
    [organizationId, device_id, gateway_id, group_id, at, text],
  )
  return rows.length > 0
}

export async function update(
  tx: Queryable,
  organizationId: number,
  { id, at, text, now }: { id: number; at: Date | undefined; text: string | undefined; now: Date },
): Promise<void> {
  await tx.query(
    `update notes set at = coalesce($3, at), text = coalesce($4, text), updated_at = $5
     where organization_id = $1 and id = $2`,
    [organizationId, id, at ?? null, text ?? null, now],
  )
}

export async function remove(tx: Queryable, organizationId: number, id: number): Promise<void> {
  await tx.query('delete from notes where organization_id = $1 and id = $2', [organizationId, id])
}

/** Nobody sees notes on deleted devices, whose rows stay for their uplinks. */
export async function removeAll(
  tx: Queryable,
  organizationId: number,
  deviceIds: readonly number[],
): Promise<void> {
  await tx.query('delete from notes where organization_id = $1 and device_id = any($2)', [
    organizationId,
    deviceIds,
  ])
}
