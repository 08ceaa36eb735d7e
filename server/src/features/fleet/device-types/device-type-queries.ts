import type { Queryable } from '../../../db/connect.ts'
import { formFor } from '../../../db/distribution/form-for.ts'
import type { Moment } from '../../../http/timestamps.ts'
import { firstCustomTypeId } from '../../../sensors/index.ts'
import type { OwnDeclaration } from '../../../sensors/own-measurements.ts'
import { noteDevices } from '../../../uplinks/rollups/rollup-queries.ts'
import type { StoredExample } from './codec-example.ts'
import type { TypeOrigin } from './type-origin.ts'

export type PayloadFormat = 'ts013' | 'cayenne_lpp'

/** What decodes the frames of a type. */
interface Decoding {
  payload_format: PayloadFormat
  codec: string | null
  revision: number
}

/** The same, with the tenant whose share of the sandbox it uses, and the time zone of its organization. */
export interface SharedDecoding extends Decoding {
  measurements: OwnDeclaration[]
  tenant_id: number
  time_zone: string
}

/** A type without its codec and examples, which can be long. */
export interface TypeSummary {
  id: number
  type_name: string
  part_number: string
  payload_format: PayloadFormat
  created_at: Moment
  updated_at: Moment
}

export interface StoredType extends TypeSummary, Decoding {
  examples: StoredExample[]
  measurements: OwnDeclaration[]
  /** Null for a type that was not made of a model of a catalogue. */
  catalogue: TypeOrigin | null
}

const summary = 'id, type_name, part_number, payload_format, created_at, updated_at'
const columns = `${summary}, codec, revision, examples, measurements, catalogue`

/** Every type of the organization, by id. */
export function listAll(db: Queryable, organizationId: number): Promise<TypeSummary[]> {
  return db.query<TypeSummary>(
    `select ${summary} from device_types where organization_id = $1 order by id`,
    [organizationId],
  )
}

/** How many devices of the organization each type has that has any. */
export async function countByType(
  db: Queryable,
  organizationId: number,
): Promise<Map<number, number>> {
  const rows = await db.query<{ type_id: number; devices: number }>(
    `select type_id, count(*) as devices from devices
     where organization_id = $1 and deleted_at is null
     group by type_id`,
    [organizationId],
  )
  return new Map(rows.map(({ type_id, devices }) => [type_id, devices]))
}

export async function list(
  db: Queryable,
  organizationId: number,
  page: { number: number; size: number },
): Promise<{ total: number; types: TypeSummary[] }> {
  const [counted, types] = await Promise.all([
    db.query<{ total: number }>(
      'select count(*) as total from device_types where organization_id = $1',
      [organizationId],
    ),
    db.query<TypeSummary>(
      `select ${summary} from device_types where organization_id = $1
       order by id limit $2 offset $3`,
      [organizationId, page.size, (page.number - 1) * page.size],
    ),
  ])
  return { total: counted[0]?.total ?? 0, types }
}

/** The type; with `lock` locked against changes and new devices until the transaction ends. */
export async function find(
  db: Queryable,
  organizationId: number,
  id: number,
  lock: '' | 'for update' = '',
): Promise<StoredType | undefined> {
  const types = await db.query<StoredType>(
    `select ${columns} from device_types where organization_id = $1 and id = $2 ${lock}`,
    [organizationId, id],
  )
  return types[0]
}

/** The ids that name no type of the organization; built-in ones are left out. */
export function findMissing(
  db: Queryable,
  organizationId: number,
  ids: Iterable<number>,
): Promise<Set<number>> {
  return readMissing(db, organizationId, ids, '')
}

/** The same; the types that exist are locked until the end of the transaction. */
export async function lockOrFindMissing(
  tx: Queryable,
  organizationId: number,
  ids: Iterable<number>,
): Promise<Set<number>> {
  // Where each machine has a copy, two that share a lock wait for each other.
  const lock = await formFor(tx, { whole: 'for share', spread: 'for no key update' })
  return readMissing(tx, organizationId, ids, lock)
}

async function readMissing(
  db: Queryable,
  organizationId: number,
  ids: Iterable<number>,
  lock: string,
): Promise<Set<number>> {
  const missing = new Set([...ids].filter((id) => id >= firstCustomTypeId))
  if (missing.size === 0) return missing
  const found = await db.query<{ id: number }>(
    `select id from device_types where organization_id = $1 and id = any($2::bigint[])
     order by id ${lock}`,
    [organizationId, [...missing]],
  )
  for (const { id } of found) missing.delete(id)
  return missing
}

export interface TypeValues {
  type_name: string
  part_number: string
  payload_format: PayloadFormat
  codec: string | null
  examples: readonly StoredExample[]
  measurements: readonly OwnDeclaration[]
  /** Left out by `update`, it stays as it is. */
  catalogue?: TypeOrigin | null | undefined
}

export async function insert(
  db: Queryable,
  organizationId: number,
  values: TypeValues,
  now: Date,
): Promise<StoredType> {
  const rows = await db.query<StoredType>(
    `insert into device_types
       (organization_id, type_name, part_number, payload_format, codec, examples, measurements,
        catalogue, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
     returning ${columns}`,
    [organizationId, ...columnsOf(values), toJson(values.catalogue), now],
  )
  return only(rows)
}

export async function update(
  db: Queryable,
  organizationId: number,
  type: TypeValues & { id: number; revision: number },
  now: Date,
): Promise<StoredType> {
  const rows = await db.query<StoredType>(
    `update device_types
     set type_name = $2, part_number = $3, payload_format = $4, codec = $5, examples = $6,
       measurements = $7, updated_at = $8, revision = $9, catalogue = coalesce($11, catalogue)
     where organization_id = $1 and id = $10
     returning ${columns}`,
    [organizationId, ...columnsOf(type), now, type.revision, type.id, toJson(type.catalogue)],
  )
  return only(rows)
}

/** What is known of the states of its devices is to be read again from their uplinks. */
export async function noteStates(tx: Queryable, organizationId: number, id: number): Promise<void> {
  await tx.query(
    `with changed as (
       select id as device_id from devices where organization_id = $1 and type_id = $2
     )
     ${noteDevices('changed')}`,
    [organizationId, id],
  )
}

function columnsOf(values: TypeValues): unknown[] {
  const { type_name, part_number, payload_format, codec, examples, measurements } = values
  const lists = [JSON.stringify(examples), JSON.stringify(measurements)]
  return [type_name, part_number, payload_format, codec, ...lists]
}

function toJson(origin: TypeOrigin | null | undefined): string | null {
  return origin ? JSON.stringify(origin) : null
}

/** The types that were made of models of catalogues, the newest first. */
export function listOrigins(
  db: Queryable,
  organizationId: number,
): Promise<{ id: number; model_id: string }[]> {
  return db.query(
    `select id, catalogue->>'model_id' as model_id from device_types
     where organization_id = $1 and catalogue is not null order by id desc limit 5000`,
    [organizationId],
  )
}

/** What the types of these ids were made of; those that are of no model are left out. */
export async function findOrigins(
  db: Queryable,
  organizationId: number,
  ids: Iterable<number>,
): Promise<{ id: number; catalogue: TypeOrigin }[]> {
  const own = new Set([...ids].filter((id) => id >= firstCustomTypeId))
  if (own.size === 0) return []
  return db.query(
    `select id, catalogue from device_types
     where organization_id = $1 and id = any($2::bigint[]) and catalogue is not null`,
    [organizationId, [...own]],
  )
}

export async function remove(tx: Queryable, organizationId: number, id: number): Promise<void> {
  await tx.query('delete from device_types where organization_id = $1 and id = $2', [
    organizationId,
    id,
  ])
}

export async function countDevices(
  db: Queryable,
  organizationId: number,
  id: number,
): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*) as count from devices
     where organization_id = $1 and type_id = $2 and deleted_at is null`,
    [organizationId, id],
  )
  return rows[0]?.count ?? 0
}

/** The organization that has a type. */
export async function findOrganizationOf(db: Queryable, id: number): Promise<number | undefined> {
  const rows = await db.query<{ organization_id: number }>(
    'select organization_id from device_types where id = $1',
    [id],
  )
  return rows[0]?.organization_id
}

/** What decodes the frames of this type now. */
export async function findDecoding(
  db: Queryable,
  organizationId: number,
  id: number,
): Promise<SharedDecoding | undefined> {
  const rows = await db.query<SharedDecoding>(
    `select device_types.payload_format, device_types.codec, device_types.revision,
       device_types.measurements, organizations.tenant_id, organizations.timezone_format as time_zone
     from device_types
     join organizations on organizations.id = device_types.organization_id
     where device_types.organization_id = $1 and device_types.id = $2`,
    [organizationId, id],
  )
  return rows[0]
}

/** The time zone of local times in the organization's codecs. */
export async function findTimeZone(
  db: Queryable,
  organizationId: number,
): Promise<string | undefined> {
  const rows = await db.query<{ timezone_format: string }>(
    'select timezone_format from organizations where id = $1',
    [organizationId],
  )
  return rows[0]?.timezone_format
}

function only<T>(rows: T[]): T {
  const row = rows[0]
  if (row === undefined) throw new Error('the database returned no row for a device type')
  return row
}
