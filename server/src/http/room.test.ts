import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createRoom, type Room } from './room.ts'

const user = (organizationId: number, tenantId = organizationId) => ({ organizationId, tenantId })

/** Fills the part of an organization and gives how much it took. */
function fill(room: Room, organizationId: number, tenantId = organizationId): number {
  for (let count = 0; ; count += 1) {
    if (room.partOf(user(organizationId, tenantId)) >= 1) return count
    room.change(user(organizationId, tenantId), 1)
  }
}

test('a tenant leaves room to others, and an organization to the others of its tenant', () => {
  const room = createRoom(1000)
  assert.deepEqual(
    [1, 2, 3, 4].map((organization) => fill(room, organization)),
    [1000, 500, 250, 125],
  )
  const shared = createRoom(1000)
  const ofOne = [11, 12, 13, 14].map((organization) => fill(shared, organization, 1))
  assert.deepEqual(ofOne, [1000, 500, 250, 0])
  assert.equal(fill(shared, 2), 125)
})

test('however many organizations and tenants take all that they may, a new tenant finds room', () => {
  const takers = fc.array(
    fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 5 })),
    {
      maxLength: 40,
    },
  )
  fc.assert(
    fc.property(takers, (each) => {
      const room = createRoom(10_000)
      for (const [organization, tenant] of each) fill(room, tenant * 100 + organization, tenant)
      assert.ok(room.taken() <= 20_000)
      assert.ok(room.partOf(user(9)) < 1)
    }),
    { numRuns: 30 },
  )
})

test('what is given back is free, and nothing is kept of whoever has nothing', () => {
  const room = createRoom(10)
  room.change(user(1), 10)
  assert.equal(room.partOf(user(1)), 1)
  room.change(user(1), -4)
  assert.equal(room.partOf(user(1)), 0.6)
  room.change(user(1), -6)
  assert.deepEqual([room.partOf(user(1)), room.taken()], [0, 0])
})
