import type { Queryable } from '../../db/connect.ts'
import { findNetwork, networks } from '../../networks/index.ts'
import { NetworkError } from '../../networks/network-error.ts'
import { noteFailedCall } from '../accounts/connections/account-health.ts'
import { claimFromNow } from '../accounts/connections/attempts.ts'
import type { ConnectionServices } from '../accounts/connections/connections.ts'
import { createNetworkWork } from '../accounts/connections/network-work.ts'
import * as checkQueries from './check-queries.ts'
import { listWaiting } from './downlink-queries.ts'
import { settleMissing } from './missing-downlinks.ts'
import { releaseQueues } from './queue-claims.ts'
import * as queueQueries from './queue-queries.ts'
import { openQueue } from './still-queue.ts'

/** Compares the queues at the networks with the downlinks that they should hold. */
export interface QueueChecks {
  /** Makes the checks that are due, in the background. */
  wake(): void
  /** Checks one device's queue now. Does nothing while another claim holds the queue. */
  checkNow(check: checkQueries.QueueCheck): Promise<void>
  /** Waits until no check is under way. */
  idle(): Promise<void>
  /** The same, and starts no check afterwards. */
  close(): Promise<void>
}

/**
 * Seconds until the next check. `busy`: another claim holds the queue. `failed`: the call to the
 * network failed. `open`: a report may still come.
 */
const pauses = { busy: 5, failed: 60, open: 60 }

/** `wakeSender` starts the hand-over of downlinks that a check queued again. */
export function createQueueChecks(
  services: ConnectionServices,
  wakeSender: () => void,
): QueueChecks {
  const { db, log, now } = services
  const reportFailure = (error: unknown) => log.error({ err: error }, 'looking at queues failed')
  const work = createNetworkWork({
    list: async () => {
      await checkQueries.dropNeedlessChecks(db)
      return checkQueries.listCheckLanes(db, now())
    },
    claim: async (lane, most) => {
      const checks = await checkQueries.claimChecks(db, lane, most)
      return checks.map((check) => async () => {
        await checkQueries.endCheck(db, check, await look(services, check))
        wakeSender()
      })
    },
    reportFailure,
  })
  return {
    wake: work.wake,
    async checkNow(check) {
      const isOver = (await look(services, check)) === undefined
      if (!isOver)
        await checkQueries.scheduleChecks(db, [check.device_id], 'uplink', [check.organization_id])
    },
    idle: work.idle,
    close: work.close,
  }
}

/** Whether a network reports enough for checks of its queues. */
export function isQueueChecked(network: string): boolean {
  const can = findNetwork(network)?.capabilities
  return can?.downlinks === 'pushed' && can.reports?.includes('sent') === true
}

/** Devices for which one statement schedules checks. */
const batchSize = 5_000

/** Schedules a check for each of the devices that has downlinks in its network's queue. */
export async function lookAtQueues(
  db: Queryable,
  network: string,
  deviceIds: readonly number[],
): Promise<void> {
  if (!isQueueChecked(network)) return
  for (let start = 0; start < deviceIds.length; start += batchSize) {
    await checkQueries.scheduleChecks(db, deviceIds.slice(start, start + batchSize), 'comparison')
  }
}

/**
 * Schedules checks for devices that sent an uplink and for which the network holds downlinks. The
 * check waits until the network has had time to report what it sent after the uplink.
 */
export async function expectReports(
  tx: Queryable,
  devices: readonly { id: number; organization_id: number; network: string }[],
): Promise<void> {
  const checked = devices.filter(({ network }) => isQueueChecked(network))
  if (checked.length === 0) return
  const ids = new Set(checked.map(({ id }) => id))
  const organizations = new Set(checked.map(({ organization_id }) => organization_id))
  await checkQueries.scheduleChecks(tx, [...ids], 'uplink', [...organizations])
}

/** The most old queues that one call schedules for a check. */
const mostOldQueues = 500

/** Schedules checks of the queues that have held a downlink for a day. */
export async function lookAtOldQueues({ db }: Pick<ConnectionServices, 'db'>): Promise<void> {
  const checked = networks.map(({ key }) => key).filter(isQueueChecked)
  await checkQueries.scheduleOldQueues(db, checked, mostOldQueues)
}

/** Checks one queue. Returns the seconds until the next check, or undefined if none is needed. */
async function look(
  services: ConnectionServices,
  check: checkQueries.QueueCheck,
): Promise<number | undefined> {
  const { organization_id, device_id } = check
  const claiming = claimFromNow(services)
  const claim = await queueQueries.claimQueue(services.db, organization_id, device_id, claiming)
  if (!claim) return pauses.busy
  try {
    return await lookClaimed(services, claim)
  } finally {
    await releaseQueues(services, [claim], undefined, (tx) => queueQueries.noteChecked(tx, check))
  }
}

async function lookClaimed(
  services: ConnectionServices,
  claim: queueQueries.QueueClaim,
): Promise<number | undefined> {
  const { db, log, now } = services
  const waiting = await listWaiting(db, claim.organization_id, claim.device_id)
  if (!waiting.some(({ state }) => state === 'handed_over')) return undefined
  const route = await queueQueries.findRoute(db, claim.organization_id, claim.device_id)
  if (!route) return pauses.failed
  try {
    const { connection, eui } = await openQueue(services, route, claim)
    const session = await connection.readSession?.(eui)
    const items = await connection.listDownlinks?.(eui)
    const open = await settleMissing(services, claim, { items, session })
    return open.length > 0 ? pauses.open : undefined
  } catch (error) {
    if (error instanceof queueQueries.ClaimLost) return pauses.busy
    if (!(error instanceof NetworkError)) throw error
    log.warn({ eui: route.eui, reason: error.message }, 'network')
    await noteFailedCall(db, route.account_id, error, now())
    // For example, the network does not have the device. The next uplink schedules another check.
    return error.kind === 'refused' ? undefined : pauses.failed
  }
}
