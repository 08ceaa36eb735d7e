import { doTogether } from '../../db/together.ts'
import { listLanes } from '../connections/lane-queries.ts'
import { createLanes } from '../connections/network-work.ts'
import { createAwaitedHandOvers, type Outcome, patienceMilliseconds } from './awaited-hand-overs.ts'
import type { DownlinkWriter, WrittenDownlink } from './downlink-writer.ts'
import {
  claimQueues,
  type HandOverDependencies,
  noteAllTaken,
  type Sending,
  type TakenDownlink,
  toHandOver,
} from './hand-over.ts'
import type { Creation } from './ledger.ts'
import { findQueue } from './queue-claim-queries.ts'

/** Brings queued downlinks to their networks (ARCHITECTURE.md, "The life of a downlink"). */
export interface DownlinkSender {
  /**
   * Writes a new downlink, and hands over what is due for its device, or waits for whoever is doing
   * so just now; returns within the patience of a request. `isTaken`: the network has it for sure.
   */
  send(downlink: WrittenDownlink): Promise<{ creation: Creation; isTaken: boolean }>
  /** Hands over what is due for a device as `send` does. */
  sendNow(deviceId: number): Promise<void>
  /** Hands over all that is due, in the background. */
  wake(): void
  /** Waits until no hand-over is under way. */
  idle(): Promise<void>
  /** The same, and none is begun after it. */
  close(): Promise<void>
}

export function createDownlinkSender(
  dependencies: HandOverDependencies & { downlinkWriter: DownlinkWriter },
): DownlinkSender {
  const { db, log, now, downlinkWriter } = dependencies
  const awaited = new Set<Promise<void>>()
  let isClosed = false
  const reportFailure = (error: unknown) => log.error({ err: error }, 'sending downlinks failed')

  const sending: Sending = {
    ...dependencies,
    noteTaken: doTogether(
      (taken: readonly TakenDownlink[]) => noteAllTaken(dependencies, taken),
      ({ queue }) => queue.organization_id,
    ),
  }
  const handOvers = createAwaitedHandOvers(sending, () => isClosed)
  const lanes = createLanes({
    list: () => listLanes(db, 'downlink_queues', now()),
    claim: async (lane, most) => {
      const queues = await claimQueues(dependencies, db, lane, most)
      return queues.map((queue) => toHandOver(sending, queue))
    },
    reportFailure,
  })
  /** A failure is logged: what was not handed over stays queued, and is tried again. */
  const withPatience = async (making: Promise<void>): Promise<void> => {
    const work = making.catch(reportFailure).finally(() => awaited.delete(work))
    awaited.add(work)
    await waitAWhile(work)
  }
  /** Where the network can be called at once, the queue is claimed as the downlink is written. */
  const writeAndHandOver = async (downlink: WrittenDownlink) => {
    const written = Promise.withResolvers<Creation>()
    let reached: { outcome: Outcome | undefined } | undefined
    const claim = async () => {
      const made = await downlinkWriter
        .write({ ...downlink, isClaimed: true })
        .catch(written.reject)
      if (made) written.resolve(made.creation)
      return made?.queue && toHandOver(sending, made.queue)
    }
    const making = handOvers.handOverClaimed(downlink, claim).then((outcome) => {
      reached = { outcome }
    })
    const creation = await written.promise
    await withPatience(making)
    const isInOtherHands = reached && reached.outcome === undefined
    if (isInOtherHands && typeof creation === 'object')
      await withPatience(handOvers.handOver(downlink))
    return { creation, isTaken: reached?.outcome === 'done' }
  }
  const idle = async () => {
    while (awaited.size > 0) await Promise.all(awaited)
    await lanes.idle()
  }
  return {
    async send(downlink) {
      const { organizationId, failure } = downlink
      const isAtOnce = !isClosed && failure === undefined && handOvers.isFree(organizationId)
      if (isAtOnce) return writeAndHandOver(downlink)
      const { creation } = await downlinkWriter.write(downlink)
      const isSent = !isClosed && failure === undefined && typeof creation === 'object'
      if (isSent) await withPatience(handOvers.handOver(downlink))
      return { creation, isTaken: false }
    },
    async sendNow(deviceId) {
      const queue = isClosed ? undefined : await findQueue(db, deviceId, now())
      if (!queue) return
      await withPatience(handOvers.handOver({ deviceId, organizationId: queue.organizationId }))
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
