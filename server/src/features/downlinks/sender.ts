import { setTimeout as sleep } from 'node:timers/promises'
import { isQueueClaimed } from './downlink-queries.ts'
import { type HandOverDependencies, handOverNext } from './hand-over.ts'

/** Brings queued downlinks to their networks (ARCHITECTURE.md, "The life of a downlink"). */
export interface DownlinkSender {
  /**
   * Hands over what is due for a device, or waits for whoever is doing so just now; returns within
   * the patience of a request.
   */
  sendNow(deviceId: number): Promise<void>
  /** Hands over all that is due, in the background. */
  wake(): void
  /** Waits until no hand-over is under way. */
  idle(): Promise<void>
  /** The same, and none is begun after it. */
  close(): Promise<void>
}

/** How long POST /devices/{device_id}/configure waits for the network before it answers. */
const patienceMilliseconds = 8_000
const pollMilliseconds = 20
/** Hand-overs under way at once; each is of another device. */
const parallelism = 8

export function createDownlinkSender(dependencies: HandOverDependencies): DownlinkSender {
  const running = new Set<Promise<void>>()
  let isClosed = false

  const handOverAll = async (deviceId?: number): Promise<void> => {
    while (!isClosed && (await handOverNext(dependencies, deviceId))) {}
  }
  /** Once more after others let go of the queue: they may have come before what is to be sent. */
  const handOverOrWait = async (deviceId: number): Promise<void> => {
    const { db, now } = dependencies
    const giveUpAt = performance.now() + patienceMilliseconds
    await handOverAll(deviceId)
    while (
      !isClosed &&
      performance.now() < giveUpAt &&
      (await isQueueClaimed(db, deviceId, now()))
    ) {
      await sleep(pollMilliseconds)
      await handOverAll(deviceId)
    }
  }
  /** A failure is logged: what was not handed over stays queued, and is tried again. */
  const track = (handOver: Promise<void>): Promise<void> => {
    const work = handOver
      .catch((error) => dependencies.log.error({ err: error }, 'sending downlinks failed'))
      .finally(() => running.delete(work))
    running.add(work)
    return work
  }
  const idle = async () => {
    while (running.size > 0) await Promise.all(running)
  }
  return {
    async sendNow(deviceId) {
      if (!isClosed) await waitAWhile(track(handOverOrWait(deviceId)))
    },
    wake() {
      if (!isClosed && running.size < parallelism) void track(handOverAll())
    },
    idle,
    async close() {
      isClosed = true
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
