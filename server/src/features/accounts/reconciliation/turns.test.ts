import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpError } from '../../../http/errors.ts'
import { createTurns } from './turns.ts'

/** Starts work for each account that ends when told, and counts what runs and is turned away. */
async function start(
  accounts: readonly number[],
  tenantOf = (account: number) => account,
  organizationOf = (account: number) => account,
) {
  const takeTurn = createTurns()
  const gate = Promise.withResolvers<void>()
  const seen = { running: 0, most: 0 }
  const refusals: HttpError[] = []
  const turnOf = (account: number) => {
    const [organizationId, tenantId] = [organizationOf(account), tenantOf(account)]
    return { accountId: account, organizationId, tenantId }
  }
  const runs = accounts.map((account) =>
    takeTurn(turnOf(account), async () => {
      seen.running += 1
      seen.most = Math.max(seen.most, seen.running)
      await gate.promise
      seen.running -= 1
    }).catch((error: unknown) => {
      assert.ok(error instanceof HttpError)
      refusals.push(error)
    }),
  )
  gate.resolve()
  await Promise.all(runs)
  return { most: seen.most, refusals }
}

test('compares an account once at a time, and turns away who finds a long line', async () => {
  const { most, refusals } = await start([1, 1, 1, 1, 1, 1])
  assert.equal(most, 1)
  const [refusal] = refusals
  assert.deepEqual([refusals.length, refusal?.status], [1, 503])
  assert.equal(refusal?.headers['retry-after'], '30')
})

test('compares few accounts at a time', async () => {
  const accounts = Array.from({ length: 13 }, (_, index) => index)
  const { most, refusals } = await start(accounts)
  assert.deepEqual([most, refusals.map(({ status }) => status)], [4, [503]])
})

test('compares two accounts of a tenant at a time, and turns away beyond its line', async () => {
  const { most, refusals } = await start([1, 2, 3, 4, 5, 6, 7], () => 1)
  assert.deepEqual([most, refusals.map(({ status }) => status)], [2, [503]])
})

test('compares one account of an organization at a time, and leaves the others of its tenant theirs', async () => {
  const ofOne = await start([1, 2, 3, 4], undefined, () => 1)
  assert.deepEqual([ofOne.most, ofOne.refusals.length], [1, 1])
  const organizationOf = (account: number) => (account < 10 ? 1 : 2)
  const ofTwo = await start([1, 2, 3, 4, 5, 11], () => 1, organizationOf)
  assert.deepEqual([ofTwo.most, ofTwo.refusals.length], [2, 2])
})
