import type { Queryable } from '../../db/connect.ts'
import { normalizeEui } from '../../lora/eui.ts'
import type { Arrival } from './arrival.ts'
import { keepInQuarantine, writeUplink } from './quarantine.ts'
import type { QuarantineReason } from './quarantine-queries.ts'

/** Quarantines messages that no row can hold, with the reason. */
export function quarantineUnstorable(
  db: Queryable,
  arrivals: readonly Arrival[],
  detail: string,
): Promise<void> {
  return quarantine(db, arrivals, 'not_storable', detail)
}

/** Quarantines messages for this reason, with the detail that its members read. */
export async function quarantine(
  db: Queryable,
  arrivals: readonly Arrival[],
  reason: QuarantineReason,
  detail: string,
): Promise<void> {
  await keepInQuarantine(
    db,
    arrivals.map(({ account, uplink, message }) => ({
      organization_id: account.organizationId,
      network_account_id: account.id,
      reason,
      detail,
      device_eui: normalizeEui(uplink.devEui),
      deduplication_key: uplink.deduplicationKey,
      message,
      uplink: reason === 'unknown_device' ? writeUplink(uplink) : undefined,
    })),
  )
}
