import type { Queryable } from '../../db/connect.ts'
import type { SendingAccount } from '../../features/accounts/connections/sending-account.ts'
import { normalizeEui } from '../../lora/eui.ts'
import type { Uplink } from '../../networks/network-message.ts'
import { entryOf, windowEntry, windowOf } from '../rows/by-time.ts'

/**
 * The longest time between a message without a time and its repeat, in milliseconds: a restart, or
 * a lost connection. Equal frames further apart count as separate uplinks.
 */
const longestAgo = 10 * 60 * 1000

/**
 * Returns the key of the first copy of a repeated message without a time, or the own key of the
 * message if there is no earlier copy. The keys of such copies differ only in their ends, which are
 * their times of arrival.
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
       union all
       select id, organization_id from devices
       where $3 and other_method = 'vendor' and other_network = $7 and eui = $1
         and deleted_at is null
     ) as named
     cross join generate_series(
       ${windowOf('$4::timestamptz')}, ${windowOf('$5::timestamptz')}
     ) as place (number)
     join uplinks on uplinks.organization_id = named.organization_id
       and ${windowEntry('uplinks')} = ${entryOf('place.number', 'named.id')}
     where uplinks.event_time >= $4::timestamptz and uplinks.event_time <= $5::timestamptz
       and starts_with(uplinks.deduplication_key, $6)
     order by uplinks.event_time desc
     limit 1`,
    [
      normalizeEui(devEui),
      account.organizationId,
      account.isVendor,
      earliest,
      receivedAt,
      stem,
      account.network,
    ],
  )
  return first?.key ?? deduplicationKey
}
