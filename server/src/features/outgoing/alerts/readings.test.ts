import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtInBattery } from '../../insight/device-health/battery-trend.ts'
import type { SilenceSettings } from './alert-kinds.ts'
import { judgeBattery, judgeTamper, judgeThreshold, type Known, moveOn } from './readings.ts'
import { limitOf } from './silence-queries.ts'

const threshold = { key: 'temperature', above: null, below: null, margin: 0, minutes: 0 }
const judge = (settings: object, value: unknown) =>
  judgeThreshold({ ...threshold, ...settings }, { temperature: value as number })?.is

test('a value is beyond a bound, back by the margin, or between', () => {
  const above = { above: 30, margin: 2 }
  assert.deepEqual(
    [31, 30, 28.5, 28].map((value) => judge(above, value)),
    ['beyond', 'between', 'between', 'back'],
  )
  const below = { below: 5, margin: 2 }
  assert.deepEqual(
    [4, 5, 6.5, 7].map((value) => judge(below, value)),
    ['beyond', 'between', 'between', 'back'],
  )
  const both = { ...above, below: 5 }
  assert.deepEqual(
    [4, 6, 20, 29, 31].map((value) => judge(both, value)),
    ['beyond', 'between', 'back', 'between', 'beyond'],
  )
  assert.equal(judge(above, 'warm'), undefined)
  assert.equal(judgeThreshold({ ...threshold, above: 1 }, {}), undefined)
  const found = (value: number) =>
    judgeThreshold({ ...threshold, above: 30, below: 5 }, { temperature: value })
  const details = { key: 'temperature' }
  assert.deepEqual(found(31), { is: 'beyond', value: 31, bound: 30, details })
  assert.deepEqual(found(4), { is: 'beyond', value: 4, bound: 5, details })
  assert.deepEqual(found(20), { is: 'back', value: 20, bound: 30 })
  const inherited = { ...threshold, key: 'toString', above: 1 }
  assert.equal(judgeThreshold(inherited, {}), undefined)
})

test('a case is open or closed by either message', () => {
  const is = (event: string, values: object) => judgeTamper(event, { ...values })?.is
  assert.equal(is('TAMPER', { state: 'open' }), 'beyond')
  assert.equal(is('TAMPER', { state: 'closed' }), 'back')
  assert.equal(is('TAMPER', { state: 'unknown', tamperState: true }), undefined)
  assert.equal(is('SUPERVISORY', { tamperState: true, state: 'closed' }), 'beyond')
  assert.equal(is('SUPERVISORY', { tamperState: false }), 'back')
  assert.equal(is('DOOR', { state: 'open' }), undefined)
})

const day = 24 * 60 * 60 * 1000
const now = Date.parse('2026-03-01T12:00:00Z')

test('a battery is low by its voltage or by its trend, and back by a margin', () => {
  const battery = (volts: number, days?: number) =>
    judgeBattery(
      { volts: 2.8, percent: 15, days: 90 },
      {
        ...{ scale: builtInBattery, level: volts },
        emptyAt: days === undefined ? undefined : now + days * day,
      },
      now,
    )
  assert.deepEqual(
    [2.8, 2.9, 3].map((volts) => battery(volts).is),
    ['beyond', 'between', 'back'],
  )
  assert.deepEqual(
    [90, 91, 120, 121].map((days) => battery(3.6, days).is),
    ['beyond', 'between', 'between', 'back'],
  )
  assert.equal(
    judgeBattery(
      { volts: 2.9, percent: 15, days: 0 },
      { scale: builtInBattery, level: 3.1, emptyAt: undefined },
      now,
    ).is,
    'back',
  )
  assert.deepEqual(battery(2.8, 30).details, { empty_at: '2026-03-31T12:00:00.000Z' })
  assert.deepEqual(battery(2.8).details, {})
})

test('an alert opens, waits, and closes by what readings say', () => {
  const move = (
    known: Partial<Known> | undefined,
    is: 'beyond' | 'between' | 'back',
    lasting = 0,
  ) => {
    const whole = known && { ...{ id: 7, began: now, changed: now, value: 1, bound: 2 }, ...known }
    const verdict = { is, value: 3, bound: 2, details: { key: 'a' } }
    return moveOn(whole as Known | undefined, verdict, { time: now + 60_000, lasting })
  }
  assert.equal(move(undefined, 'between'), undefined)
  assert.equal(move(undefined, 'beyond')?.state, 'open')
  assert.equal(move(undefined, 'beyond', 1)?.state, 'pending')
  assert.deepEqual(move({ state: 'closed' }, 'beyond'), {
    ...{ id: undefined, state: 'open', began: now + 60_000, changed: now + 60_000 },
    ...{ value: 3, bound: 2, details: { key: 'a' } },
  })
  assert.equal(move({ state: 'closed' }, 'back')?.id, 7)
  assert.equal(move({ state: 'pending' }, 'beyond', 60_001)?.state, 'pending')
  const opened = move({ state: 'pending' }, 'beyond', 60_000)
  assert.deepEqual([opened?.state, opened?.began, opened?.value], ['open', now, 3])
  assert.equal(move({ state: 'pending' }, 'between', 60_000), undefined)
  assert.equal(move({ state: 'open' }, 'between')?.state, 'open')
  assert.deepEqual(move({ state: 'open' }, 'back')?.changed, now + 60_000)
  const late = move({ state: 'open', changed: now + 60_001 }, 'back')
  assert.equal(late?.state, 'open')
  assert.equal(move({ state: 'open', changed: now + 60_000 }, 'back')?.state, 'closed')
})

test('a device may be silent by its rhythm, within what the rule allows', () => {
  const settings: SilenceSettings = { missed: 3, at_least_minutes: 60, at_most_minutes: 240 }
  const limit = (interval_seconds: number | null, long_seconds: number | null, own = settings) =>
    limitOf({ interval_seconds, long_seconds }, own, 48)
  assert.equal(limit(60, 60), 3600)
  assert.equal(limit(2000, 2000), 6000)
  assert.equal(limit(60, 6000), 9000)
  assert.equal(limit(1e9, 1e9), 14_400)
  assert.equal(limit(null, null), 14_400)
  const open = { ...settings, at_most_minutes: null }
  assert.equal(limit(1e6, 1e6, open), 3e6)
  assert.equal(limit(null, null, open), 172_800)
})
