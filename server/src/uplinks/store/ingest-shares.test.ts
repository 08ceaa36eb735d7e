import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createShares } from './ingest-shares.ts'

const limits = {
  capacity: 12,
  capacityBytes: 1_000_000,
  batchSize: 6,
  batchBytes: 100_000,
  longestWait: 3000,
}

/** An organization that is a tenant, unless `tenantId` names another one. */
const user = (organizationId: number, tenantId = organizationId) => ({ organizationId, tenantId })

/** Fills the share of an organization and gives how many items it took. */
function fill(shares: ReturnType<typeof createShares>, tenantId: number, bytes = 1): number {
  for (let count = 0; ; count += 1) {
    if (shares.fullnessOf(user(tenantId)) >= 1) return count
    shares.hold(user(tenantId), bytes)
  }
}

test('whoever comes next finds room, however many are full', () => {
  const shares = createShares<string>(limits)
  assert.deepEqual(
    [1, 2, 3, 4].map((tenantId) => fill(shares, tenantId)),
    [12, 6, 3, 2],
  )
  assert.equal(shares.held(), 23)
})

test('bytes count as items do', () => {
  const shares = createShares<string>(limits)
  assert.equal(fill(shares, 1, 250_000), 4)
  assert.equal(fill(shares, 2, 1), 10)
})

test('a place that is given back is free again', () => {
  const shares = createShares<string>({ ...limits, capacity: 1 })
  shares.hold(user(1), 1)
  assert.equal(shares.fullnessOf(user(1)), 1)
  shares.giveBack(user(1), 1)
  assert.equal(shares.fullnessOf(user(1)), 0)
  assert.equal(shares.held(), 0)
})

function addAll(shares: ReturnType<typeof createShares<string>>, items: [number, number][]) {
  for (const [tenantId, bytes] of items) {
    shares.hold(user(tenantId), bytes)
    shares.add(user(tenantId), bytes, `${tenantId}:${bytes}`)
  }
}

test('a batch is filled in turn, and each has one under way at a time', () => {
  const shares = createShares<string>(limits)
  addAll(shares, [...Array(9).fill([1, 20_000]), [2, 10], [2, 20], [3, 10]])
  const batch = shares.take()
  assert.deepEqual(batch, ['1:20000', '1:20000', '1:20000', '2:10', '2:20', '3:10'])
  addAll(shares, [
    [3, 30],
    [4, 10],
  ])
  assert.deepEqual(shares.take(), ['4:10'])
  shares.release(3)
  assert.deepEqual(shares.take(), ['3:30'])
  shares.release(1)
  assert.deepEqual(shares.take(), Array(5).fill('1:20000'))
})

test('a batch that is let pass has one other beside it, whichever ends first', () => {
  const shares = createShares<string>({ ...limits, batchSize: 1 })
  addAll(shares, [
    [1, 10],
    [1, 20],
    [1, 30],
    [1, 40],
  ])
  assert.deepEqual(shares.take(), ['1:10'])
  assert.deepEqual(shares.take(), [])
  shares.letPass(1)
  assert.deepEqual(shares.take(), ['1:20'])
  shares.letPass(1)
  assert.deepEqual(shares.take(), [])
  shares.release(1)
  assert.deepEqual(shares.take(), ['1:30'])
  shares.release(1)
  assert.deepEqual(shares.take(), [])
  shares.release(1)
  assert.deepEqual(shares.take(), ['1:40'])
})

test('a batch has no more bytes than it may, but for one item alone', () => {
  const shares = createShares<string>(limits)
  addAll(shares, [
    [1, 150_000],
    [1, 90_000],
    [1, 20_000],
    [2, 10],
  ])
  assert.deepEqual(shares.take(), ['1:150000'])
  assert.deepEqual(shares.take(), ['2:10'])
  shares.release(1)
  assert.deepEqual(shares.take(), ['1:90000'])
})

test('with more organizations than a batch has items, all have their turn', () => {
  const shares = createShares<string>({ ...limits, capacity: 100, batchSize: 2 })
  const large = 20_000
  addAll(
    shares,
    [1, 2, 3, 1, 2, 3].map((tenantId) => [tenantId, large + tenantId]),
  )
  const served = [shares.take()]
  for (const tenantId of [1, 2]) shares.release(tenantId)
  served.push(shares.take())
  assert.deepEqual(served, [
    ['1:20001', '2:20002'],
    ['3:20003', '1:20001'],
  ])
})

test('an organization whose items wait too long for their batch is full, and only it', () => {
  let time = 0
  const shares = createShares<string>({ ...limits, batchSize: 2 }, () => time)
  const isFull = (tenantId: number) => shares.fullnessOf(user(tenantId)) >= 1
  addAll(shares, Array(7).fill([1, 10]))
  const takeAt = (at: number) => {
    time = at
    const batch = shares.take()
    for (const tenantId of new Set(batch.map((item) => Number(item[0])))) shares.release(tenantId)
    for (const item of batch) shares.giveBack(user(Number(item[0])), 10)
    return batch.length
  }
  assert.equal(takeAt(0), 2)
  assert.equal(isFull(1), false)
  // A wait alone refuses nobody: the database may be back by now.
  time = 3500
  assert.equal(isFull(1), false)
  assert.equal(takeAt(3500), 2)
  assert.equal(isFull(1), true)
  addAll(shares, [[2, 10]])
  assert.equal(takeAt(3600), 2)
  assert.deepEqual([isFull(1), isFull(2)], [true, false])
  assert.equal(takeAt(3700), 2)
  assert.deepEqual([shares.held(), isFull(1)], [0, false])
  // Those that come now wait from now on.
  addAll(shares, Array(3).fill([1, 10]))
  assert.equal(takeAt(6700), 2)
  assert.equal(isFull(1), false)
})

test('the organizations of a tenant share its part of a batch, and its room', () => {
  const shares = createShares<string>({ ...limits, capacity: 100 })
  const add = (organizationId: number, tenantId: number, count: number) => {
    for (let number = 0; number < count; number += 1) {
      shares.hold(user(organizationId, tenantId), 10_000)
      shares.add(user(organizationId, tenantId), 10_000, `${organizationId}`)
    }
  }
  add(11, 1, 50)
  add(12, 1, 2)
  add(2, 2, 50)
  const first = shares.take().sort()
  assert.deepEqual(first, ['11', '11', '12', '2', '2', '2'].slice(0, first.length))
  assert.ok(shares.fullnessOf(user(12, 1)) < 0.5)
  assert.ok(shares.fullnessOf(user(11, 1)) > 0.5)
  while (shares.fullnessOf(user(11, 1)) < 1) add(11, 1, 1)
  assert.ok(shares.fullnessOf(user(12, 1)) < 1)
})

test('items that wait too long refuse only those of their organization', () => {
  let time = 0
  const shares = createShares<string>({ ...limits, batchSize: 2 }, () => time)
  for (const organizationId of [11, 11, 11, 11, 12]) {
    shares.hold(user(organizationId, 1), 10)
    shares.add(user(organizationId, 1), 10, `${organizationId}`)
  }
  time = 3500
  assert.deepEqual(shares.take(), ['11', '12'])
  assert.equal(shares.fullnessOf(user(11, 1)), 1)
  assert.ok(shares.fullnessOf(user(12, 1)) < 1)
})
