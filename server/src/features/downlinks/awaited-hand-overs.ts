import { doTogether } from '../../db/together.ts'
import { createAwaitedCalls } from '../connections/awaited-calls.ts'
import type { WrittenDownlink } from './downlink-writer.ts'
import { type ClaimedHandOver, claimQueues, type Sending, toHandOver } from './hand-over.ts'
import { findQueue } from './queue-claim-queries.ts'
import { queueTopic } from './queue-queries.ts'

/** The hand-overs that requests wait for, each when it is its turn in its organization. */
export interface AwaitedHandOvers {
  /** Whether one of the organization that is asked for now has its turn at once. */
  isFree(organizationId: number): boolean
  /** Hands over what is due for a device, or waits for whoever is doing so just now. */
  handOver(queue: QueueOfDevice): Promise<void>
  /** In its turn, what is due for a device whose queue `claim` claims; that first. */
  handOverClaimed(
    queue: QueueOfDevice,
    claim: () => Promise<ClaimedHandOver | undefined>,
  ): Promise<Outcome | undefined>
}

export type QueueOfDevice = Pick<WrittenDownlink, 'deviceId' | 'organizationId'>

/** `done`: nothing is queued any more; `refused`: neither, but not all was taken; or else `left`. */
export type Outcome = 'done' | 'refused' | 'left'

/** How long POST /devices/{device_id}/configure waits for the network before it answers. */
export const patienceMilliseconds = 8_000

export function createAwaitedHandOvers(
  sending: Sending,
  isClosed: () => boolean,
): AwaitedHandOvers {
  const { db, now, signals } = sending
  const { inTurn, isFree } = createAwaitedCalls()
  const claimNow = claimTogether(sending)
  const handOverAll = async (
    queue: QueueOfDevice,
    giveUpAt: number,
    first?: ClaimedHandOver,
  ): Promise<Outcome> => {
    let isRefused = false
    let handOver = first
    while (!isClosed() && performance.now() < giveUpAt) {
      handOver ??= await claimNow(queue)
      if (!handOver) return 'left'
      const result = await handOver()
      isRefused ||= result.isRefused
      if (!result.isMore) return isRefused ? 'refused' : 'done'
      handOver = undefined
    }
    // A claim that nobody uses any more would hold up the background.
    await handOver?.()
    return 'left'
  }
  return {
    isFree,
    async handOver(queue) {
      const giveUpAt = performance.now() + patienceMilliseconds
      const isLetGo = async () => {
        const known = isClosed() ? undefined : await findQueue(db, queue.deviceId, now())
        return known?.isClaimed ? undefined : true
      }
      let outcome: Outcome = 'left'
      const handOverInTurn = () =>
        inTurn(queue.organizationId, async () => {
          outcome = await handOverAll(queue, giveUpAt)
        })
      await handOverInTurn()
      if (outcome !== 'left' || (await isLetGo())) return
      await signals.waitFor(queueTopic(queue.deviceId), isLetGo, giveUpAt - performance.now())
      // Once more: the others may have come before what is to be sent.
      await handOverInTurn()
    },
    async handOverClaimed(queue, claim) {
      const giveUpAt = performance.now() + patienceMilliseconds
      let outcome: Outcome | undefined
      await inTurn(queue.organizationId, async () => {
        const first = await claim()
        if (first) outcome = await handOverAll(queue, giveUpAt, first)
      })
      return outcome
    },
  }
}

/** Claims the queues of devices of one organization together. */
function claimTogether(sending: Sending) {
  return doTogether(
    async (asked: readonly QueueOfDevice[]) => {
      const what = { deviceIds: asked.map(({ deviceId }) => deviceId) }
      const queues = await claimQueues(sending, sending.db, what, asked.length)
      const byDevice = new Map(queues.map((queue) => [queue.device_id, queue]))
      return what.deviceIds.map((id) => {
        const queue = byDevice.get(id)
        byDevice.delete(id)
        return queue && toHandOver(sending, queue)
      })
    },
    ({ organizationId }) => organizationId,
  )
}
