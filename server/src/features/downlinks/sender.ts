import { doTogether } from '../../db/together.ts'
import type { ConnectionServices } from '../accounts/connections/connections.ts'
import { listLanes } from '../accounts/connections/lane-queries.ts'
import {
  createNetworkWork,
  type NetworkWork,
  patienceMilliseconds,
} from '../accounts/connections/network-work.ts'
import type { DownlinkWriter, WrittenDownlink } from './downlink-writer.ts'
import {
  type ClaimedHandOver,
  noteAllTaken,
  type Sending,
  type TakenDownlink,
  toHandOver,
} from './hand-over.ts'
import type { Creation } from './ledger.ts'
import { claimQueues } from './queue-claims.ts'
import { isClaimed, queueTopic } from './queue-queries.ts'

/** Hands queued downlinks over to their networks (ARCHITECTURE.md, "The life of a downlink"). */
export interface DownlinkSender {
  /**
   * Writes a new downlink, and hands over the downlinks that are due for its device. If another
   * request or process is already doing so, this waits for it. Returns within the patience of a
   * request. `isTaken`: the network has the downlink.
   */
  send(downlink: WrittenDownlink): Promise<SentDownlink>
  /** Hands over the downlinks that are due for a device, as `send` does. */
  sendNow(queue: QueueOfDevice): Promise<void>
  /** Hands over all downlinks that are due, in the background. */
  wake(): void
  /** Waits until no hand-over is under way. */
  idle(): Promise<void>
  /** Starts no more hand-overs, and waits until none is under way. */
  close(): Promise<void>
}

interface SentDownlink {
  creation: Creation
  isTaken: boolean
}

interface Dependencies extends ConnectionServices {
  downlinkWriter: DownlinkWriter
}

export function createDownlinkSender(dependencies: Dependencies): DownlinkSender {
  const { db, log, now, downlinkWriter } = dependencies
  const sending: Sending = {
    ...dependencies,
    noteTaken: doTogether(
      (taken: readonly TakenDownlink[]) => noteAllTaken(dependencies, taken),
      ({ queue }) => queue.organization_id,
    ),
  }
  const work = createNetworkWork({
    list: () => listLanes(db, 'downlink_queues', now()),
    claim: async (lane, most) => {
      const queues = await claimQueues(dependencies, db, lane, most)
      return queues.map((queue) => toHandOver(sending, queue))
    },
    // A downlink that was not handed over stays queued, and is tried again.
    reportFailure: (error) => log.error({ err: error }, 'sending downlinks failed'),
  })
  const handOvers = createAwaitedHandOvers(sending, work)
  return {
    async send(downlink) {
      const isToSend = !work.isClosed() && downlink.failure === undefined
      if (isToSend && work.isFree(downlink.organizationId)) {
        return writeAndHandOver(sending, { downlinkWriter, handOvers, work }, downlink)
      }
      const { creation } = await downlinkWriter.write(downlink)
      if (isToSend && typeof creation === 'object') {
        await work.waitFor(handOvers.handOver(downlink))
      }
      return { creation, isTaken: false }
    },
    async sendNow(queue) {
      if (!work.isClosed()) await work.waitFor(handOvers.handOver(queue))
    },
    wake: work.wake,
    idle: work.idle,
    close: work.close,
  }
}

/**
 * Writes the downlink, claims its queue in the same transaction, and hands over what is due. Used
 * when the network can be called at once.
 */
async function writeAndHandOver(
  sending: Sending,
  {
    downlinkWriter,
    handOvers,
    work,
  }: Pick<Dependencies, 'downlinkWriter'> & {
    handOvers: AwaitedHandOvers
    work: NetworkWork
  },
  downlink: WrittenDownlink,
): Promise<SentDownlink> {
  const written = Promise.withResolvers<Creation>()
  let reached: { outcome: Outcome | undefined } | undefined
  const claim = async () => {
    const made = await downlinkWriter.write({ ...downlink, isClaimed: true }).catch(written.reject)
    if (made) written.resolve(made.creation)
    return made?.queue && toHandOver(sending, made.queue)
  }
  const handedOver = handOvers.handOverClaimed(downlink, claim).then((outcome) => {
    reached = { outcome }
  })
  const creation = await written.promise
  await work.waitFor(handedOver)
  const isInOtherHands = reached && reached.outcome === undefined
  if (isInOtherHands && typeof creation === 'object') {
    await work.waitFor(handOvers.handOver(downlink))
  }
  return { creation, isTaken: reached?.outcome === 'done' }
}

/** The hand-overs that requests wait for. Each waits for its turn in its organization. */
interface AwaitedHandOvers {
  /**
   * Hands over the downlinks that are due for a device. If another request or process is already
   * doing so, this waits for it.
   */
  handOver(queue: QueueOfDevice): Promise<void>
  /**
   * Calls `claim` when it is its turn, makes the claimed hand-over, and then hands over what else
   * is due for the device. Returns undefined if nothing was claimed.
   */
  handOverClaimed(
    queue: QueueOfDevice,
    claim: () => Promise<ClaimedHandOver | undefined>,
  ): Promise<Outcome | undefined>
}

type QueueOfDevice = Pick<WrittenDownlink, 'deviceId' | 'organizationId'>

/**
 * `done`: nothing is queued any more. `refused`: nothing is queued any more, but the network did
 * not accept every downlink. `left`: any other case.
 */
type Outcome = 'done' | 'refused' | 'left'

function createAwaitedHandOvers(
  sending: Sending,
  { inTurn, isClosed }: Pick<NetworkWork, 'inTurn' | 'isClosed'>,
): AwaitedHandOvers {
  const { db, now, signals } = sending
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
    // An unused claim would block the background hand-overs until it ends.
    await handOver?.()
    return 'left'
  }
  return {
    async handOver(queue) {
      const giveUpAt = performance.now() + patienceMilliseconds
      const isLetGo = async () => {
        const isHeld =
          !isClosed() && (await isClaimed(db, queue.organizationId, queue.deviceId, now()))
        return isHeld ? undefined : true
      }
      let outcome: Outcome = 'left'
      const handOverInTurn = () =>
        inTurn(queue.organizationId, async () => {
          outcome = await handOverAll(queue, giveUpAt)
        })
      await handOverInTurn()
      if (outcome !== 'left' || (await isLetGo())) return
      await signals.waitFor(queueTopic(queue.deviceId), isLetGo, giveUpAt - performance.now())
      // Tries again: the other hand-over may have ended before the new downlink was queued.
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
      const organizationId = asked[0]?.organizationId ?? 0
      const what = { organizationId, deviceIds: asked.map(({ deviceId }) => deviceId) }
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
