import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createTenantTurns } from './tenant-turns.ts'

test('tenants take turns, and in each of them its organizations', async () => {
  /** Pieces of work by organization; 11 and 12 are of one tenant. */
  const left = new Map([
    [11, 5],
    [12, 2],
    [2, 2],
  ])
  const served: number[] = []
  const turns = createTenantTurns({
    async list() {
      // As long as a query, within which the last piece of work ends.
      await setImmediate()
      return [...left].flatMap(([organization_id, count]) =>
        count > 0 ? [{ organization_id, tenant_id: organization_id === 2 ? 2 : 1 }] : [],
      )
    },
    keyOf: ({ tenant_id }) => tenant_id,
    parallelism: 1,
    mayBegin: () => true,
    async work({ organization_id }) {
      served.push(organization_id)
      left.set(organization_id, (left.get(organization_id) ?? 0) - 1)
      return true
    },
    reportFailure: (error) => assert.fail(String(error)),
  })
  turns.wake()
  await turns.idle()
  assert.deepEqual(served, [11, 2, 12, 2, 11, 12, 11, 11, 11])
})
