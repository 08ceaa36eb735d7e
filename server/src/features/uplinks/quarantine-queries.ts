import { createHash } from 'node:crypto'
import type { Queryable } from '../../db/connect.ts'

/** Nobody registered the device; or no row can hold what the message says. */
export type QuarantineReason = 'unknown_device' | 'not_storable'

export interface QuarantinedMessage {
  organization_id: number
  network_account_id: number
  reason: QuarantineReason
  detail: string
  device_eui: string
  deduplication_key: string
  /** Hexadecimal. */
  message: string
  /** Of an unknown device, as `writeUplink` writes it: JSON, in which every character is storable. */
  uplink?: string
}

/**
 * Keeps the messages and counts them once each, however often they are sent. It has to take what
 * nothing else takes, so the texts that come from a network are made fit first. The counters are
 * locked in the order of all writers.
 */
export async function quarantine(db: Queryable, messages: QuarantinedMessage[]): Promise<void> {
  await db.query(
    `with kept as (
       insert into quarantined_messages (
         organization_id, network_account_id, reason, detail, device_eui, deduplication_key, message,
         uplink
       )
       select organization_id, network_account_id, reason, detail, device_eui, deduplication_key,
         decode(message, 'hex'), uplink
       from json_to_recordset($1::json) as incoming (
         organization_id bigint, network_account_id bigint, reason text, detail text,
         device_eui text, deduplication_key text, message text, uplink text
       )
       order by network_account_id, device_eui, deduplication_key
       on conflict do nothing
       returning organization_id
     ), locked as (
       select organization_id
       from organization_counters
       where organization_id in (select organization_id from kept)
       order by organization_id
       for update
     ), fresh as (
       select kept.organization_id, count(*) as messages
       from kept
       join locked on locked.organization_id = kept.organization_id
       group by kept.organization_id
     )
     update organization_counters
     set quarantine_count = organization_counters.quarantine_count + fresh.messages
     from fresh
     where organization_counters.organization_id = fresh.organization_id`,
    [JSON.stringify(messages.map(makeStorable))],
  )
}

function makeStorable(message: QuarantinedMessage): QuarantinedMessage {
  return {
    ...message,
    device_eui: storableText(message.device_eui),
    deduplication_key: storableText(message.deduplication_key),
  }
}

/** Far below what a row of an index holds (2,704 bytes, nbtree.h), three texts to the row. */
const longestKey = 500

/**
 * Different texts stay different. NUL and halves of surrogate pairs, which PostgreSQL has no
 * characters for, come out as JSON writes them; of a long text the hash is left.
 */
function storableText(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1)
  if (Buffer.byteLength(escaped) <= longestKey) return escaped
  return createHash('sha256').update(escaped).digest('hex')
}
