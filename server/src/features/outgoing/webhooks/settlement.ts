import { waitAfter } from '../../../networks/back-off.ts'
import type { ClaimedWebhook } from './claim-queries.ts'
import { isComparisonDue } from './discovery.ts'
import type { Portion } from './gather.ts'
import type { OutgoingEvent, StoredDelivery } from './outgoing-event.ts'
import type { Attempt } from './post-message.ts'
import type { Sent } from './send-portion.ts'
import { holdingFailures, patienceMilliseconds } from './webhook-kinds.ts'

/** An event that gets a row of its own, or the row that it has. */
export interface Kept {
  event: OutgoingEvent
  state: 'waiting' | 'dead'
  attempts: number
  nextAttemptAt: Date
  /** Of a failed attempt. */
  failure: string | undefined
}

/** What is stored of a portion, in one transaction. */
export interface Settlement {
  sent: readonly Sent[]
  delivered: readonly OutgoingEvent[]
  kept: readonly Kept[]
  dropped: readonly number[]
  newsTo: number
  replayTo: number | null
  failures: number
  /** Nothing is sent before. */
  heldUntil: Date | null
  /** Why it is disabled. */
  disabled: string | undefined
  /** The receiver is back, so what waits is due. */
  isBack: boolean
}

/** Between the attempts of one event: a minute or two at first, some hours at the end of the day. */
const backOff = { firstMs: 10_000, longestMs: 6 * 60 * 60 * 1000 }
/** Between the probes of a receiver that fails: a quarter of the time for which it has failed. */
const shortestHold = 5_000
const longestHold = 10 * 60 * 1000

export function settlePortion(
  webhook: ClaimedWebhook,
  portion: Portion,
  { sent, failures }: { sent: readonly Sent[]; failures: number },
  now: Date,
): Settlement {
  const tried = new Set(sent.map(({ event }) => event))
  const untried = portion.events.filter((event) => !tried.has(event))
  const newsTo = cursorAt('news', { sent, untried, end: portion.newsTo })
  const replayTo =
    portion.replayTo === null ? null : cursorAt('replay', { sent, untried, end: portion.replayTo })
  const isPassed = ({ source, ordinal = 0 }: OutgoingEvent) =>
    (source === 'news' && ordinal <= newsTo) || (source === 'replay' && ordinal <= (replayTo ?? 0))
  const failed = sent.filter(({ attempt }) => !attempt.isDelivered)
  const behind = [...untried, ...portion.blocked].filter(isPassed)
  // Its turn may have been only for the announcements.
  const isStuck =
    !isComparisonDue(webhook, now) &&
    sent.length + portion.dropped.length === 0 &&
    newsTo === webhook.uplink_ordinal &&
    replayTo === webhook.replay_ordinal
  const health = judge(webhook, sent, { failures, now, isStuck })
  return {
    sent,
    delivered: sent.flatMap(({ event, attempt }) => (attempt.isDelivered ? event : [])),
    kept: [
      ...failed.map(({ event, attempt }) => keepFailed(event, attempt, now, health)),
      ...behind.map((event) => keepBehind(event, now)),
    ].sort((one, other) => (one.event.ordinal ?? 0) - (other.event.ordinal ?? 0)),
    dropped: portion.dropped,
    newsTo,
    replayTo,
    failures,
    ...health,
  }
}

/**
 * How far a cursor goes: behind everything that was tried, and up to the first event after that
 * which was not. What was not tried before that gets a row.
 */
function cursorAt(
  source: 'news' | 'replay',
  { sent, untried, end }: { sent: readonly Sent[]; untried: readonly OutgoingEvent[]; end: number },
): number {
  const ordinals = (events: readonly OutgoingEvent[]) =>
    events.flatMap((event) => (event.source === source ? (event.ordinal ?? []) : []))
  const lastTried = Math.max(0, ...ordinals(sent.map(({ event }) => event)))
  const left = ordinals(untried).filter((ordinal) => ordinal > lastTried)
  return left.length === 0 ? end : Math.min(...left) - 1
}

function keepBehind(event: OutgoingEvent, now: Date): Kept {
  return { event, state: 'waiting', attempts: 0, nextAttemptAt: now, failure: undefined }
}

type Health = Pick<Settlement, 'heldUntil' | 'disabled' | 'isBack'>

/** While the receiver fails as a whole, no single event is given up. */
function keepFailed(event: OutgoingEvent, attempt: Attempt, now: Date, health: Health): Kept {
  const stored: StoredDelivery | undefined =
    typeof event.source === 'object' ? event.source : undefined
  const attempts = (stored?.attempts ?? 0) + 1
  const since = stored?.first_failed_at ? Date.parse(stored.first_failed_at) : now.getTime()
  const isOver = now.getTime() - since >= patienceMilliseconds && !health.heldUntil
  return {
    event,
    state: isOver && !health.disabled ? 'dead' : 'waiting',
    attempts,
    nextAttemptAt: new Date(now.getTime() + waitAfter(backOff, attempts)),
    failure: describe(attempt),
  }
}

export function describe({ status, answer }: Attempt): string {
  if (status === undefined) return answer
  return answer === '' ? `${status}` : `${status}: ${answer}`
}

function judge(
  webhook: ClaimedWebhook,
  sent: readonly Sent[],
  { failures, now, isStuck }: { failures: number; now: Date; isStuck: boolean },
): Health {
  const isBack = webhook.failures >= holdingFailures && failures < holdingFailures
  const retryAfter = Math.max(0, ...sent.map(({ attempt }) => askedPause(attempt)))
  if (sent.some(({ attempt }) => attempt.status === 410)) {
    return { heldUntil: null, disabled: 'The receiver answered 410 Gone.', isBack }
  }
  const failedFor =
    webhook.failing_since === null ? 0 : now.getTime() - Date.parse(webhook.failing_since)
  const isHeld = failures >= holdingFailures
  if (isHeld && failedFor >= patienceMilliseconds) {
    return { heldUntil: null, disabled: 'The receiver has failed for a day.', isBack }
  }
  const hold = isHeld ? Math.min(Math.max(failedFor / 4, shortestHold), longestHold) : 0
  // As many events wait for another try as may: the next one is awaited.
  const pause = Math.max(hold, retryAfter, isStuck ? shortestHold : 0)
  return {
    heldUntil: pause > 0 ? new Date(now.getTime() + pause) : null,
    disabled: undefined,
    isBack,
  }
}

/** 429 and 503 ask for a pause of everything. */
function askedPause({ status, retryAfterMs = 0 }: Attempt): number {
  return status === 429 || status === 503 ? retryAfterMs : 0
}
