import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFairQueue } from './fair-queue.ts'

const limits = { capacity: 100, atOnce: 1 }
/** An organization that is a tenant, unless `tenantId` names another one. */
const owner = (
  organizationId: number,
  codecId = `codec of ${organizationId}`,
  tenantId = organizationId,
) => ({ organizationId, tenantId, codecId })

test('serves next whoever has had the least time', () => {
  const queue = createFairQueue<string>(limits)
  for (let index = 0; index < 10; index += 1) queue.add(owner(1), 'slow')
  for (let index = 0; index < 10; index += 1) queue.add(owner(2), 'quick')
  const served: string[] = []
  for (let turn = 0; turn < 11; turn += 1) {
    const taken = queue.take(1)
    assert.ok(taken)
    served.push(...taken.items)
    queue.release(taken.owner, taken.items[0] === 'slow' ? 100 : 1)
  }
  assert.deepEqual(served, ['slow', ...Array(10).fill('quick')])
})

test('who comes late has no claim to the time before', () => {
  const queue = createFairQueue<string>({ ...limits, atOnce: 2 })
  queue.add(owner(1), 'a')
  for (let turn = 0; turn < 5; turn += 1) {
    queue.add(owner(1), 'a')
    const taken = queue.take(1)
    if (taken) queue.release(taken.owner, 100)
  }
  queue.add(owner(2), 'b')
  queue.add(owner(2), 'b')
  const order = [queue.take(1), queue.take(1)].map((taken) => taken?.items[0])
  assert.ok(order.includes('b'))
  queue.release(owner(2), 1000)
  queue.add(owner(2), 'b')
  assert.equal(queue.take(1)?.owner.organizationId, 1)
})

test('one tenant never runs more at once than it may', () => {
  const queue = createFairQueue<string>(limits)
  assert.equal(queue.length(), 0)
  queue.add(owner(1, 'a'), 'one')
  queue.add(owner(1, 'b'), 'two')
  assert.deepEqual(queue.take(9)?.items, ['one'])
  assert.equal(queue.take(9), undefined)
  queue.release(owner(1, 'a'), 1)
  assert.deepEqual(queue.take(9)?.items, ['two'])
})

test('the organizations of a tenant run no more at once together', () => {
  const queue = createFairQueue<string>(limits)
  const [one, other] = [owner(1, 'a', 9), owner(2, 'b', 9)]
  queue.add(one, 'one')
  queue.add(other, 'other')
  assert.deepEqual(queue.take(9)?.items, ['one'])
  assert.equal(queue.take(9), undefined)
  queue.release(one, 1)
  assert.deepEqual(queue.take(9)?.items, ['other'])
})

test('the codecs of one organization take turns', () => {
  const queue = createFairQueue<string>(limits)
  for (const codecId of ['a', 'a', 'a', 'b']) queue.add(owner(1, codecId), codecId)
  const served = Array.from({ length: 4 }, () => {
    const taken = queue.take(1)
    if (taken) queue.release(taken.owner, 1)
    return taken?.items[0]
  })
  assert.deepEqual(served, ['a', 'b', 'a', 'a'])
})

test('takes a batch of one codec, and puts what was not done back to the head', () => {
  const queue = createFairQueue<number>(limits)
  for (const item of [1, 2, 3, 4]) queue.add(owner(1), item)
  assert.deepEqual(queue.take(3)?.items, [1, 2, 3])
  queue.putBack(owner(1), [2, 3])
  queue.release(owner(1), 1)
  assert.equal(queue.length(), 3)
  assert.deepEqual(queue.take(9)?.items, [2, 3, 4])
})

test('of the organizations of a tenant, the one that has had the least time is next', () => {
  const queue = createFairQueue<string>(limits)
  for (let index = 0; index < 3; index += 1) queue.add(owner(1, `slow ${index}`, 9), 'slow')
  for (let index = 0; index < 3; index += 1) queue.add(owner(2, 'quick', 9), 'quick')
  for (let index = 0; index < 3; index += 1) queue.add(owner(3), 'other')
  const served = Array.from({ length: 9 }, () => {
    const taken = queue.take(1)
    if (taken) queue.release(taken.owner, taken.items[0] === 'slow' ? 100 : 1)
    return taken?.items[0]
  })
  assert.deepEqual(served.slice(0, 4), ['slow', 'other', 'other', 'other'])
  assert.deepEqual(served.slice(4), ['quick', 'quick', 'quick', 'slow', 'slow'])
})

/** Fills the room of an organization and gives how many items it took. */
function fill(
  queue: ReturnType<typeof createFairQueue<number>>,
  organizationId: number,
  tenant: number,
) {
  for (let count = 0; ; count += 1) {
    if (!queue.add(owner(organizationId, 'codec', tenant), count)) return count
  }
}

test('leaves room for further tenants, and for further organizations of each', () => {
  const queue = createFairQueue<number>({ capacity: 1000, atOnce: 1 })
  assert.deepEqual(
    [1, 2, 3].map((organization) => fill(queue, organization, 9)),
    [250, 125, 63],
  )
  assert.equal(fill(queue, 4, 4), 141)
  assert.equal(queue.remove((_item, { tenantId }) => tenantId === 9).length, 438)
  assert.equal(fill(queue, 1, 9), 215)
})

test('what waits is counted, whatever is taken, put back and removed', () => {
  const queue = createFairQueue<number>({ capacity: 8, atOnce: 2 })
  assert.equal(queue.take(1), undefined)
  for (let item = 0; item < 5; item += 1) queue.add(owner(1), item)
  assert.equal(queue.length(), 2, 'a quarter of the room')
  const taken = queue.take(2)
  assert.deepEqual([taken?.items, queue.length()], [[0, 1], 0])
  queue.putBack(owner(1), [])
  assert.equal(queue.take(1), undefined)
  queue.putBack(owner(1), [1])
  assert.deepEqual(
    queue.remove((item) => item === 0),
    [],
  )
  assert.deepEqual([queue.remove((item) => item === 1), queue.length()], [[1], 0])
  assert.equal(queue.take(1), undefined)
  queue.release(owner(1), 5)
  // Nothing of it is left.
  queue.release(owner(1), 5)
  queue.release(owner(2), 5)
})

test('who waited for nothing begins at the time of who was served last', () => {
  const queue = createFairQueue<string>({ capacity: 1000, atOnce: 9 })
  const serve = (milliseconds: number) => {
    const taken = queue.take(1)
    if (taken) queue.release(taken.owner, milliseconds)
    return taken?.owner.organizationId
  }
  for (let turn = 0; turn < 9; turn += 1) queue.add(owner(1), 'a')
  for (let turn = 0; turn < 3; turn += 1) assert.equal(serve(10), 1)
  queue.add(owner(2), 'b')
  queue.add(owner(2), 'b')
  // The last one began at 20, so the second organization begins there and the first one is at 30.
  assert.deepEqual([serve(15), serve(1), serve(1)], [2, 1, 1])
})
