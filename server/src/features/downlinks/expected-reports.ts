import type { Queryable } from '../../db/connect.ts'
import { findNetwork } from '../../networks/index.ts'
import { scheduleChecks } from './check-queries.ts'

/** Whether a network tells enough for its queues to be looked at. */
export function isQueueChecked(network: string): boolean {
  const can = findNetwork(network)?.capabilities
  return can?.downlinks === 'pushed' && can.reports?.includes('sent') === true
}

/** Devices to look at in one statement. */
const batchSize = 5_000

/** Has the queues of these devices looked at that their network holds downlinks for. */
export async function lookAtQueues(
  db: Queryable,
  network: string,
  deviceIds: readonly number[],
): Promise<void> {
  if (!isQueueChecked(network)) return
  for (let start = 0; start < deviceIds.length; start += batchSize) {
    await scheduleChecks(db, deviceIds.slice(start, start + batchSize), 'comparison')
  }
}

/**
 * Devices that were heard, and for which their network holds downlinks, have their queues looked at
 * when the network has had the time to report what it sent after the uplink.
 */
export async function expectReports(
  tx: Queryable,
  devices: readonly { id: number; network: string }[],
): Promise<void> {
  const ids = devices.filter(({ network }) => isQueueChecked(network)).map(({ id }) => id)
  if (ids.length > 0) await scheduleChecks(tx, [...new Set(ids)], 'uplink')
}
