import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  addBenchDevice,
  atNetwork,
  type Bench,
  bytesOf,
  configure,
  periodOf,
  queue,
  startBench,
} from '../../../../test/downlinks.ts'
import { euiOf } from '../../../../test/fleet.ts'

const deviceNumbers = Array.from({ length: 12 }, (_, index) => index + 1)

/** Lets the service look for what is due, as it does every two seconds, for so many seconds. */
async function pass({ service }: Bench, seconds: number): Promise<void> {
  const { provisioner, downlinkSender, now } = service.services
  for (let passed = 0; passed < seconds; passed += 2) {
    service.setClock(new Date(now().getTime() + 2_000))
    provisioner.wake()
    downlinkSender.wake()
    await Promise.all([provisioner.idle(), downlinkSender.idle()])
  }
}

function countHandedOver(bench: Bench): number {
  return deviceNumbers.filter((number) => atNetwork(bench, euiOf(number)).includes(bytesOf(5)))
    .length
}

/** A network that was away for a minute, in which a message was queued for each device. */
async function outlastMinute(context: TestContext): Promise<Bench> {
  const bench = await startBench(context)
  for (const number of deviceNumbers) await addBenchDevice(bench, number)
  bench.simulator.faults.isAway = true
  for (const number of deviceNumbers) await queue(bench, euiOf(number), 5)
  await pass(bench, 60)
  assert.equal(countHandedOver(bench), 0)
  bench.simulator.faults.isAway = false
  return bench
}

test('after a minute away the network is found back within some seconds, and all is handed over', async (context) => {
  const bench = await outlastMinute(context)
  await pass(bench, 8)
  assert.equal(countHandedOver(bench), deviceNumbers.length)
})

test('what the network sends tells that it is back', async (context) => {
  const bench = await outlastMinute(context)
  const { db, now, downlinkSender } = bench.service.services
  const later = new Date(now().getTime() + 300_000)
  await db.query('update network_accounts set paused_until = $1', [later])
  await pass(bench, 14)
  assert.equal(countHandedOver(bench), 0, 'the account is left alone')
  await bench.simulator.sendUplink(euiOf(1), '100301')
  for (let tries = 0; tries < 500 && countHandedOver(bench) < deviceNumbers.length; tries += 1) {
    await downlinkSender.idle()
    await sleep(10)
  }
  assert.equal(countHandedOver(bench), deviceNumbers.length, 'at the same time')
})

test('once the background has found the network back, nobody is told that it is away', async (context) => {
  const bench = await outlastMinute(context)
  // Somebody who waits finds it away, again and again.
  bench.simulator.faults.isAway = true
  for (let tries = 0; tries < 20; tries += 1) await configure(bench, euiOf(1), periodOf(6))
  bench.simulator.faults.isAway = false
  await bench.service.services.db.query('update network_accounts set paused_until = null')
  bench.service.services.downlinkSender.wake()
  await bench.service.services.downlinkSender.idle()
  await queue(bench, euiOf(2), 7)
  assert.ok(atNetwork(bench, euiOf(2)).includes(bytesOf(7)))
})
