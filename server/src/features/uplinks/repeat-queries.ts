import type { Queryable } from '../../db/connect.ts'
import { normalizeEui } from '../../lora/eui.ts'
import type { Uplink } from '../../networks/network-message.ts'
import type { CallbackAccount } from './ingest-queue.ts'

/**
 * How long before it comes again a message without a time can have come first, in milliseconds: a
 * restart, or a connection that was lost. Of equal frames that come further apart each counts.
 */
const longestAgo = 10 * 60 * 1000

/**
 * The key under which a message that tells no time and comes again was stored, or else its own.
 * Keys of such messages are alike up to the time of their arrival, which ends them.
 */
export async function findFirstKey(
  db: Queryable,
  account: CallbackAccount,
  { devEui, deduplicationKey, receivedAt }: Uplink,
): Promise<string> {
  const stem = deduplicationKey.slice(0, -receivedAt.length)
  const earliest = new Date(Date.parse(receivedAt) - longestAgo).toISOString()
  const [first] = await db.query<{ key: string }>(
    `select uplinks.deduplication_key as key
     from devices
     join uplinks on uplinks.organization_id = devices.organization_id
       and uplinks.device_id = devices.id
     where devices.eui = $1 and devices.deleted_at is null
       and (devices.organization_id = $2 or ($3 and devices.register_method = 'vendor'))
       and uplinks.deduplication_key >= $4 and uplinks.deduplication_key <= $5
       and starts_with(uplinks.deduplication_key, $6)
     order by uplinks.deduplication_key desc
     limit 1`,
    [
      normalizeEui(devEui),
      account.organizationId,
      account.isVendor,
      stem + earliest.replace('Z', '000Z'),
      deduplicationKey,
      stem,
    ],
  )
  return first?.key ?? deduplicationKey
}
