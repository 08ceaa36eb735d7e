import { doTogether } from '../../db/together.ts'
import { createAwaitedCalls } from '../network-accounts/awaited-calls.ts'
import { listLanes } from '../network-accounts/lane-queries.ts'
import { createLanes } from '../network-accounts/lanes.ts'
import { findQueue } from './due-queues.ts'
import {
  claimHandOvers,
  type HandOverDependencies,
  noteAllTaken,
  type Sending,
  type TakenDownlink,
} from './hand-over.ts'
import { queueTopic } from './queue-queries.ts'

/** Brings queued downlinks to their networks (ARCHITECTURE.md, "The life of a downlink"). */
export interface DownlinkSender {
  /**
   * Hands over what is due for a device, or waits for whoever is doing so just now; returns within
   * the patience of a request. Who knows its organization spares looking for it.
   */
  sendNow(deviceId: number, organizationId?: number): Promise<void>
  /** Hands over all that is due, in the background. */
  wake(): void
  /** Waits until no hand-over is under way. */
  idle(): Promise<void>
  /** The same, and none is begun after it. */
  close(): Promise<void>
}

interface QueueOfDevice {
  deviceId: number
  organizationId: number
}

/** How long POST /devices/{device_id}/configure waits for the network before it answers. */
const patienceMilliseconds = 8_000

export function createDownlinkSender(dependencies: HandOverDependencies): DownlinkSender {
  const { db, log, now, signals } = dependencies
  const awaited = new Set<Promise<void>>()
  const inTurn = createAwaitedCalls()
  let isClosed = false
  const reportFailure = (error: unknown) => log.error({ err: error }, 'sending downlinks failed')

  const sending: Sending = {
    ...dependencies,
    noteTaken: doTogether(
      (taken: readonly TakenDownlink[]) => noteAllTaken(dependencies, taken),
      ({ queue }) => queue.organization_id,
    ),
  }
  const lanes = createLanes({
    list: () => listLanes(db, 'downlink_queues', now()),
    claim: async (lane, most) => [...(await claimHandOvers(sending, lane, most)).values()],
    reportFailure,
  })
  const claimNow = doTogether(
    async (asked: readonly QueueOfDevice[]) => {
      const deviceIds = asked.map(({ deviceId }) => deviceId)
      const claimed = await claimHandOvers(sending, { deviceIds }, deviceIds.length)
      return deviceIds.map((id) => {
        const handOver = claimed.get(id)
        claimed.delete(id)
        return handOver
      })
    },
    ({ organizationId }) => organizationId,
  )
  /** Whether nothing is queued any more. */
  const handOverAll = async (queue: QueueOfDevice, giveUpAt: number): Promise<boolean> => {
    while (!isClosed && performance.now() < giveUpAt) {
      const handOver = await claimNow(queue)
      if (!handOver) return false
      if (!(await handOver())) return true
    }
    return false
  }
  /** Once more after others let go of the queue: they may have come before what is to be sent. */
  const handOverOrWait = async (deviceId: number, knownId?: number): Promise<void> => {
    const giveUpAt = performance.now() + patienceMilliseconds
    const find = () => findQueue(db, deviceId, now())
    const organizationId = knownId ?? (await find())?.organizationId
    if (organizationId === undefined) return
    const isFree = async () => {
      const known = isClosed ? undefined : await find()
      return known?.isClaimed ? undefined : true
    }
    let isDone = false
    const handOverInTurn = () =>
      inTurn(organizationId, async () => {
        isDone = await handOverAll({ deviceId, organizationId }, giveUpAt)
      })
    await handOverInTurn()
    if (isDone || (await isFree())) return
    await signals.waitFor(queueTopic(deviceId), isFree, giveUpAt - performance.now())
    await handOverInTurn()
  }
  const idle = async () => {
    while (awaited.size > 0) await Promise.all(awaited)
    await lanes.idle()
  }
  return {
    async sendNow(deviceId, organizationId) {
      if (isClosed) return
      // A failure is logged: what was not handed over stays queued, and is tried again.
      const work = handOverOrWait(deviceId, organizationId)
        .catch(reportFailure)
        .finally(() => awaited.delete(work))
      awaited.add(work)
      await waitAWhile(work)
    },
    wake: lanes.wake,
    idle,
    async close() {
      isClosed = true
      lanes.close()
      await idle()
    },
  }
}

function waitAWhile(work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, patienceMilliseconds)
    void work.then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
