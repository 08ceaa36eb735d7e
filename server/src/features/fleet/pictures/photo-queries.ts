import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'
import { lockTenant } from '../../people/organizations/organization-queries.ts'
import { type Reference, referredDevice } from '../inventory/references.ts'
import type { Picture } from './picture.ts'

/** A photo of a device, without its pixels. */
export interface StoredPhoto {
  id: number
  caption: string | null
  type: Picture['type']
  width: number
  height: number
  bytes: number
  user_name: string
  created_at: Moment
}

const columns = `photos.id, photos.caption, photos.type, photos.width, photos.height,
  octet_length(photos.image) as bytes, photos.created_at, (
    select trim(concat_ws(' ', users.first_name, users.last_name)) from users where users.id = photos.user_id
  ) as user_name`

/** The id of the device that a request names; undefined if there is none. */
export async function findDevice(
  db: Queryable,
  organizationId: number,
  { id, eui }: Reference,
): Promise<number | undefined> {
  const [device] = await db.query<{ id: number }>(
    `select devices.id from devices
     where devices.organization_id = $1 and devices.deleted_at is null
       and devices.id = ${referredDevice}`,
    [organizationId, id, eui],
  )
  return device?.id
}

/** The photos of a device, oldest first; with an id, only that one. */
export function list(
  db: Queryable,
  organizationId: number,
  deviceId: number,
  id: number | null = null,
): Promise<StoredPhoto[]> {
  return db.query<StoredPhoto>(
    `select ${columns} from device_photos as photos
     where photos.organization_id = $1 and photos.device_id = $2
       and ($3::bigint is null or photos.id = $3)
     order by photos.id`,
    [organizationId, deviceId, id],
  )
}

/** Whether the device has a photo of this time: for archives that come in again. */
export async function isThere(
  db: Queryable,
  organizationId: number,
  deviceId: number,
  at: string,
): Promise<boolean> {
  const rows = await db.query(
    `select id from device_photos
     where organization_id = $1 and device_id = $2 and created_at = $3`,
    [organizationId, deviceId, at],
  )
  return rows.length > 0
}

/** Of one photo of a device; `thumbnail` is null if none was sent. */
export async function findImage(
  db: Queryable,
  organizationId: number,
  deviceId: number,
  { id, isThumbnail }: { id: number; isThumbnail: boolean },
): Promise<{ type: string; bytes: Buffer; thumbnail: Buffer | null } | undefined> {
  const [found] = await db.query<{ type: string; bytes: Buffer; thumbnail: Buffer | null }>(
    `select type, thumbnail, case when $4 and thumbnail is not null then ''::bytea else image end as bytes
     from device_photos where organization_id = $1 and device_id = $2 and id = $3`,
    [organizationId, deviceId, id, isThumbnail],
  )
  return found
}

export interface PhotoCounts {
  ofDevice: number
  own: number
  ofTenant: number
}

/** Locks the tenant's photos against others that are added at once, and counts them. */
export async function countLocked(
  tx: Queryable,
  organizationId: number,
  deviceId: number,
): Promise<PhotoCounts> {
  const tenantId = await lockTenant(tx, organizationId)
  const [counts] = await tx.query<PhotoCounts>(
    `select count(*) filter (where organization_id = $1 and device_id = $2) as "ofDevice",
       count(*) filter (where organization_id = $1) as own, count(*) as "ofTenant"
     from device_photos
     where organization_id in (select id from organizations where tenant_id = $3)`,
    [organizationId, deviceId, tenantId],
  )
  return counts ?? { ofDevice: 0, own: 0, ofTenant: 0 }
}

export interface NewPhoto {
  picture: Picture
  thumbnail: Picture | undefined
  caption: string | null
  userId: number
  /** An archive has text. */
  at: Date | string
}

export async function insert(
  tx: Queryable,
  organizationId: number,
  deviceId: number,
  { picture, thumbnail, caption, userId, at }: NewPhoto,
): Promise<number> {
  const rows = await tx.query<{ id: number }>(
    `insert into device_photos (
       organization_id, device_id, caption, type, width, height, image, thumbnail, user_id, created_at
     )
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     returning id`,
    [
      ...[organizationId, deviceId, caption, picture.type, picture.width, picture.height],
      ...[picture.bytes, thumbnail?.bytes ?? null, userId, at],
    ],
  )
  return rows[0]?.id ?? 0
}

export async function setCaption(
  tx: Queryable,
  organizationId: number,
  deviceId: number,
  { id, caption }: { id: number; caption: string | null },
): Promise<boolean> {
  const rows = await tx.query(
    `update device_photos set caption = $4
     where organization_id = $1 and device_id = $2 and id = $3
     returning id`,
    [organizationId, deviceId, id, caption],
  )
  return rows.length > 0
}

export async function remove(
  tx: Queryable,
  organizationId: number,
  deviceId: number,
  id: number,
): Promise<boolean> {
  const rows = await tx.query(
    'delete from device_photos where organization_id = $1 and device_id = $2 and id = $3 returning id',
    [organizationId, deviceId, id],
  )
  return rows.length > 0
}

/** Nobody sees photos of deleted devices, whose rows stay for their uplinks. */
export async function removeAll(
  tx: Queryable,
  organizationId: number,
  deviceIds: readonly number[],
): Promise<void> {
  await tx.query('delete from device_photos where organization_id = $1 and device_id = any($2)', [
    organizationId,
    deviceIds,
  ])
}
