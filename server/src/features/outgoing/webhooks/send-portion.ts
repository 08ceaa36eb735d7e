import type { OutgoingEvent } from './outgoing-event.ts'
import type { Attempt } from './post-message.ts'
import { holdingFailures } from './webhook-kinds.ts'

/** Requests to one receiver at a time. */
export const atOnce = 16
/** Milliseconds after which a portion begins no more requests, so that its outcome is stored. */
const longest = 5_000

export interface Sent {
  event: OutgoingEvent
  attempt: Attempt
}

interface Options {
  post(event: OutgoingEvent): Promise<Attempt>
  /** Failures in a row before. */
  failures: number
  isProbe: boolean
  isClosed(): boolean
}

/**
 * Sends events, several at a time and those of a device one after the other: after a failure the
 * later ones of the device wait. Returns the attempts in the order in which they ended, and the
 * failures in a row at the end. What is left has not been tried.
 */
export async function sendPortion(
  events: readonly OutgoingEvent[],
  { post, failures, isProbe, isClosed }: Options,
): Promise<{ sent: Sent[]; failures: number }> {
  const start = performance.now()
  const sent: Sent[] = []
  let inRow = failures
  let begun = 0
  const mayBegin = () => {
    if (isProbe) return begun === 0
    return inRow < holdingFailures && performance.now() - start < longest && !isClosed()
  }
  const sendChain = async (chain: readonly OutgoingEvent[]) => {
    for (const event of chain) {
      if (!mayBegin()) return
      begun += 1
      const attempt = await post(event)
      inRow = attempt.isDelivered ? 0 : inRow + 1
      sent.push({ event, attempt })
      if (!attempt.isDelivered) return
    }
  }
  const chains = chainsOf(events).values()
  const work = async () => {
    for (const chain of chains) await sendChain(chain)
  }
  await Promise.all(Array.from({ length: isProbe ? 1 : atOnce }, work))
  return { sent, failures: inRow }
}

function chainsOf(events: readonly OutgoingEvent[]): OutgoingEvent[][] {
  const chains = new Map<number, OutgoingEvent[]>()
  for (const event of events) {
    const chain = chains.get(event.device.device_id)
    if (chain) chain.push(event)
    else chains.set(event.device.device_id, [event])
  }
  return [...chains.values()]
}
