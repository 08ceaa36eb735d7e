import type { Queryable } from '../../../db/connect.ts'
import { atOrdinal } from '../../../uplinks/rows/by-ordinal.ts'
import { renderPayload } from '../../../uplinks/rows/message.ts'
import { type DatedRow, insertRows } from '../../../uplinks/store/writer-queries.ts'
import { placeColumns } from '../../fleet/inventory/places.ts'
import type { ArchivedDevice, ArchivedUplink } from './archive-format.ts'

/** Whom records belong to that come back in: the owner of the organization. */
export async function findOwner(
  db: Queryable,
  organizationId: number,
): Promise<{ userId: number } | undefined> {
  const rows = await db.query<{ user_id: number }>(
    `select coalesce(owner_user_id, (
       select min(user_id) from members where members.organization_id = organizations.id
     )) as user_id
     from organizations where id = $1`,
    [organizationId],
  )
  const userId = rows[0]?.user_id
  return userId ? { userId } : undefined
}

export interface KnownDevice {
  id: number
  eui: string
  /** As text, of deleted ones. */
  deleted_at: string | null
}

/** The devices with these EUIs, deleted ones included. */
export function findDevices(
  db: Queryable,
  organizationId: number,
  euis: readonly string[],
): Promise<KnownDevice[]> {
  return db.query<KnownDevice>(
    `select id, eui, extract(epoch from deleted_at)::text as deleted_at
     from devices where organization_id = $1 and eui = any($2) order by id`,
    [organizationId, euis],
  )
}

/** The gateways with these EUIs. */
export function findGateways(
  db: Queryable,
  organizationId: number,
  euis: readonly string[],
): Promise<{ id: number; network: string; eui: string }[]> {
  return db.query(
    `select id, network, eui from gateways
     where organization_id = $1 and eui = any($2) and deleted_at is null`,
    [organizationId, euis],
  )
}

/** Inserts devices that are deleted already, for the sake of their uplinks, and returns their ids. */
export async function insertDeleted(
  tx: Queryable,
  organizationId: number,
  devices: readonly ArchivedDevice[],
  userId: number,
): Promise<number[]> {
  const rows = await tx.query<{ id: number; place: number }>(
    `with given as (
       select row_number() over () as place, device.*
       from json_to_recordset($2) as device (
         device_id text, join_eui text, name text, type_id integer, network text,
         register_method text, app_region text, frequency_plan text, extra_notes text,
         is_console_only boolean, created_at timestamptz, deleted_at timestamptz, tags jsonb,
         latitude double precision, longitude double precision, altitude double precision,
         place_source text
       )
     ), numbered as (
       select given.*, nextval(pg_get_serial_sequence('devices', 'id')) as id from given
     ), inserted as (
       insert into devices (
         id, organization_id, device_eui, join_eui, name, type_id, network, register_method,
         app_region, frequency_plan, extra_notes, is_console_only, register_status, user_id,
         created_at, updated_at, commissioned_at, deleted_at, tags, ${placeColumns}
       )
       overriding system value
       select id, $1, device_id, join_eui, name, type_id, network, register_method, app_region,
         frequency_plan, extra_notes, is_console_only, 'active', $3, created_at, deleted_at,
         created_at, deleted_at, coalesce(tags, '{}'), ${placeColumns}
       from numbered
       returning id
     ), state as (
       insert into device_states (device_id, organization_id) select id, $1 from inserted
     )
     select id, place from numbered order by place`,
    [organizationId, JSON.stringify(devices), userId],
  )
  return rows.map(({ id }) => id)
}

/** Gives devices that came back in the times and notes that they had. */
export async function setPast(
  tx: Queryable,
  organizationId: number,
  devices: readonly (ArchivedDevice & { newId: number })[],
): Promise<void> {
  await tx.query(
    `update devices
     set created_at = given.created_at, commissioned_at = given.created_at,
       extra_notes = given.extra_notes, is_active = given.is_active
     from json_to_recordset($2) as given (
       "newId" bigint, created_at timestamptz, extra_notes text, is_active boolean
     )
     where devices.organization_id = $1 and devices.id = given."newId"`,
    [organizationId, JSON.stringify(devices)],
  )
}

/** What the organization has of uplinks. */
export interface Counter {
  uplink_count: number
  first_ordinal: number
}

export async function lockCounter(tx: Queryable, organizationId: number): Promise<Counter> {
  const rows = await tx.query<Counter>(
    `select uplink_count, first_ordinal from organization_counters
     where organization_id = $1 for update`,
    [organizationId],
  )
  return rows[0] ?? { uplink_count: 0, first_ordinal: 1 }
}

/** The key and the time of the uplink with an ordinal. */
export async function findUplink(
  tx: Queryable,
  organizationId: number,
  ordinal: number,
): Promise<{ deduplication_key: string; at: number } | undefined> {
  const rows = await tx.query<{ deduplication_key: string; at: number }>(
    `select uplinks.deduplication_key,
       extract(epoch from event_time)::float8 as at
     from ${atOrdinal('uplinks.*', '$2')} as uplinks`,
    [organizationId, ordinal],
  )
  return rows[0]
}

/** Uplinks of each device so far. */
export async function countByDevice(
  tx: Queryable,
  organizationId: number,
  devices: readonly number[],
): Promise<Map<number, number>> {
  const rows = await tx.query<{ device_id: number; uplink_count: number }>(
    `select device_id, uplink_count from device_states
     where organization_id = $1 and device_id = any($2::bigint[])`,
    [organizationId, devices],
  )
  return new Map(rows.map(({ device_id, uplink_count }) => [device_id, uplink_count]))
}

export interface UplinkToInsert {
  uplink: ArchivedUplink
  deviceId: number
  ordinal: number
  deviceOrdinal: number
}

/** Stores uplinks with the times that they had. */
export async function insertUplinks(
  tx: Queryable,
  organizationId: number,
  rows: readonly UplinkToInsert[],
): Promise<void> {
  await insertRows(
    tx,
    rows.map((row) => toRow(organizationId, row)),
  )
}

/** As the writer of uplinks leaves it. The archive does not say who has made a message. */
function toRow(
  organization_id: number,
  { uplink, deviceId, ordinal, deviceOrdinal }: UplinkToInsert,
): DatedRow {
  const { device: _, gateways, decoded_message, ...columns } = uplink
  return {
    ...columns,
    organization_id,
    ordinal,
    device_id: deviceId,
    device_ordinal: deviceOrdinal,
    decoded_object: uplink.decoded_object as DatedRow['decoded_object'],
    decoded_message:
      decoded_message === renderPayload(uplink.payload) ? undefined : decoded_message,
    rssi: uplink.rssi ?? undefined,
    snr: uplink.snr ?? undefined,
    latitude: uplink.latitude ?? undefined,
    longitude: uplink.longitude ?? undefined,
    data_rate: uplink.data_rate ?? undefined,
    frequency: uplink.frequency ?? undefined,
    gateways: gateways.map(toGateway),
  }
}

function toGateway(gateway: ArchivedUplink['gateways'][number]) {
  const { gateway_eui, rssi, snr, lat, lng } = gateway
  return { gateway_eui, rssi, snr, lat, lng }
}
