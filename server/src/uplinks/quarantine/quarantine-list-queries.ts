import type { Queryable } from '../../db/connect.ts'
import type { Moment } from '../../http/timestamps.ts'
import type { QuarantineReason } from '../store/quarantine-queries.ts'

// A tenant has at most 100,000 messages in its quarantines (`uplinks/quarantine.ts`),
// so reading all of an account is bounded. Messages on their way out are left out.

/** The messages of one EUI, with what its newest one tells. */
export interface QuarantinedEui {
  device_eui: string
  count: number
  first_received_at: Moment
  last_received_at: Moment
  reason: QuarantineReason
  detail: string
  uplink: string | null
  is_registered: boolean
}

/** The last row of the page before. */
export interface EuiCursor {
  receivedAt: string
  eui: string
}

interface EuiPage {
  search: string
  after: EuiCursor | undefined
  limit: number
}

/** The EUIs that were heard last come first. */
export function listEuis(
  db: Queryable,
  organizationId: number,
  accountId: number,
  { search, after, limit }: EuiPage,
): Promise<QuarantinedEui[]> {
  return db.query<QuarantinedEui>(
    `with euis as (
       select device_eui, count(*) as count, max(id) as newest_id,
         min(received_at) as first_received_at, max(received_at) as last_received_at
       from quarantined_messages
       where organization_id = $1 and network_account_id = $2 and not is_released
         and position($3 in device_eui) > 0
       group by device_eui
     )
     select euis.device_eui, euis.count, euis.first_received_at, euis.last_received_at,
       newest.reason, newest.detail, newest.uplink,
       exists (
         select from devices
         where devices.organization_id = $1 and devices.eui = euis.device_eui
           and devices.deleted_at is null
       ) as is_registered
     from euis
     join quarantined_messages as newest on newest.organization_id = $1
       and newest.id = euis.newest_id
     where $4::timestamptz is null
       or (euis.last_received_at, euis.device_eui) < ($4, $5::text)
     order by euis.last_received_at desc, euis.device_eui desc
     limit $6`,
    [organizationId, accountId, search, after?.receivedAt, after?.eui, limit],
  )
}

export async function countEuis(
  db: Queryable,
  organizationId: number,
  accountId: number,
  search: string,
): Promise<{ euis: number; messages: number }> {
  const [counts] = await db.query<{ euis: number; messages: number }>(
    `select count(distinct device_eui) as euis, count(*) as messages
     from quarantined_messages
     where organization_id = $1 and network_account_id = $2 and not is_released
       and position($3 in device_eui) > 0`,
    [organizationId, accountId, search],
  )
  return counts ?? { euis: 0, messages: 0 }
}

export interface QuarantinedRow {
  id: number
  received_at: Moment
  reason: QuarantineReason
  detail: string
  message: Buffer
  uplink: string | null
}

/** The newest messages of an EUI, by the index that keeps an account's messages unique. */
export function listMessages(
  db: Queryable,
  organizationId: number,
  accountId: number,
  { eui, limit }: { eui: string; limit: number },
): Promise<QuarantinedRow[]> {
  return db.query<QuarantinedRow>(
    `select id, received_at, reason, detail, message, uplink
     from quarantined_messages
     where organization_id = $1 and network_account_id = $2 and device_eui = $3
       and not is_released
     order by id desc
     limit $4`,
    [organizationId, accountId, eui, limit],
  )
}
