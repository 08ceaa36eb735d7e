import { networks } from '../../networks/index.ts'
import { NetworkError } from '../../networks/network-error.ts'
import { noteFailedCall } from '../connections/account-health.ts'
import { createLanes } from '../connections/network-work.ts'
import * as checkQueries from './check-queries.ts'
import { listWaiting } from './downlink-queries.ts'
import { isQueueChecked } from './expected-reports.ts'
import { claimMilliseconds, type HandOverDependencies } from './hand-over.ts'
import { settleMissing } from './missing-downlinks.ts'
import * as queueQueries from './queue-queries.ts'
import { openQueue } from './queue-surgery.ts'

/** Compares the queues at the networks with what we know to be in them. */
export interface QueueChecks {
  /** Makes the checks that are due, in the background. */
  wake(): void
  /** Looks at one device's queue now; nothing is learnt while others speak with its network. */
  checkNow(check: checkQueries.QueueCheck): Promise<void>
  /** Waits until no check is under way. */
  idle(): Promise<void>
  /** The same, and none is begun after it. */
  close(): Promise<void>
}

/** In seconds: when others speak with the network, when it failed, and for a report under way. */
const pauses = { busy: 5, failed: 60, open: 60 }

/** `wakeSender` hands over what was queued anew. */
export function createQueueChecks(
  dependencies: HandOverDependencies,
  wakeSender: () => void,
): QueueChecks {
  const { db, log, now } = dependencies
  const reportFailure = (error: unknown) => log.error({ err: error }, 'looking at queues failed')
  const lanes = createLanes({
    list: async () => {
      await checkQueries.dropNeedlessChecks(db)
      return checkQueries.listCheckLanes(db, now())
    },
    claim: async (lane, most) => {
      const checks = await checkQueries.claimChecks(db, lane, most)
      return checks.map((check) => async () => {
        await checkQueries.endCheck(db, check, await look(dependencies, check))
        wakeSender()
      })
    },
    reportFailure,
  })
  return {
    wake: lanes.wake,
    async checkNow(check) {
      await look(dependencies, check)
    },
    idle: lanes.idle,
    async close() {
      lanes.close()
      await lanes.idle()
    },
  }
}

/** Of queues that have long held a downlink, at a time. */
const mostOldQueues = 500

/** Has the queues looked at that have held a downlink for a day. */
export async function lookAtOldQueues({ db }: Pick<HandOverDependencies, 'db'>): Promise<void> {
  const checked = networks.map(({ key }) => key).filter(isQueueChecked)
  await checkQueries.scheduleOldQueues(db, checked, mostOldQueues)
}

/** Returns in how many seconds it is worth another look; undefined when all is known. */
async function look(
  dependencies: HandOverDependencies,
  check: checkQueries.QueueCheck,
): Promise<number | undefined> {
  const { db, now, signals, presence } = dependencies
  const { organization_id, device_id } = check
  const claimedUntil = new Date(now().getTime() + claimMilliseconds)
  const times = { now: now(), claimedUntil, claimedBy: presence.id }
  const claim = await queueQueries.claimQueue(db, organization_id, device_id, times)
  if (!claim) return pauses.busy
  try {
    return await lookClaimed(dependencies, claim)
  } finally {
    await db.transaction(async (tx) => {
      await queueQueries.lockQueue(tx, organization_id, device_id)
      await checkQueries.noteChecked(tx, check)
      await queueQueries.releaseClaim(tx, claim, { now: now() })
    })
    signals.tell(queueQueries.queueTopic(device_id))
  }
}

async function lookClaimed(
  dependencies: HandOverDependencies,
  claim: queueQueries.QueueClaim,
): Promise<number | undefined> {
  const { db, log, now } = dependencies
  const waiting = await listWaiting(db, claim.organization_id, claim.device_id)
  if (!waiting.some(({ state }) => state === 'handed_over')) return undefined
  const route = await queueQueries.findRoute(db, claim.organization_id, claim.device_id)
  if (!route) return pauses.failed
  try {
    const { connection, eui } = await openQueue(dependencies, route, claim)
    const session = await connection.readSession?.(eui)
    const items = await connection.listDownlinks?.(eui)
    const open = await settleMissing(dependencies, claim, { items, session })
    return open.length > 0 ? pauses.open : undefined
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    log.warn({ eui: route.eui, reason: error.message }, 'network')
    await noteFailedCall(db, route.account_id, error, now())
    // It does not know the device, say: the next uplink asks again.
    return error.kind === 'refused' ? undefined : pauses.failed
  }
}
