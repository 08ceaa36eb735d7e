import type { Queryable } from '../../db/connect.ts'
import type { DownlinkEvent } from '../../networks/network-message.ts'
import {
  methodOf,
  type NamingAccount,
  namedDevice,
  namedDeviceValues,
} from '../fleet/inventory/named-device-queries.ts'
import { columns, type HandedOver, type StoredDownlink, toGiven } from './downlink-queries.ts'

/** Finds the downlink that a network's event or a sensor's answer is about. */

/** Finds the downlink that has this id in the network's queue. */
export async function findByQueueItem(
  tx: Queryable,
  organizationId: number,
  deviceId: number,
  queueItemId: string,
): Promise<StoredDownlink | undefined> {
  const rows = await tx.query<StoredDownlink>(
    `select ${columns} from downlinks
     where organization_id = $1 and device_id = $2 and queue_item_id = $3
     order by id
     limit 1`,
    [organizationId, deviceId, queueItemId],
  )
  return rows[0]
}

/** Finds the EUI of the device whose downlink has this id in the network's queue. */
export async function findDeviceOfQueueItem(
  db: Queryable,
  account: NamingAccount,
  queueItemId: string,
): Promise<string | undefined> {
  const devices = await db.query<{ eui: string }>(
    `select devices.eui
     from downlinks
     join devices on devices.id = downlinks.device_id
       and devices.organization_id = downlinks.organization_id
     where downlinks.queue_item_id = $1 and devices.deleted_at is null
       and (
         devices.network = $2 and devices.register_method in ($4, 'vendor')
         or devices.other_network = $2 and devices.other_method in ($4, 'vendor')
       )
       and ($4 = 'vendor' or downlinks.organization_id = $3)
     order by downlinks.id desc
     limit 1`,
    [queueItemId, account.network, account.organizationId, methodOf(account)],
  )
  return devices[0]?.eui
}

/** The oldest downlink that the network holds, or else the latest that it sent. */
export async function findOldestAtNetwork(
  tx: Queryable,
  organizationId: number,
  deviceId: number,
): Promise<StoredDownlink | undefined> {
  const rows = await tx.query<StoredDownlink>(
    `select ${columns} from downlinks
     where organization_id = $1 and device_id = $2 and state in ('handed_over', 'sent')
     order by state = 'sent', case when state = 'sent' then -id else id end
     limit 1`,
    [organizationId, deviceId],
  )
  return rows[0]
}

/**
 * Finds the downlink that a device answers. Newer firmware repeats the bytes of the downlink
 * (echo). With an echo, this is the latest sent downlink with these bytes. If there is none, it is
 * the oldest one with these bytes that the network may have sent without a record here. Without an
 * echo, this is the latest sent downlink, or else the oldest at the network. A downlink that failed
 * because no report came is the last choice.
 */
export async function findAnswered(
  tx: Queryable,
  organizationId: number,
  deviceId: number,
  echo: string | undefined,
): Promise<StoredDownlink | undefined> {
  const rows = await tx.query<StoredDownlink>(
    `select * from (
       select ${columns} from downlinks
       where organization_id = $1 and device_id = $2
         and state in ('queued', 'handed_over', 'sent')
       union all
       select ${columns} from downlinks
       where organization_id = $1 and device_id = $2 and state = 'failed' and is_uncertain
     ) as downlinks
     where case when $3::text is null then state in ('handed_over', 'sent')
       else payload = decode($3, 'hex') and (state in ('handed_over', 'sent') or is_uncertain) end
     order by state = 'failed', state = 'sent' desc, case when state = 'sent' then -id else id end
     limit 1`,
    [organizationId, deviceId, echo],
  )
  return rows[0]
}

/**
 * Finds the devices whose uplinks may change the state of a downlink. A `windowed` device needs a
 * downlink that the network holds. An `answering` device needs one in any state before its end, or
 * one that failed because no report came.
 */
export async function findExpectant(
  tx: Queryable,
  organizationIds: readonly number[],
  { windowed, answering }: Record<'windowed' | 'answering', readonly number[]>,
): Promise<Set<number>> {
  const rows = await tx.query<{ device_id: number }>(
    `select device_id from downlinks
     where organization_id = any($1::bigint[]) and device_id = any($2::bigint[])
       and state = 'handed_over'
     union
     select device_id from downlinks
     where organization_id = any($1::bigint[]) and device_id = any($3::bigint[])
       and state in ('queued', 'handed_over', 'sent')
     union
     select device_id from downlinks
     where organization_id = any($1::bigint[]) and device_id = any($3::bigint[])
       and state = 'failed' and is_uncertain`,
    [organizationIds, windowed, answering],
  )
  return new Set(rows.map((row) => row.device_id))
}

interface EarlyEvent {
  /** The downlink that the event is about. */
  downlink_id: number
  kind: `downlink_${DownlinkEvent['state']}`
  reason: string | null
  is_repeated: boolean | null
}

/** Lists the stored events of these items, in the order of their arrival. */
export function listEvents(
  tx: Queryable,
  organizationId: number,
  handedOver: readonly HandedOver[],
): Promise<EarlyEvent[]> {
  return tx.query<EarlyEvent>(
    `select given.id as downlink_id, events.kind, events.details ->> 'reason' as reason,
       (events.details ->> 'is_repeated')::boolean as is_repeated
     from json_to_recordset($2) as given (id bigint, device_id bigint, item text)
     join network_events as events on events.organization_id = $1
       and events.device_id = given.device_id and events.details ->> 'queue_item_id' = given.item
       and events.kind like 'downlink%'
     order by events.id`,
    [organizationId, JSON.stringify(handedOver.map(toGiven))],
  )
}

/** The topic of the signal that a network reported something about a device's downlinks. */
export function reportTopic(deviceId: number): string {
  return `reports ${deviceId}`
}

/** Finds the queue items about which the network reported anything. These have left its queue. */
export async function findReportedItems(
  db: Queryable,
  organizationId: number,
  deviceId: number,
  queueItemIds: readonly string[],
): Promise<Set<string>> {
  const rows = await db.query<{ queue_item_id: string }>(
    `select distinct details ->> 'queue_item_id' as queue_item_id
     from network_events
     where organization_id = $1 and device_id = $2
       and details ->> 'queue_item_id' = any($3::text[]) and kind like 'downlink%'`,
    [organizationId, deviceId, queueItemIds],
  )
  return new Set(rows.map((row) => row.queue_item_id))
}

/** Finds the queue items that are recorded as the device's downlinks. */
export async function findRecordedItems(
  db: Queryable,
  organizationId: number,
  deviceId: number,
  queueItemIds: readonly string[],
): Promise<Set<string>> {
  const rows = await db.query<{ queue_item_id: string }>(
    `select queue_item_id from downlinks
     where organization_id = $1 and device_id = $2 and queue_item_id = any($3::text[])`,
    [organizationId, deviceId, queueItemIds],
  )
  return new Set(rows.map((row) => row.queue_item_id))
}

/** A device whose network requests its next downlink. */
export interface AskedDevice {
  organization_id: number
  device_id: number
}

export async function findAskedDevice(
  db: Queryable,
  account: NamingAccount,
  eui: string,
): Promise<AskedDevice | undefined> {
  const devices = await db.query<AskedDevice>(
    `select organization_id, id as device_id from (${namedDevice}) as named`,
    namedDeviceValues(account, eui),
  )
  return devices[0]
}
