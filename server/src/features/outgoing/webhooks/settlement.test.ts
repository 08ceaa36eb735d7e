import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClaimedWebhook } from './claim-queries.ts'
import type { Portion } from './gather.ts'
import type { OutgoingEvent } from './outgoing-event.ts'
import type { Attempt } from './post-message.ts'
import { settlePortion } from './settlement.ts'

const now = new Date('2026-03-02T12:00:00Z')
const minute = 60_000
const day = 24 * 60 * minute
const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds).toISOString()

function eventOf(ordinal: number, source: OutgoingEvent['source'] = 'news'): OutgoingEvent {
  return { id: `uplink_1_${ordinal}`, ordinal, source } as OutgoingEvent
}

/** What becomes of a portion whose attempts had these statuses, in the order of its events. */
function settle(
  events: readonly OutgoingEvent[],
  attempts: readonly (Partial<Attempt> | undefined)[],
  changes: {
    webhook?: Partial<ClaimedWebhook>
    portion?: Partial<Portion>
    failures?: number
  } = {},
) {
  const webhook = {
    ...{ uplink_ordinal: 10, replay_ordinal: null, failures: 0, failing_since: null },
    announcements_due_at: null,
    ...changes.webhook,
  } as ClaimedWebhook
  const portion: Portion = {
    ...{ events: [...events], blocked: [], dropped: [], newsTo: 20, replayTo: null },
    isProbe: false,
    ...changes.portion,
  }
  const sent = events.flatMap((event, index) => {
    const attempt = attempts[index]
    return attempt ? [{ event, attempt: { answer: '', ...attempt } as Attempt }] : []
  })
  return settlePortion(webhook, portion, { sent, failures: changes.failures ?? 0 }, now)
}

const taken = { isDelivered: true, status: 200 }
const refused = { isDelivered: false, status: 500, answer: 'Away.' }
const held = ({ heldUntil }: { heldUntil: Date | null }) =>
  heldUntil === null ? null : heldUntil.getTime() - now.getTime()

test('the cursor goes behind what was tried, and rows keep what was not tried before that', () => {
  const events = [11, 12, 13, 14].map((ordinal) => eventOf(ordinal))
  const all = settle(events, [taken, taken, taken, taken])
  assert.deepEqual([all.newsTo, all.replayTo, all.kept], [20, null, []])
  assert.equal(all.delivered.length, 4)
  const some = settle(events, [taken, undefined, refused, undefined])
  assert.equal(some.newsTo, 13)
  assert.deepEqual(
    some.kept.map(({ event, attempts, failure }) => [event.ordinal, attempts, failure]),
    [
      [12, 0, undefined],
      [13, 1, '500: Away.'],
    ],
  )
  assert.equal(some.kept[0]?.nextAttemptAt.getTime(), now.getTime())
  // Another kind of event has no ordinal, and is a row already.
  const join = { ...eventOf(0, { id: 1, attempts: 0, first_failed_at: null }), ordinal: undefined }
  assert.deepEqual(settle([join], [undefined]).kept, [])
  assert.equal(settle([eventOf(1)], [undefined]).newsTo, 0)
  const { kept } = settle([eventOf(1), join], [refused, refused])
  assert.deepEqual(
    kept.map(({ event }) => event.ordinal),
    [undefined, 1],
  )
  const blocked = settle([eventOf(12)], [taken], {
    portion: { blocked: [eventOf(11), eventOf(20), eventOf(21)] },
  })
  assert.deepEqual(
    blocked.kept.map(({ event }) => event.ordinal),
    [11, 20],
  )
})

test('a replay has a cursor of its own', () => {
  const events = [eventOf(3, 'replay'), eventOf(4, 'replay'), eventOf(11), eventOf(5, 'replay')]
  const { newsTo, replayTo, kept } = settle(events, [taken, undefined, taken, taken], {
    webhook: { replay_ordinal: 2 },
    portion: { replayTo: 9, blocked: [eventOf(9, 'replay'), eventOf(10, 'replay')] },
  })
  assert.deepEqual([newsTo, replayTo], [20, 9])
  assert.deepEqual(
    kept.map(({ event }) => event.ordinal),
    [4, 9],
  )
})

test('an event is given up after a day, but not while its receiver fails as a whole', () => {
  const old = { id: 1, attempts: 8, first_failed_at: ago(day) }
  const state = (source: OutgoingEvent['source'], changes = {}) => {
    const [kept] = settle([eventOf(9, source)], [refused], changes).kept
    return [kept?.state, kept?.attempts]
  }
  assert.deepEqual(state(old), ['dead', 9])
  assert.deepEqual(state({ ...old, first_failed_at: ago(day - 1) }), ['waiting', 9])
  assert.deepEqual(state({ ...old, first_failed_at: null }), ['waiting', 9])
  assert.deepEqual(state('news'), ['waiting', 1])
  assert.deepEqual(state(old, { failures: 5 }), ['waiting', 9])
  const failing = { failures: 9, webhook: { failures: 8, failing_since: ago(2 * day) } }
  assert.deepEqual(state(old, failing), ['waiting', 9])
})

test('a receiver that fails is probed more and more seldom, and disabled after a day', () => {
  const judged = (failures: number, failedFor: number) =>
    settle([eventOf(11)], [refused], {
      failures,
      webhook: { failures: failures - 1, failing_since: ago(failedFor) },
    })
  assert.deepEqual([held(judged(4, 10 * minute)), judged(4, day).disabled], [null, undefined])
  for (const [failedFor, hold] of [
    [0, 5_000],
    [20_000, 5_000],
    [4 * minute, minute],
    [day - 1, 10 * minute],
  ] as const) {
    const result = judged(5, failedFor)
    assert.deepEqual([held(result), result.disabled], [hold, undefined], `${failedFor} ms`)
  }
  const over = judged(5, day)
  assert.deepEqual([over.heldUntil, over.disabled], [null, 'The receiver has failed for a day.'])
  assert.equal(held(settle([eventOf(11)], [refused], { failures: 5 })), 5_000)
})

test('knows when a receiver is back', () => {
  const isBack = (before: number, after: number) =>
    settle([eventOf(11)], [taken], { webhook: { failures: before }, failures: after }).isBack
  assert.deepEqual([isBack(5, 0), isBack(5, 5), isBack(4, 0)], [true, false, false])
  const gone = settle([eventOf(11)], [{ isDelivered: false, status: 410 }])
  assert.deepEqual([gone.disabled, gone.heldUntil], ['The receiver answered 410 Gone.', null])
  assert.equal(gone.kept[0]?.failure, '410')
  const away = { isDelivered: false, status: undefined, answer: 'No answer.' }
  assert.equal(settle([eventOf(11)], [away]).kept[0]?.failure, 'No answer.')
})

test('pauses as long as the receiver asks, or for a moment where nothing moves', () => {
  const pause = (status: number, retryAfterMs?: number) =>
    held(settle([eventOf(11)], [{ isDelivered: false, status, retryAfterMs }]))
  assert.deepEqual(
    [pause(429, 90_000), pause(503, 90_000), pause(500, 90_000)],
    [90_000, 90_000, null],
  )
  assert.equal(pause(429), null)
  const still = { portion: { newsTo: 10 } }
  assert.equal(held(settle([], [], still)), 5_000)
  assert.equal(held(settle([eventOf(9, 'news')], [taken], still)), null)
  assert.equal(held(settle([], [], { portion: { newsTo: 10, dropped: [1] } })), null)
  assert.equal(held(settle([], [])), null)
  const replaying = { webhook: { replay_ordinal: 2 } }
  assert.equal(held(settle([], [], { ...replaying, portion: { newsTo: 10, replayTo: 3 } })), null)
  assert.equal(held(settle([], [], { ...replaying, portion: { newsTo: 10, replayTo: 2 } })), 5_000)
  const due = { ...still, webhook: { announcements_due_at: ago(0) } }
  assert.equal(held(settle([], [], due)), null)
})
