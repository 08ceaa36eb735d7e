import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addType } from '../../../test/device-types.ts'
import {
  addBenchDevice,
  configure,
  periodOf,
  queue,
  readEvents,
  readHistory,
  startBench,
} from '../../../test/downlinks.ts'
import { noteNetworkEvent } from './ledger.ts'
import { closeUnanswered } from './missing-downlinks.ts'

const bench = await startBench({ after })
const { db } = bench.service.services
const day = 24 * 60 * 60 * 1000
/** The database's clock tells when a message was sent. */
const inDays = (days: number) => new Date(Date.now() + days * day)

test('a message that no sensor has acknowledged for a week has failed, and says so', async () => {
  const { eui, id } = await addBenchDevice(bench, 1)
  const idle = await addBenchDevice(bench, 2)
  await queue(bench, eui, 5)
  await db.transaction((tx) => noteNetworkEvent(tx, 1, id, { state: 'sent' }))
  await queue(bench, idle.eui, 6)
  await closeUnanswered(db, inDays(6.9))
  assert.deepEqual(await readEvents(bench, eui), ['created', 'sent'])
  await Promise.all([closeUnanswered(db, inDays(7.1)), closeUnanswered(db, inDays(7.1))])
  assert.deepEqual(await readEvents(bench, eui), ['created', 'sent', 'failed'])
  const [failed] = await readHistory(bench, eui)
  assert.equal(failed?.configStatus, 'Config Failed')
  assert.match(
    failed?.eventData ?? '',
    /^Reason: It was sent, but the sensor has not acknowledged it within 7 days\.<br>.*01 00 02 85/,
  )
  assert.deepEqual(await readEvents(bench, idle.eui), ['created'])
})

test('one of a codec, which nothing acknowledges, stays sent', async () => {
  const codec = 'function encodeDownlink(input) { return { bytes: [1], fPort: 2 } }'
  const type = await addType(bench.service, { codec })
  const { eui } = await addBenchDevice(bench, 3, { deviceType: type.id })
  const fields = { islorawan: 1, config_type: 'sensor', codec_data: { a: 1 }, codec_port: 2 }
  assert.equal((await configure(bench, eui, fields)).body.status, true)
  await bench.simulator.sendUplink(eui, '01')
  await closeUnanswered(db, inDays(8))
  assert.deepEqual(await readEvents(bench, eui), ['created', 'sent'])
})

test('closes more than fit into one transaction', async () => {
  const { eui, id } = await addBenchDevice(bench, 4)
  assert.equal((await configure(bench, eui, periodOf(5))).body.status, true)
  await db.query(
    `insert into downlinks
       (organization_id, device_id, user_id, section, field_values, payload, f_port, state, sent_at)
     select organization_id, device_id, user_id, section, field_values, payload, f_port, 'sent', now()
     from downlinks, generate_series(1, 1200) where device_id = $1`,
    [id],
  )
  await closeUnanswered(db, inDays(8))
  const [left] = await db.query<{ count: number }>(
    `select count(*) from downlinks where device_id = $1 and state = 'sent'`,
    [id],
  )
  assert.equal(left?.count, 0)
  const history = await readEvents(bench, eui)
  assert.equal(history.filter((name) => name === 'failed').length, 1000)
})
