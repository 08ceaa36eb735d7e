import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addBenchDevice, queue, readHistory, startBench } from '../../../test/downlinks.ts'

const bench = await startBench({ after })
const { service } = bench

// shows 4.17.1
test('is empty before the first message', async () => {
  const { eui } = await addBenchDevice(bench, 1)
  assert.deepEqual(await readHistory(bench, eui), [])
})

// shows 2.15.1-5, 4.17.1, 10.5.9
test('gives the fields of the contract, newest first, for an EUI in any case and an id', async () => {
  const { eui, id } = await addBenchDevice(bench, 2)
  await queue(bench, eui, 5)
  await bench.simulator.sendUplink(eui)
  const history = await readHistory(bench, eui.toLowerCase())
  assert.equal(history.length, 3)
  for (const entry of history) {
    const fields = ['id', 'eventData', 'configStatus', 'event_name', 'publishedAt', 'downlink_id']
    assert.deepEqual(Object.keys(entry), fields)
    assert.match(entry.eventData, /01 00 02 85 00 00 00 00/)
  }
  const byTime = history.toSorted((one, other) => (one.publishedAt < other.publishedAt ? 1 : -1))
  assert.deepEqual(byTime, history)
  assert.deepEqual(await readHistory(bench, String(id)), history)
})

test('ends after a thousand entries', async () => {
  const { eui, id } = await addBenchDevice(bench, 3)
  await queue(bench, eui, 5)
  await service.services.db.query(
    `insert into downlink_history (organization_id, device_id, downlink_id, event_name)
     select organization_id, device_id, id, 'event_sent' from downlinks, generate_series(1, 1000)
     where device_id = $1`,
    [id],
  )
  const history = await readHistory(bench, eui)
  assert.equal(history.length, 1000)
  assert.ok(history.every(({ event_name }) => event_name === 'event_sent'))
})

test('is that of a device of the own organization', async () => {
  const answer = await service.call('GET', '/v1/devices/00AA00000000FFFF/configure')
  assert.deepEqual([answer.status, answer.body], [404, { message: 'device not found' }])
})
