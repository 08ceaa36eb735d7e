import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../../test/properties.ts'
import { billingDays } from './bill.ts'

type Unit = 'days' | 'weeks' | 'months' | 'years'

const cases: [number, Unit, string, string, string | undefined, string][] = [
  [3, 'months', '2026-01-15', '2026-01-14', undefined, '2026-01-15'],
  [3, 'months', '2026-01-15', '2026-01-15', '2026-01-15', '2026-04-15'],
  [3, 'months', '2026-01-15', '2026-04-14', '2026-01-15', '2026-04-15'],
  [3, 'months', '2026-01-15', '2027-03-01', '2027-01-15', '2027-04-15'],
  [1, 'months', '2026-01-31', '2026-02-27', '2026-01-31', '2026-02-28'],
  [1, 'months', '2026-01-31', '2026-02-28', '2026-02-28', '2026-03-31'],
  [1, 'months', '2028-01-31', '2028-02-28', '2028-01-31', '2028-02-29'],
  [1, 'years', '2028-02-29', '2029-02-28', '2029-02-28', '2030-02-28'],
  [1, 'years', '2028-02-29', '2032-03-01', '2032-02-29', '2033-02-28'],
  [2, 'weeks', '2026-03-01', '2026-03-15', '2026-03-15', '2026-03-29'],
  [10, 'days', '2026-12-25', '2027-01-03', '2026-12-25', '2027-01-04'],
]
for (const [interval, unit, first, today, last, next] of cases) {
  test(`every ${interval} ${unit} from ${first}: on ${today} next is ${next}`, () => {
    const days = billingDays({ interval, interval_unit: unit }, first, today)
    assert.deepEqual(days, { last, next })
  })
}

test('today is always from the last billing day on and before the next', () => {
  const day = fc
    .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10))
  const unit = fc.constantFrom<Unit>('days', 'weeks', 'months', 'years')
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 120 }),
      unit,
      day,
      day,
      (interval, interval_unit, a, b) => {
        const [first, today] = a < b ? [a, b] : [b, a]
        const { last = '', next } = billingDays({ interval, interval_unit }, first, today)
        assert.ok(
          first <= last && last <= today && today < next,
          `${first} ${last} ${today} ${next}`,
        )
      },
    ),
  )
})
