import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addBenchDevice,
  type Bench,
  queue,
  readEvents,
  readHistory,
  startBench,
} from '../../../test/downlinks.ts'
import { listWaiting } from './downlink-queries.ts'
import { endRepeated, noteNetworkEvent } from './ledger.ts'
import { noteUplinks, type TellingUplink } from './telling-uplinks.ts'

/*
 * What networks do that ChirpStack does not: no report of what was sent, reports that name no
 * item, LoRaWAN acknowledgements of confirmed downlinks.
 */

async function startQueued(context: Parameters<typeof startBench>[0], minutes: number[]) {
  const bench = await startBench(context)
  const device = await addBenchDevice(bench, 1)
  for (const each of minutes) await queue(bench, device.eui, each)
  return { bench, ...device }
}

function hear({ service }: Bench, deviceId: number, more: Partial<TellingUplink> = {}) {
  const uplink = { organizationId: 1, deviceId, isSendingReported: false, description: '', ...more }
  return service.services.db.transaction((tx) => noteUplinks(tx, [uplink]))
}

function tell({ service }: Bench, deviceId: number, event: Parameters<typeof noteNetworkEvent>[3]) {
  return service.services.db.transaction((tx) => noteNetworkEvent(tx, 1, deviceId, event))
}

test('where the network reports nothing, each uplink takes the oldest message along', async (context) => {
  const { bench, eui, id } = await startQueued(context, [5, 6])
  await hear(bench, id, { isSendingReported: true })
  assert.deepEqual(await readEvents(bench, eui), ['created', 'created'])
  await hear(bench, id)
  const [sent] = await readHistory(bench, eui)
  assert.equal(sent?.event_name, 'event_sent')
  assert.match(sent?.eventData ?? '', /01 00 02 85/)
  await hear(bench, id)
  await hear(bench, id)
  assert.deepEqual(await readEvents(bench, eui), ['created', 'created', 'sent', 'sent'])
})

test('there, the answer to one message takes the next one along', async (context) => {
  const { bench, eui, id } = await startQueued(context, [5, 6])
  await hear(bench, id)
  await hear(bench, id, { answer: { status: 3, accepted: true, echo: '0100028500000000' } })
  const events = ['created', 'created', 'sent', 'acknowledged', 'sent']
  assert.deepEqual(await readEvents(bench, eui), events)
})

test('a message that was sent costs the later uplinks of its device no statement', async (context) => {
  const { bench, id } = await startQueued(context, [5, 6, 7])
  for (let uplink = 0; uplink < 3; uplink += 1) await hear(bench, id)
  const statements: string[] = []
  await bench.service.services.db.transaction(async (tx) => {
    const counting: typeof tx = {
      query: (text, values) => {
        statements.push(text)
        return tx.query(text, values)
      },
      send: (text, values) => {
        statements.push(text)
        tx.send(text, values)
      },
    }
    const uplink = { organizationId: 1, deviceId: id, isSendingReported: false, description: '' }
    await noteUplinks(counting, [uplink, uplink, uplink])
  })
  assert.equal(statements.length, 1, statements.join('\n'))
})

test('a report that names no item is about the oldest message', async (context) => {
  const { bench, eui, id } = await startQueued(context, [5, 6])
  await tell(bench, id, { state: 'sent' })
  await tell(bench, id, { state: 'failed', reason: 'no gateway' })
  const [failed, sent] = await readHistory(bench, eui)
  assert.match(failed?.eventData ?? '', /^Reason: no gateway<br>.*01 00 02 86/)
  assert.match(sent?.eventData ?? '', /01 00 02 85/)
})

test('an acknowledgement of the radio says that it was sent, the lack of one that it failed', async (context) => {
  const { bench, eui, id } = await startQueued(context, [5, 6])
  await tell(bench, id, { state: 'acknowledged' })
  await tell(bench, id, { state: 'not_acknowledged', reason: 'not heard' })
  assert.match((await readHistory(bench, eui))[0]?.eventData ?? '', /not heard.*01 00 02 85/)
  assert.deepEqual(await readEvents(bench, eui), ['created', 'created', 'sent', 'failed'])
})

test('a message that the network sends again stays sent, and each time is told', async (context) => {
  const { bench, eui, id } = await startQueued(context, [5])
  const [item] = await bench.service.services.db.query<{ queue_item_id: string }>(
    'select queue_item_id from downlinks where device_id = $1',
    [id],
  )
  const queueItemId = item?.queue_item_id ?? ''
  await tell(bench, id, { state: 'postponed', queueItemId })
  assert.deepEqual(await readEvents(bench, eui), ['created'])
  const again = { state: 'not_acknowledged', queueItemId, isRepeated: true } as const
  await tell(bench, id, { ...again, reason: 'not heard' })
  assert.deepEqual(await readEvents(bench, eui), ['created', 'sent', 'sent'])
  assert.match((await readHistory(bench, eui))[0]?.eventData ?? '', /not heard/)
  await tell(bench, id, { state: 'failed', queueItemId, reason: 'given up' })
  await tell(bench, id, again)
  const failed = ['created', 'sent', 'sent', 'failed']
  assert.deepEqual(await readEvents(bench, eui), failed)
  // It arrived after all.
  await tell(bench, id, { state: 'acknowledged', queueItemId })
  assert.deepEqual(await readEvents(bench, eui), [...failed, 'sent'])
})

test('a raw message needs no answer of the sensor', async (context) => {
  const { bench, eui, id } = await startQueued(context, [])
  const body = { f_port: 10, payload: '0102' }
  const { text, status } = await bench.service.call('POST', `/v1/devices/${eui}/downlink`, { body })
  assert.equal(status, 200, text)
  await tell(bench, id, { state: 'acknowledged' })
  assert.deepEqual(await readEvents(bench, eui), ['created', 'sent', 'acknowledged'])
})

test('reports of unknown items, and of devices without downlinks, change nothing', async (context) => {
  const { bench, eui, id } = await startQueued(context, [5])
  await tell(bench, id, { state: 'sent', queueItemId: 'somebody else' })
  await tell(bench, 999, { state: 'sent' })
  await hear(bench, 999)
  assert.deepEqual(await readEvents(bench, eui), ['created'])
})

test('the network from which a device has moved tells only what it has sent', async (context) => {
  const { bench, eui, id } = await startQueued(context, [5, 6])
  const { db } = bench.service.services
  const queued = await db.query<{ queue_item_id: string }>(
    'select queue_item_id from downlinks where device_id = $1 order by id',
    [id],
  )
  const [first, second] = queued.map(({ queue_item_id }) => queue_item_id)
  assert.ok(first && second)
  await hear(bench, id, { network: 'machineq' })
  await tell(bench, id, { state: 'sent', network: 'loriot' })
  await tell(bench, id, { state: 'failed', queueItemId: first, network: 'loriot' })
  assert.deepEqual(await readEvents(bench, eui), ['created', 'created'])
  await tell(bench, id, { state: 'sent', queueItemId: second, network: 'loriot' })
  assert.deepEqual(await readEvents(bench, eui), ['created', 'created', 'sent'])
})

test('a message that was acknowledged meanwhile is not cancelled', async (context) => {
  const { bench, eui, id } = await startQueued(context, [])
  const { call, services } = bench.service
  const body = { f_port: 10, payload: '0102', confirmed: true }
  await call('POST', `/v1/devices/${eui}/downlink`, { body })
  const [sent] = await listWaiting(services.db, 1, id)
  assert.ok(sent)
  await tell(bench, id, { state: 'acknowledged' })
  assert.equal(await services.db.transaction((tx) => endRepeated(tx, sent)), false)
  assert.deepEqual(await readEvents(bench, eui), ['created', 'sent', 'acknowledged'])
})
