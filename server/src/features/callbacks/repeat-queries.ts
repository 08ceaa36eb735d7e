import type { Queryable } from '../../db/connect.ts'
import { normalizeEui } from '../../lora/eui.ts'
import type { Uplink } from '../../networks/network-message.ts'
import type { SendingAccount } from '../connections/sending-account.ts'

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
  account: SendingAccount,
  { devEui, deduplicationKey, receivedAt }: Uplink,
): Promise<string> {
  const stem = deduplicationKey.slice(0, -receivedAt.length)
  const earliest = new Date(Date.parse(receivedAt) - longestAgo).toISOString()
  const [first] = await db.query<{ key: string }>(
    `select uplinks.deduplication_key as key
     from (
       select id, organization_id from devices
       where not $3 and organization_id = $2 and eui = $1 and deleted_at is null
       union all
       select id, organization_id from devices
       where $3 and register_method = 'vendor' and network = $7 and eui = $1 and deleted_at is null
     ) as named
     join uplinks on uplinks.organization_id = named.organization_id
       and uplinks.device_id = named.id
     where uplinks.deduplication_key >= $4 and uplinks.deduplication_key <= $5
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
      account.network,
    ],
  )
  return first?.key ?? deduplicationKey
}
