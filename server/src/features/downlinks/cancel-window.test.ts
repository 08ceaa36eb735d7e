import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Faults } from '../../../simulators/chirpstack/faults.ts'
import {
  addBenchDevice,
  atNetwork,
  type Bench,
  bytesOf,
  cancel,
  queue,
  startBench,
} from '../../../test/downlinks.ts'

const devices = 20
const rounds = 3

/** Whether the sensor has answered these bytes, so that the frame went out and was taken. */
async function wasHeard({ service }: Bench, id: number, minutes: number): Promise<boolean> {
  const answers = await service.services.db.query(
    `select ordinal from uplinks
     where device_id = $1 and encode(payload, 'hex') like $2`,
    [id, `%ff03${bytesOf(minutes)}`],
  )
  return answers.length > 0
}

/** One cancel while the device's uplink and what follows from it is under way, and a second message. */
async function race(bench: Bench, eui: string, id: number, round: number) {
  const [first, second] = [1 + 2 * round, 2 + 2 * round]
  await queue(bench, eui, first)
  const sending = bench.simulator.sendUplink(eui)
  await sleep(40 + ((id * 97 + round * 53) % 220))
  const isCancelled = await cancel(bench, eui)
  await sending
  // What could not be cancelled may be in the queue again.
  while (atNetwork(bench, eui).length > 0) await bench.simulator.sendUplink(eui)
  const wasFirstHeard = await wasHeard(bench, id, first)
  await queue(bench, eui, second)
  await bench.simulator.sendUplink(eui)
  const told = `device ${id}, round ${round}, cancelled: ${isCancelled}`
  assert.equal(wasFirstHeard, !isCancelled, told)
  assert.ok(await wasHeard(bench, id, second), `${told}: the second message is lost`)
  return isCancelled
}

async function raceAll(context: TestContext, faults: Partial<Faults>): Promise<void> {
  const bench = await startBench(context)
  Object.assign(bench.simulator.faults, faults)
  const added = []
  for (let number = 1; number <= devices; number += 1)
    added.push(await addBenchDevice(bench, number))
  const answers = await Promise.all(
    added.map(async ({ eui, id }) => {
      const outcomes: boolean[] = []
      for (let round = 0; round < rounds; round += 1) {
        outcomes.push(await race(bench, eui, id, round))
      }
      return outcomes
    }),
  )
  const cancelled = answers.flat().filter(Boolean).length
  context.diagnostic(`${cancelled} of ${answers.flat().length} cancelled`)
}

const gateways: [string, Partial<Faults>][] = [
  ['reports at once', { gatewayDelayMs: 10 }],
  ['reports after 150 ms', { gatewayDelayMs: 150 }],
  ['reports before the uplink is told', { gatewayDelayMs: 150, uplinkEventDelayMs: 600 }],
]
for (const [does, faults] of gateways) {
  test(`60 cancels in the window of an uplink are answered truly where the gateway ${does}`, (context) =>
    raceAll(context, faults))
}
