import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { secondsAfter } from '../../../test/citus.ts'
import {
  addBenchDevice,
  type Bench,
  cancel,
  passTime,
  queue,
  startBench,
} from '../../../test/downlinks.ts'

const racers = 10
const rounds = 25

async function pass(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Lets the uplinks so far be long ago, so that a cancel does not wait for what follows from them. */
async function forgetWhen({ service }: Bench, id: number): Promise<void> {
  await service.services.db.query(
    `update uplinks set received_at = ${secondsAfter('received_at', '-60')} where device_id = $1`,
    [id],
  )
}

/** Races cancels of one device against their sending; tells which were answered as cancelled. */
async function race(bench: Bench, number: number) {
  const { eui, id } = await addBenchDevice(bench, number)
  const answers: boolean[] = []
  for (let round = 0; round < rounds; round += 1) {
    await queue(bench, eui, 1 + round)
    await forgetWhen(bench, id)
    const isCancelFirst = round % 3 === 0
    const cancelling = isCancelFirst ? cancel(bench, eui) : undefined
    // However slow the machine is, some have been answered by then.
    if (round % 6 === 0) await cancelling
    else if (isCancelFirst) await sleep((round * number * 17) % 400)
    const sending = bench.simulator.sendUplink(eui)
    if (!isCancelFirst) await pass((round * number) % 13)
    answers.push(await (cancelling ?? cancel(bench, eui)))
    await sending
  }
  await passTime(bench)
  await bench.simulator.sendUplink(eui)
  return { id, answers }
}

async function raceAll(context: TestContext): Promise<void> {
  const bench = await startBench(context)
  const races = await Promise.all(
    Array.from({ length: racers }, (_, index) => race(bench, index + 1)),
  )
  const counts = { cancelled: 0, sent: 0 }
  for (const { id, answers } of races) {
    const downlinks = await bench.service.services.db.query<{ events: string[] }>(
      `select array_agg(event_name order by id) as events from downlink_history
       where device_id = $1 group by downlink_id order by downlink_id`,
      [id],
    )
    assert.equal(downlinks.length, answers.length)
    downlinks.forEach(({ events }, round) => {
      const expected = answers[round] ? ['cancelled'] : ['sent', 'acknowledged']
      const names = ['created', ...expected].map((name) => `event_${name}`)
      assert.deepEqual(events, names, `device ${id}, round ${round}`)
      counts[answers[round] ? 'cancelled' : 'sent'] += 1
    })
  }
  assert.equal(counts.cancelled + counts.sent, racers * rounds)
  assert.ok(counts.cancelled > 0 && counts.sent > 0, JSON.stringify(counts))
  context.diagnostic(JSON.stringify(counts))
}

// A thousand in all, in parts that each stay within the patience of a test run.
for (const part of ['first', 'second', 'third', 'fourth']) {
  test(`cancels that race their sending end in exactly one of the two, ${part} 250`, raceAll)
}
