import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../test/database.ts'
import { makeInstallation } from '../../test/process.ts'
import { ConfigError } from '../db/setup-error.ts'
import { findRoom, planPoolSize } from './pool-size.ts'

test('all processes together have no more connections than the database allows', () => {
  for (let workers = 1; workers <= 20; workers += 1) {
    const size = planPoolSize({ most: 100, reserved: 3, others: 0 }, { workers })
    const processes = Math.max(2, workers + 1)
    assert.ok(size * processes <= 97 && size >= 4 && size <= 16, `${workers}: ${size}`)
  }
})

test('what others use is left to them', () => {
  assert.equal(planPoolSize({ most: 100, reserved: 3, others: 0 }, { workers: 4 }), 16)
  assert.equal(planPoolSize({ most: 100, reserved: 3, others: 50 }, { workers: 4 }), 8)
})

test('too few connections are told with the setting and the remedy', () => {
  const plan = (others: number, workers: number) => () =>
    planPoolSize({ most: 100, reserved: 3, others }, { workers })
  const isTold = (words: RegExp) => (error: unknown) =>
    error instanceof ConfigError && words.test(error.message)
  assert.throws(
    plan(0, 64),
    isTold(/WORKERS is 64, .* 260 .* Set WORKERS to 22 at most, or raise max/),
  )
  assert.throws(plan(90, 1), isTold(/WORKERS is 1, .* 4 are free.*90 used by others.* Raise max_/))
  assert.throws(plan(200, 2), isTold(/ 0 are free/))
})

test('a machine takes no more than its part', () => {
  const room = { most: 100, reserved: 3, others: 0 }
  const plan = (workers: number, databaseConnections: number) =>
    planPoolSize(room, { workers, databaseConnections })
  assert.deepEqual([plan(1, 20), plan(3, 20), plan(1, 400)], [10, 5, 16])
  assert.throws(
    () => plan(4, 19),
    (error) => error instanceof ConfigError && /CONNECTIONS is 19, and .* 20/.test(error.message),
  )
})

test('the database tells what it allows', async (t) => {
  const database = await createTestDatabase()
  t.after(() => database.drop())
  const { most, reserved, others } = await findRoom(database.db)
  assert.ok(most >= 100 && reserved >= 3 && reserved < most && others >= 0 && others < most)
})

test('a start with too many processes for the database says so, and ends', async (t) => {
  const installation = await makeInstallation(t)
  const server = installation.start({ WORKERS: '64' })
  const { code } = await server.ended
  assert.equal(code, 1)
  assert.match(server.errors(), /WORKERS is 64, .* Set WORKERS to \d+ at most/)
})
