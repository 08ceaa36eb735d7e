import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { status } from '@grpc/grpc-js'
import {
  addBenchDevice,
  atNetwork,
  type Bench,
  bytesOf,
  passTime,
  queue,
  startBench,
} from '../../../../test/downlinks.ts'
import { showLife } from '../../../db/presence.ts'
import { freeDeadClaims } from './lane-queries.ts'

/** A downlink and a device to be registered, both claimed by one process. */
async function claimBy(context: TestContext, process: string): Promise<Bench> {
  const bench = await startBench(context)
  const { db, now } = bench.service.services
  const { eui } = await addBenchDevice(bench, 1)
  bench.simulator.faults.isAway = true
  await queue(bench, eui, 5)
  await addBenchDevice(bench, 2)
  bench.simulator.faults.isAway = false
  const until = new Date(now().getTime() + 60_000)
  await db.query('update network_accounts set paused_until = null')
  for (const table of ['downlink_queues', 'provisioning']) {
    await db.query(
      `update ${table} set claimed_until = $1, claimed_by = $2, next_attempt_at = $3`,
      [until, process, now()],
    )
  }
  return bench
}

async function work({ service }: Bench): Promise<void> {
  const { db, provisioner, downlinkSender } = service.services
  await freeDeadClaims(db)
  provisioner.wake()
  downlinkSender.wake()
  await Promise.all([provisioner.idle(), downlinkSender.idle()])
}

test('what a dead process had claimed is done at once', async (context) => {
  const dead = randomUUID()
  const bench = await claimBy(context, dead)
  await showLife(bench.service.services.db, dead, -1)
  await work(bench)
  assert.equal(atNetwork(bench, '00AA000000000001').length, 1)
  assert.ok(bench.simulator.devices.get('00aa000000000002'))
})

test('what a live process has claimed is left to it', async (context) => {
  const live = randomUUID()
  const bench = await claimBy(context, live)
  await showLife(bench.service.services.db, live, 60)
  await work(bench)
  assert.equal(atNetwork(bench, '00AA000000000001').length, 0)
  assert.equal(bench.simulator.devices.get('00aa000000000002'), undefined)
})

test('a process that has lost its claim meanwhile hands nothing over', async (context) => {
  const bench = await startBench(context)
  const { db } = bench.service.services
  const { eui } = await addBenchDevice(bench, 1)
  const { refusals } = bench.simulator.faults
  let calls = 0
  refusals['/api.DeviceService/Enqueue'] = () => {
    calls += 1
    return calls === 1 ? { code: status.UNAVAILABLE, message: 'Connection dropped' } : undefined
  }
  // The network's queue is looked at before the second call.
  refusals['/api.DeviceService/GetQueue'] = async () => {
    await db.query('update downlink_queues set claim = null, claimed_until = null')
    return undefined
  }
  await queue(bench, eui, 5)
  await passTime(bench)
  assert.equal(calls, 1)
  refusals['/api.DeviceService/GetQueue'] = () => undefined
  await passTime(bench)
  assert.deepEqual(atNetwork(bench, eui), [bytesOf(5)])
})
