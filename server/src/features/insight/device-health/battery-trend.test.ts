import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../../test/properties.ts'
import {
  type BatteryDay,
  builtInBattery,
  trendOf as calculateTrend,
  sinceReplacement as lastBattery,
} from './battery-trend.ts'

const sinceReplacement = (days: BatteryDay[]) => lastBattery(days, builtInBattery)
const trendOf = (days: readonly BatteryDay[], now: number) =>
  calculateTrend(days, builtInBattery.empty, now)

const day = 24 * 60 * 60 * 1000
const start = Date.parse('2025-03-01T00:00:00Z')

/** A reading a day, in steps of 0.1 V as the sensors report. */
function falling(days: number, perYear: number, from = 3.2): BatteryDay[] {
  return Array.from({ length: days }, (_, index) => ({
    time: start + index * day,
    level: Math.round((from + (perYear * index) / 365.25) * 10) / 10,
  }))
}

function endOf(days: readonly BatteryDay[]): number {
  return days.at(-1)?.time ?? start
}

test('finds the date of a battery that falls in steps, within its own range', () => {
  const days = falling(500, -0.3)
  const trend = trendOf(days, endOf(days))
  assert.equal(trend.state, 'falling')
  if (trend.state !== 'falling') return
  const expected = start + (0.7 / 0.3) * 365.25 * day
  assert.ok(Math.abs(trend.emptyAt - expected) < 60 * day, new Date(trend.emptyAt).toISOString())
  assert.ok(trend.emptyFrom <= expected && expected <= (trend.emptyTo ?? Infinity))
})

test('a few wrong readings do not move the date much', () => {
  const days = falling(300, -0.4)
  const wrong = days.map((one, index) => (index % 20 === 0 ? { ...one, level: 0 } : one))
  const [right, moved] = [trendOf(days, endOf(days)), trendOf(wrong.slice(1), endOf(wrong))]
  assert.ok(right.state === 'falling' && moved.state === 'falling')
  assert.ok(Math.abs(right.emptyAt - moved.emptyAt) < 60 * day)
})

test('says nothing of few readings, and of a battery that does not fall', () => {
  assert.equal(trendOf([], start).state, 'too_few_readings')
  assert.equal(trendOf(falling(7, -3), start + 40 * day).state, 'too_few_readings')
  assert.equal(trendOf(falling(29, -1), start + 29 * day).state, 'too_few_readings')
  assert.equal(trendOf(falling(200, 0), start + 200 * day).state, 'not_falling')
  assert.equal(trendOf(falling(200, 0.2, 2.8), start + 200 * day).state, 'not_falling')
  // It flickers between two steps.
  const flickering = falling(100, 0).map((one, index) => ({ ...one, level: 3 + (index % 2) / 10 }))
  assert.equal(trendOf(flickering, start + 100 * day).state, 'not_falling')
})

test('calls a battery at the limit empty, and takes no date in the past', () => {
  assert.equal(trendOf(falling(3, 0, builtInBattery.empty), start + 3 * day).state, 'empty')
  const days = falling(300, -0.6)
  const later = endOf(days) + 1000 * day
  const trend = trendOf(days, later)
  assert.ok(trend.state === 'falling' && trend.emptyFrom === later && trend.emptyAt === later)
})

test('begins again with a new battery, and not with a single high reading', () => {
  const old = falling(100, -1.5)
  const fresh = falling(60, -0.5).map((one) => ({ ...one, time: one.time + 100 * day }))
  assert.equal(sinceReplacement([...old, ...fresh]).length, 60)
  const days = falling(100, -0.5)
  const odd = days.map((one, index) => (index === 50 ? { ...one, level: 3.6 } : one))
  assert.equal(sinceReplacement(odd).length, 100)
})

test('keeps its order and its range for any readings', () => {
  const readings = fc.array(fc.tuple(fc.integer({ min: 1, max: 400 }), fc.nat(50)), {
    maxLength: 300,
  })
  fc.assert(
    fc.property(readings, (steps) => {
      let time = start
      const days = steps.map(([gap, tenths]) => {
        time += gap * day
        return { time, level: tenths / 10 }
      })
      const trend = trendOf(sinceReplacement(days), time)
      if (trend.state !== 'falling') return
      assert.ok(trend.perYear < 0)
      assert.ok(time <= trend.emptyFrom && trend.emptyFrom <= trend.emptyAt)
      assert.ok(trend.emptyTo === undefined || trend.emptyAt <= trend.emptyTo)
    }),
    { numRuns: 60 },
  )
})

test('a steeper fall of the same battery is never empty later', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 9 }), fc.integer({ min: 1, max: 4 }), (slope, more) => {
      const [slow, fast] = [-slope / 10, -(slope + more) / 10].map((perYear) => {
        const days = falling(250, perYear, 3.6)
        return trendOf(days, start + 250 * day)
      })
      assert.ok(slow?.state === 'falling' && fast?.state === 'falling')
      assert.ok(fast.emptyAt <= slow.emptyAt)
    }),
  )
})
