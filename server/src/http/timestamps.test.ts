import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/properties.ts'
import {
  clockTime,
  isoTime,
  isoTimeOf,
  longTime,
  momentOf,
  noTime,
  plainTime,
} from './timestamps.ts'

const moments = [
  {
    moment: '2022-07-18 09:34:15.775023+00',
    iso: '2022-07-18T09:34:15.775023Z',
    plain: '2022-07-18 09:34:15',
    long: 'Jul 18, 2022 09:34:15 (UTC)',
    clock: 'Jul 18, 2022 09:34 AM',
  },
  {
    moment: '2026-01-01 00:00:00+00',
    iso: '2026-01-01T00:00:00.000000Z',
    plain: '2026-01-01 00:00:00',
    long: 'Jan 01, 2026 00:00:00 (UTC)',
    clock: 'Jan 01, 2026 12:00 AM',
  },
  {
    moment: '2026-12-31 12:05:59.5+00',
    iso: '2026-12-31T12:05:59.500000Z',
    plain: '2026-12-31 12:05:59',
    long: 'Dec 31, 2026 12:05:59 (UTC)',
    clock: 'Dec 31, 2026 12:05 PM',
  },
  {
    moment: '2024-02-29 23:59:59.000001+00',
    iso: '2024-02-29T23:59:59.000001Z',
    plain: '2024-02-29 23:59:59',
    long: 'Feb 29, 2024 23:59:59 (UTC)',
    clock: 'Feb 29, 2024 11:59 PM',
  },
]

for (const { moment, iso, plain, long, clock } of moments) {
  // shows 1.4.6, 1.4.9, 1.4.10, 1.4.12
  test(`writes ${moment} in the four formats`, () => {
    assert.equal(isoTime(moment), iso)
    assert.equal(plainTime(moment), plain)
    assert.equal(longTime(moment), long)
    assert.equal(clockTime(moment), clock)
  })
}

test('writes two dashes where there is no time', () => {
  assert.equal(noTime, '--')
  assert.equal(plainTime(null), '--')
  assert.equal(longTime(null), '--')
})

const dates = fc.date({
  min: new Date('1970-01-01T00:00:00Z'),
  max: new Date('2099-12-31T23:59:59.999Z'),
  noInvalidDate: true,
})

test('keeps the moment of any date to the millisecond, whatever the format can hold', () => {
  fc.assert(
    fc.property(dates, (date) => {
      const moment = momentOf(date)
      const seconds = Math.floor(date.getTime() / 1000) * 1000
      assert.equal(Date.parse(isoTime(moment)), date.getTime())
      assert.equal(Date.parse(`${plainTime(moment)}Z`), seconds)
      assert.equal(Date.parse(longTime(moment).replace('(UTC)', 'UTC')), seconds)
      assert.equal(
        Date.parse(`${clockTime(moment)} UTC`),
        Math.floor(date.getTime() / 60_000) * 60_000,
      )
    }),
  )
})

test('keeps every microsecond that the database writes', () => {
  fc.assert(
    fc.property(dates, fc.integer({ min: 0, max: 999_999 }), (date, microseconds) => {
      // PostgreSQL drops zeros at the end, and the point with them.
      const fraction = `.${String(microseconds).padStart(6, '0')}`.replace(/\.?0+$/, '')
      const moment = `${momentOf(date).slice(0, 19)}${fraction}+00`
      const digits = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.(\d{6})Z$/.exec(isoTime(moment))?.[1]
      assert.equal(Number(digits), microseconds)
    }),
  )
})

test('the ISO form of a JavaScript date is that of its moment', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }),
      (date) => assert.equal(isoTimeOf(date), isoTime(momentOf(date))),
    ),
  )
})
