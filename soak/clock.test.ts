import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { clockSql, dayMilliseconds, hopsAt, planClock, timeAt, untilHop } from './clock.ts'

const begin = Date.UTC(2026, 2, 1)
const minute = 60_000

test('shows all days between the begin and the end, and the real time after it', () => {
  const clock = planClock(30, 60, begin)
  const end = begin + 60 * minute
  assert.equal(timeAt(clock, begin), begin + 60 * minute - 30 * dayMilliseconds)
  assert.ok(Math.abs(timeAt(clock, end) - end) < 1)
  assert.ok(Math.abs(timeAt(clock, end + minute) - end - minute) < 1)
})

test('runs as fast as any clock before the begin, and between two hops', () => {
  const clock = planClock(30, 60, begin)
  assert.equal(timeAt(clock, begin) - timeAt(clock, begin - minute), minute)
  assert.equal(timeAt(clock, begin + 4_000) - timeAt(clock, begin + 1_000), 3_000)
})

test('shows whole milliseconds, also where no hop takes any', () => {
  const clock = planClock(15, 11, begin)
  assert.ok(!Number.isInteger(clock.hop))
  assert.ok(Number.isInteger(timeAt(clock, begin + 100_000)))
})

test('hops each hour, or less often where that would leave less than five seconds', () => {
  assert.deepEqual(
    [planClock(30, 120, begin), planClock(30, 10, begin)].map(({ hops, interval }) => [
      hops,
      interval,
    ]),
    [
      [720, 10_000],
      [120, 5_000],
    ],
  )
})

test('tells how long it is until the next hop', () => {
  const clock = planClock(10, 10, begin)
  assert.equal(untilHop(clock, begin + 1_000), clock.interval - 1_000)
  assert.equal(hopsAt(clock, begin + clock.interval), 1)
  assert.equal(untilHop(clock, begin + 11 * minute), undefined)
})

test('covers each function of the time that the service asks its database', () => {
  const source = fileURLToPath(new URL('../server/src', import.meta.url))
  const texts = globSync('**/*.{ts,sql}', { cwd: source }).map((file) =>
    readFileSync(join(source, file), 'utf8'),
  )
  const asked = texts.flatMap((text) => text.match(/\b(now|timeofday|\w+_timestamp)\(\)/g) ?? [])
  const sql = clockSql(planClock(10, 10, begin), 'lora')
  const covered = [...sql.matchAll(/function public\.(\w+\(\))/g)].map(([, name]) => name)
  assert.deepEqual([...new Set(asked)].sort(), covered.sort())
})
