import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  anotherDevice,
  type MoveBench,
  move,
  placesOf,
  readMove,
  startBench,
  work,
  workLater,
} from '../../../../test/moves.ts'
import { listLanes } from '../../accounts/connections/lane-queries.ts'
import { claimOfLane } from '../../accounts/provisioning/claim-queries.ts'
import { listDueMoves } from './move-step-queries.ts'
import { freeStrandedMoves, workMoves } from './work-moves.ts'

/** What is left behind by a process that dies between two steps, and that another one goes on. */

const minute = 60_000
const shared = await startBench({ after })

/** A process claims the next call, and dies before it makes it. */
async function claimAndDie({ service: { services } }: MoveBench): Promise<void> {
  const now = services.now()
  const lanes = await listLanes(services.db, 'provisioning', now)
  const claimedUntil = new Date(now.getTime() + minute)
  for (const lane of lanes) {
    await claimOfLane(services.db, lane, { now, claimedUntil, claimedBy: null }, 1)
  }
}

function forgetCalls({ service }: MoveBench) {
  return service.services.db.query('delete from provisioning')
}

test('killed with the first call claimed: it is made later', async () => {
  const bench = await anotherDevice(shared)
  bench.stack.setAway(true)
  const { id } = await move(bench)
  bench.stack.setAway(false)
  bench.service.setClock(new Date(bench.service.services.now().getTime() + 10 * minute))
  await claimAndDie(bench)
  await work(bench)
  assert.equal((await readMove(bench, id)).state, 'preparing')
  await workLater(bench, 2)
  assert.equal((await readMove(bench, id)).state, 'waiting')
})

test('killed after the new network took the device, before it was noted', async () => {
  const bench = await anotherDevice(shared)
  const { id } = await move(bench)
  const { db } = bench.service.services
  await db.query(`update device_moves set state = 'preparing' where id = $1`, [id])
  await work(bench)
  assert.equal((await readMove(bench, id)).state, 'waiting')
  assert.deepEqual(await placesOf(bench), {
    chirpstack: true,
    stack: true,
    shown: 'ChirpStack v4',
  })
})

test('killed after the uplink was stored, and again with the removal claimed', async () => {
  const bench = await anotherDevice(shared)
  const { id } = await move(bench)
  await bench.stack.sendUplink(bench.eui, '100301')
  bench.chirpstack.faults.isAway = true
  await work(bench)
  bench.chirpstack.faults.isAway = false
  bench.service.setClock(new Date(bench.service.services.now().getTime() + 10 * minute))
  await claimAndDie(bench)
  await workLater(bench, 2)
  assert.equal((await readMove(bench, id)).state, 'done')
})

test('killed after the old network forgot the device, before it was noted', async () => {
  const bench = await anotherDevice(shared)
  const { id } = await move(bench)
  await bench.stack.sendUplink(bench.eui, '100301')
  bench.chirpstack.devices.delete(bench.eui.toLowerCase())
  await work(bench)
  assert.equal((await readMove(bench, id)).state, 'done')
})

test('a step whose call was lost is written again', async () => {
  const bench = await anotherDevice(shared)
  bench.stack.setAway(true)
  const { id } = await move(bench)
  bench.stack.setAway(false)
  await forgetCalls(bench)
  await workLater(bench, 10)
  assert.equal((await readMove(bench, id)).state, 'waiting')
  bench.stack.setAway(true)
  await bench.service.call('DELETE', `/v1/moves/${id}`)
  await forgetCalls(bench)
  bench.stack.setAway(false)
  await workLater(bench, 10)
  assert.equal((await readMove(bench, id)).state, 'cancelled')
  const due = await listDueMoves(bench.service.services.db, new Date(), 10)
  assert.ok(due.every(({ moveId }) => moveId !== id))
})

test('a network that may have taken the device is told to forget it', async (t) => {
  for (const [ending, take] of [
    [
      'cancelled',
      (bench: MoveBench, id: number) => bench.service.call('DELETE', `/v1/moves/${id}`),
    ],
    ['deleted', ({ service, eui }: MoveBench) => service.call('DELETE', `/v1/devices/${eui}`)],
  ] as const) {
    await t.test(`when the move is ${ending} after a call without an answer`, async () => {
      const bench = await anotherDevice(shared)
      bench.stack.setAway(true)
      const { id, state } = await move(bench)
      assert.equal(state, 'preparing')
      bench.stack.addDevice(bench.eui, 'Taken')
      await take(bench, id)
      bench.stack.setAway(false)
      await workLater(bench, 10)
      assert.equal(bench.stack.findDevice(bench.eui), undefined)
    })

    await t.test(`when the move is ${ending} after a call that was lost`, async () => {
      const bench = await anotherDevice(shared)
      const { id } = await move(bench)
      const { db } = bench.service.services
      await db.query(`update device_moves set state = 'preparing' where id = $1`, [id])
      bench.service.setClock(new Date(bench.service.services.now().getTime() + 10 * minute))
      bench.stack.setAway(true)
      await freeStrandedMoves(bench.service.services)
      await workMoves(bench.service.services)
      await take(bench, id)
      bench.stack.setAway(false)
      await workLater(bench, 10)
      assert.equal(bench.stack.findDevice(bench.eui), undefined)
    })
  }
})
