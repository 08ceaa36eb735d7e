import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startSimulator as startStack } from '../../../simulators/thethingsnetwork/simulator.ts'
import {
  bytesOf,
  cancel,
  lookAfter,
  passTime,
  queue,
  readEvents,
  readHistory,
} from '../../../test/downlinks.ts'
import { addDevice, connectAccount, euiOf } from '../../../test/fleet.ts'
import { startListening } from '../../../test/service.ts'
import { noteNetworkEvent } from './ledger.ts'

/** Downlinks in a queue of The Things Stack, which other programs and people change as well. */

const replace = 'POST /api/v3/as/applications/:application/devices/:device/down/replace'

async function startBench(context: TestContext) {
  const stack = await startStack()
  context.after(() => stack.close())
  const service = await startListening(context)
  const account = await connectAccount(service, 'thethingsnetwork', stack.account)
  assert.equal(account.status, 'connected', account.message)
  const eui = euiOf(1)
  const changes = { network: 5, frequencyPlan: 'EU_863_870_TTN' }
  const device = await addDevice(service, 1, changes)
  assert.equal(device.device_register_status, 'active')
  await stack.settle()
  await stack.sendUplink(eui, '100301')
  const atNetwork = () => stack.findDevice(eui)?.queue
  const changesSince = (count: number) =>
    stack.http.calls.slice(count).filter(({ route }) => /\/down\/\w+$/.test(route))
  /** As a person does in its console. */
  const replaceThere = async (downlinks: unknown[]) => {
    const down = `/api/v3/as/applications/fleet-app/devices/eui-${eui.toLowerCase()}/down/replace`
    const authorization = `Bearer ${stack.store.apiKey}`
    const answer = await fetch(stack.http.address + down, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ downlinks }),
    })
    assert.equal(answer.status, 200)
  }
  return { service, stack, eui, atNetwork, changesSince, replaceThere }
}

test('a queue that was flushed at The Things Stack ends its messages, and says why', async (t) => {
  const bench = await startBench(t)
  const { stack, eui, atNetwork, replaceThere } = bench
  for (const minutes of [5, 6]) await queue(bench, eui, minutes)
  assert.deepEqual(atNetwork(), [bytesOf(5), bytesOf(6)])
  await replaceThere([])
  assert.equal(await cancel(bench, eui), false)
  await stack.sendUplink(eui, '100301')
  await lookAfter(bench, 61)
  await lookAfter(bench, 61)
  assert.deepEqual(await readEvents(bench, eui), ['created', 'created', 'failed', 'failed'])
  const [newest] = await readHistory(bench, eui)
  assert.match(newest?.eventData ?? '', /No longer in the network&#39;s queue/)
  await passTime(bench)
  assert.deepEqual(atNetwork(), [])
})

test('a cancel passes over what was removed at The Things Stack', async (t) => {
  const bench = await startBench(t)
  const { eui, stack, atNetwork, replaceThere } = bench
  await queue(bench, eui, 5)
  await queue(bench, eui, 6)
  const [first] = stack.findDevice(eui)?.items ?? []
  await replaceThere([JSON.parse(first ?? '').sent])
  assert.equal(await cancel(bench, eui), true)
  assert.deepEqual(atNetwork(), [])
  assert.deepEqual(await readEvents(bench, eui), ['created', 'created', 'cancelled'])
  const [cancelled] = await readHistory(bench, eui)
  assert.match(cancelled?.eventData ?? '', /Supervisory period: 5 minutes/)
})

test('one of three is cancelled in one call, and the message of another program stays', async (t) => {
  const bench = await startBench(t)
  const { stack, eui, atNetwork, changesSince } = bench
  await queue(bench, eui, 5)
  stack.addForeignDownlink?.(eui, 'f0e1')
  await queue(bench, eui, 6)
  const [, foreign] = stack.findDevice(eui)?.items ?? []
  const before = stack.http.calls.length
  assert.equal(await cancel(bench, eui), true)
  assert.deepEqual(
    changesSince(before).map(({ method, route }) => `${method} ${route}`),
    [replace],
  )
  assert.deepEqual(atNetwork(), [bytesOf(5), 'f0e1'])
  assert.equal(stack.findDevice(eui)?.items[1], foreign)
})

/** Sends a confirmed downlink that the device does not acknowledge. */
async function sendUnheard(bench: Awaited<ReturnType<typeof startBench>>) {
  const { service, stack, eui } = bench
  stack.store.areSilent = true
  const body = { payload: 'a1b2', f_port: 7, confirmed: true }
  const sent = await service.call('POST', `/v1/devices/${eui}/downlink`, { body })
  assert.equal(sent.status, 200, sent.text)
  const readState = async () => {
    const { body } = await service.call('GET', `/v1/devices/${eui}/downlinks`)
    return body.data[0].state
  }
  return { id: sent.body.data.id, readState }
}

test('a message that The Things Stack repeats stays sent, until it is acknowledged', async (t) => {
  const bench = await startBench(t)
  const { stack, eui } = bench
  const { readState } = await sendUnheard(bench)
  for (let uplink = 0; uplink < 5; uplink += 1) await stack.sendUplink(eui, '100301')
  assert.equal(await readState(), 'sent')
  assert.deepEqual(await readEvents(bench, eui), ['created', 'sent', 'sent', 'sent'])
  const [newest] = await readHistory(bench, eui)
  assert.match(newest?.eventData ?? '', /did not acknowledge attempt 2: The Things Stack sends it/)
  stack.store.areSilent = false
  await stack.sendUplink(eui, '100301')
  assert.equal(await readState(), 'acknowledged')
})

test('a message that The Things Stack repeats fails with the last attempt, and is acknowledged late', async (t) => {
  const bench = await startBench(t)
  const { stack, service, eui } = bench
  const { readState } = await sendUnheard(bench)
  for (let uplink = 0; uplink < 16; uplink += 1) await stack.sendUplink(eui, '100301')
  assert.equal(await readState(), 'failed')
  const [newest] = await readHistory(bench, eui)
  assert.match(newest?.eventData ?? '', /did not acknowledge attempt 8, which was the last one/)
  const { db } = service.services
  const [item] = await db.query<{ device_id: number; queue_item_id: string }>(
    'select device_id, queue_item_id from downlinks',
  )
  assert.ok(item)
  const report = { state: 'acknowledged', queueItemId: item.queue_item_id } as const
  await db.transaction((tx) => noteNetworkEvent(tx, 1, item.device_id, report))
  assert.equal(await readState(), 'acknowledged')
})

test('a cancel takes what The Things Stack is to repeat out of its queue first', async (t) => {
  const bench = await startBench(t)
  const { stack, eui, atNetwork } = bench
  const { readState } = await sendUnheard(bench)
  for (let uplink = 0; uplink < 3; uplink += 1) await stack.sendUplink(eui, '100301')
  assert.deepEqual(atNetwork(), [])
  assert.equal(await cancel(bench, eui), false, 'it is on its way again')
  assert.equal(await readState(), 'sent')
  await stack.sendUplink(eui, '100301')
  assert.deepEqual(atNetwork(), ['a1b2'])
  assert.equal(await cancel(bench, eui), true)
  assert.deepEqual([atNetwork(), await readState()], [[], 'cancelled'])
  await stack.sendUplink(eui, '100301')
  assert.equal(await cancel(bench, eui), false)
  assert.equal(await readState(), 'cancelled')
})

test('a cancel in the moment of an uplink neither lies nor sends twice', async (t) => {
  const bench = await startBench(t)
  const { stack, eui, atNetwork } = bench
  const sent: string[] = []
  stack.http.faults.answers[replace] = async () => {
    delete stack.http.faults.answers[replace]
    sent.push(...(atNetwork() ?? []))
    await stack.sendUplink(eui, '100301')
    return undefined
  }
  await queue(bench, eui, 5)
  assert.equal(await cancel(bench, eui), false)
  assert.deepEqual([sent, atNetwork()], [[bytesOf(5)], []])
  assert.deepEqual(await readEvents(bench, eui), ['created', 'sent', 'acknowledged'])
})
