import type { Queryable } from '../../db/connect.ts'
import type { DownlinkEvent } from '../../networks/network-message.ts'
import {
  type NamingAccount,
  namedDevice,
  namedDeviceValues,
} from '../inventory/named-device-queries.ts'
import { columns, type HandedOver, type StoredDownlink, toGiven } from './downlink-queries.ts'

/** Finds out which downlink a network's event or a sensor's answer is about. */

/** The downlink that a network calls by this id of its own. */
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

/** The EUI of the device whose downlink the network of an account calls by this id of its own. */
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
     where downlinks.queue_item_id = $1 and devices.network = $2 and devices.deleted_at is null
       and ${account.isVendor ? "devices.register_method = 'vendor'" : 'downlinks.organization_id = $3'}
     order by downlinks.id desc
     limit 1`,
    [queueItemId, account.network, ...(account.isVendor ? [] : [account.organizationId])],
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
 * The downlink that a device answers. With the echo of newer firmware, the latest sent of these
 * bytes, or else the oldest of them that the network may have sent without our knowing; without
 * one, the latest sent, or else the oldest at the network. What has failed for want of a report
 * comes last.
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
 * Those of the devices that have a downlink which their uplink tells something about: to `windowed`
 * one that the network holds, to `answering` one in any state before its end.
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
  /** Of the downlink that it is about. */
  downlink_id: number
  kind: `downlink_${DownlinkEvent['state']}`
  reason: string | null
}

/** What the network has told of these items already, in the order in which it was told. */
export function listEvents(
  tx: Queryable,
  organizationId: number,
  handedOver: readonly HandedOver[],
): Promise<EarlyEvent[]> {
  return tx.query<EarlyEvent>(
    `select given.id as downlink_id, events.kind, events.details ->> 'reason' as reason
     from json_to_recordset($2) as given (id bigint, device_id bigint, item text)
     join network_events as events on events.organization_id = $1
       and events.device_id = given.device_id and events.details ->> 'queue_item_id' = given.item
       and events.kind like 'downlink%'
     order by events.id`,
    [organizationId, JSON.stringify(handedOver.map(toGiven))],
  )
}

/** What is told when a network has reported something of a device's downlinks. */
export function reportTopic(deviceId: number): string {
  return `reports ${deviceId}`
}

/** Those of the network's items that it has told anything about, so that they have left its queue. */
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

/** Those of the network's items that a downlink of the device is known by. */
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

/** A device whose network asks for its next downlink. */
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
