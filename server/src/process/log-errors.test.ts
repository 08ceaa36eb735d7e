import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseUnavailable } from '../db/errors.ts'
import { describeError } from './log-errors.ts'

test('a database that is away is logged in one line, a fault of the code with its stack', () => {
  const cause = new Error('connect ECONNREFUSED')
  const { message, ...rest } = {
    message: '',
    ...describeError(new DatabaseUnavailable('no connection', { cause })),
  }
  assert.deepEqual(rest, { type: 'DatabaseUnavailable' })
  assert.match(message, /^The database is unavailable: no connection.*ECONNREFUSED/)
  assert.ok('stack' in describeError(new TypeError('x is undefined')))
})
