import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addBenchDevice,
  type Bench,
  configure,
  periodOf,
  queue,
  startBench,
} from '../../../test/downlinks.ts'
import { advance, noteNetworkEvent } from './ledger.ts'

/** One message at the network, one here; both are cancelled, with an entry in the history. */
async function assertCancels(bench: Bench, remove: (eui: string) => Promise<void>) {
  const { eui, id } = await addBenchDevice(bench, 1)
  const neighbour = await addBenchDevice(bench, 2)
  await queue(bench, eui, 5)
  await queue(bench, neighbour.eui, 5)
  bench.simulator.faults.isAway = true
  await queue(bench, eui, 6)
  await remove(eui)
  const { db } = bench.service.services
  const statesOf = async (deviceId: number) => {
    const rows = await db.query<{ state: string }>(
      'select state from downlinks where device_id = $1 order by id',
      [deviceId],
    )
    return rows.map(({ state }) => state)
  }
  assert.deepEqual(await statesOf(id), ['cancelled', 'cancelled'])
  assert.deepEqual(await statesOf(neighbour.id), ['handed_over'])
  const history = await db.query(
    `select id from downlink_history where device_id = $1 and event_name = 'event_cancelled'`,
    [id],
  )
  assert.equal(history.length, 2)
  const answer = await configure(bench, eui, periodOf(7))
  assert.deepEqual([answer.status, answer.body.message], [404, 'device not found'])
}

test('deleting a device cancels what waits for it', async (context) => {
  const bench = await startBench(context)
  await assertCancels(bench, async (eui) => {
    const deleted = await bench.service.call('DELETE', `/v1/devices/${eui}`)
    assert.equal(deleted.status, 204)
  })
})

test('what was sent stays sent, for a cancel and for a deletion of the device', async (context) => {
  const bench = await startBench(context)
  const { db } = bench.service.services
  const { eui, id } = await addBenchDevice(bench, 1)
  await queue(bench, eui, 5)
  const find = async () => {
    const rows = await db.query<{ id: number; state: string }>(
      'select id, state from downlinks where device_id = $1',
      [id],
    )
    assert.ok(rows[0])
    return rows[0]
  }
  const downlink = { organization_id: 1, device_id: id, id: (await find()).id }
  await db.transaction((tx) => noteNetworkEvent(tx, 1, id, { state: 'sent' }))
  assert.equal(await db.transaction((tx) => advance(tx, downlink, 'cancelled')), false)
  assert.equal((await bench.service.call('DELETE', `/v1/devices/${eui}`)).status, 204)
  assert.equal((await find()).state, 'sent')
})

test('deleting it in a batch does the same', async (context) => {
  const bench = await startBench(context)
  await assertCancels(bench, async (deviceId) => {
    const body = { devices: [{ action: 'delete', deviceId }] }
    const answer = await bench.service.call('POST', '/v1/batch-device-requests', { body })
    assert.equal(answer.body.data[0].message, 'Device deleted successfully')
  })
})
