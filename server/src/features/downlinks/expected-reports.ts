import type { Queryable } from '../../db/connect.ts'
import { findNetwork } from '../../networks/index.ts'
import { scheduleChecks } from './check-queries.ts'

/** Whether a network tells enough for its queues to be looked at. */
export function isQueueChecked(network: string): boolean {
  const can = findNetwork(network)?.adapter?.capabilities
  return can?.downlinks === 'pushed' && can.reports.includes('sent')
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
