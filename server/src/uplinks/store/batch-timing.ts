import type { Tracer } from '../../traces/tracer.ts'
import type { Arrival, Waiting } from './arrival.ts'

/**
 * Decides when the next batch begins. A transaction costs as much as some ten uplinks, so uplinks
 * that come steadily wait a few milliseconds for each other. An uplink that comes alone, or many
 * that are there already, do not wait.
 */
export interface BatchSpacing {
  /** Milliseconds until a batch may begin with so many uplinks. */
  timeUntilDue(waiting: number): number
  /** A batch of this size begins. */
  begin(size: number): void
}

/** Milliseconds from the beginning of a batch to that of the next. */
const usualSpacing = 8
/** So many uplinks share a commit well enough: they do not wait for more. */
const enough = 32
/**
 * After so many waits in a row that brought no second uplink, there is no wait for so many batches,
 * and for twice as many after each further one. A sender that waits for its answer before it sends
 * again is thus hardly slowed. At 300 a second at random, one wait in five brings nobody.
 */
const mostInVain = 4
const firstPause = 8
const longestPause = 256

export function createBatchSpacing(
  now: () => number = () => performance.now(),
  spacing = usualSpacing,
): BatchSpacing {
  let lastBegin = Number.NEGATIVE_INFINITY
  let hasWaited = false
  let inVain = 0
  let pause = firstPause
  let unwaited = 0
  return {
    timeUntilDue(waiting) {
      const left = lastBegin + spacing - now()
      if (left <= 0 || waiting >= enough || unwaited > 0) return 0
      hasWaited = true
      return left
    },
    begin(size) {
      lastBegin = now()
      if (unwaited > 0) unwaited -= 1
      if (!hasWaited) return
      hasWaited = false
      inVain = size < 2 ? inVain + 1 : 0
      if (inVain === 0) pause = firstPause
      if (inVain < mostInVain) return
      unwaited = pause
      pause = Math.min(pause * 2, longestPause)
    },
  }
}

/** Upper bounds of the buckets, in seconds. Networks wait 5 s for an answer. */
export const commitBounds: readonly number[] = [
  ...[0.002, 0.005, 0.01, 0.025, 0.05, 0.1],
  ...[0.25, 0.5, 1, 2.5, 5],
]

/** How long the batches of a process took, since its start. */
export interface CommitTimes {
  /** Batches that took at most so long, one number for each bound. */
  readonly counts: readonly number[]
  /** All batches, and their seconds together. */
  readonly count: number
  readonly seconds: number
}

/** Counts the times of batches. */
export function createCommitTimes(): { add(seconds: number): void; read(): CommitTimes } {
  const own = commitBounds.map(() => 0)
  let count = 0
  let total = 0
  return {
    add(seconds) {
      count += 1
      total += seconds
      const at = commitBounds.findIndex((bound) => seconds <= bound)
      if (at >= 0) own[at] = (own[at] ?? 0) + 1
    },
    read() {
      let sum = 0
      const counts = own.map((each) => {
        sum += each
        return sum
      })
      return { counts, count, seconds: total }
    },
  }
}

/** Links of one span, as OpenTelemetry bounds them. */
const mostLinks = 128

/** A span from the arrival of a message to its commit. */
export function traceArrival(
  tracer: Tracer,
  { account, message }: Arrival,
  work: () => Promise<void>,
): Promise<void> {
  if (!tracer.isOn) return work()
  const attributes = {
    'lora.organization.id': account.organizationId,
    'lora.network': account.network,
    'lora.account.id': account.id,
    'messaging.message.body.size': message.length,
  }
  return tracer.run({ name: 'store uplink', attributes }, work)
}

/** A span of a batch: a part of the trace of its first message, with links to the others. */
export function traceBatch(
  tracer: Tracer,
  batch: readonly Waiting[],
  work: () => Promise<void>,
): Promise<void> {
  if (!tracer.isOn) return work()
  const contexts = batch.flatMap(({ span }) => (span?.context.isSampled ? [span.context] : []))
  const [parent = batch[0]?.span?.context, ...links] = contexts
  const attributes = { 'messaging.batch.message_count': batch.length }
  return tracer.run(
    { name: 'commit batch', parent, links: links.slice(0, mostLinks), attributes },
    work,
  )
}
