import type { Queryable } from '../../../db/connect.ts'
import type { Page } from '../../../http/pages.ts'
import type { Moment } from '../../../http/timestamps.ts'
import type { ReadingValue, StatusChange } from '../../../sensors/sensor.ts'
import { latestUplink } from '../../../uplinks/rows/by-ordinal.ts'

/** A device's state with its last uplink and its last downlink. */
export interface LatestStatus {
  device_eui: string
  last_seen: Moment | null
  status: StatusChange
  rssi: number | null
  snr: number | null
  decoded_object: Record<string, ReadingValue> | null
  downlink_state: string | null
}

/**
 * A page of the devices with these EUIs (in upper case), or of all of them, in the order of their
 * ids. The last uplink and the last downlink of each are one look-up in an index.
 */
export async function listLatestStatus(
  db: Queryable,
  organizationId: number,
  euis: readonly string[] | undefined,
  page: Page,
): Promise<{ total: number; devices: LatestStatus[] }> {
  const isChosen = euis !== undefined
  const chosen = `from devices where devices.organization_id = $1 and devices.deleted_at is null
    ${isChosen ? 'and devices.eui = any($4::text[])' : ''}`
  const total = isChosen ? `(select count(*) ${chosen})` : 'organizations.device_count'
  const rows = await db.query<LatestStatus & { total: number }>(
    `select ${total} as total, page.device_eui, states.last_seen, states.status, latest.rssi,
       latest.snr, latest.decoded_object, (
         select downlinks.state from downlinks
         where downlinks.organization_id = $1 and downlinks.device_id = page.id
         order by downlinks.id desc limit 1
       ) as downlink_state
     from organizations
     left join lateral (
       select devices.id, devices.device_eui ${chosen}
       order by devices.id limit (select $2::bigint) offset (select $3::bigint)
     ) as page on true
     left join device_states as states on states.organization_id = $1
       and states.device_id = page.id
     left join lateral ${latestUplink(
       'uplinks.rssi, uplinks.snr, uplinks.decoded_object',
     )} as latest on true
     where organizations.id = $1
     order by page.id`,
    [organizationId, page.size, (page.number - 1) * page.size, ...(isChosen ? [euis] : [])],
  )
  return {
    total: rows[0]?.total ?? 0,
    devices: rows.filter((row) => (row.device_eui as string | null) !== null),
  }
}
