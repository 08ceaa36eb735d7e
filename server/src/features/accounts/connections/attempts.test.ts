import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NetworkError } from '../../../networks/network-error.ts'
import { claimFromNow, isFinal, nextAttemptAt } from './attempts.ts'

test('only a refusal of the thing itself is final, and no error of the account', () => {
  for (const about of ['device', 'gateway', 'downlink', undefined] as const) {
    const details = about === undefined ? {} : { about }
    assert.equal(isFinal(new NetworkError('refused', 'No.', details)), true, `${about}`)
  }
  assert.equal(isFinal(new NetworkError('refused', 'No.', { about: 'account' })), false)
  for (const kind of ['not_yet', 'unauthorized', 'slow_down', 'unreachable'] as const) {
    assert.equal(isFinal(new NetworkError(kind, 'No.', { about: 'device' })), false, kind)
  }
})

test('the next attempt is when the network asks for it, or after a pause that grows', () => {
  const now = new Date('2026-03-01T12:00:00Z')
  const wait = (attempts: number, error?: NetworkError) =>
    nextAttemptAt(now, attempts, error).getTime() - now.getTime()
  const slow = new NetworkError('slow_down', 'Slow down.', { retryAfterMs: 120_000 })
  for (const attempts of [1, 5, 20]) assert.equal(wait(attempts, slow), 120_000)
  const away = new NetworkError('unreachable', 'Away.', { retryAfterMs: 120_000 })
  for (const error of [undefined, away, new NetworkError('slow_down', 'Slow down.')]) {
    const [first, later] = [wait(1, error), wait(4, error)]
    assert.ok(first >= 1000 && first <= 5000, `${first} ms`)
    assert.ok(later > 5000 && wait(100, error) <= 2 * 375_000, `${later} ms`)
  }
})

test('a claim outlasts the calls of one attempt', () => {
  const now = new Date('2026-03-01T12:00:00Z')
  const presence = { id: 'a process' } as Parameters<typeof claimFromNow>[0]['presence']
  const { claimedUntil, claimedBy } = claimFromNow({ now: () => now, presence })
  assert.ok(claimedUntil.getTime() - now.getTime() >= 30_000)
  assert.equal(claimedBy, 'a process')
})
