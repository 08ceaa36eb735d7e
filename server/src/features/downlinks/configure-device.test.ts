import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addBenchDevice,
  atNetwork,
  bytesOf,
  configure,
  passTime,
  periodOf,
  queue,
  readEvents,
  readHistory,
  startBench,
} from '../../../test/downlinks.ts'

const notQueued = {
  status: false,
  message: 'Downlink could not be queued. Please check the config history.',
}
const enqueue = '/api.DeviceService/Enqueue'

// shows 1.4.8, 2.15.2, 3.2.1-3, 4.16.8, 6.1.3, 6.1.4, 10.8.2, 10.8.5
test('a message is created, sent after the next uplink, and acknowledged by the sensor', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addBenchDevice(bench, 1)
  await queue(bench, eui, 5)
  assert.deepEqual(await readEvents(bench, eui), ['created'])
  assert.deepEqual(atNetwork(bench, eui), [bytesOf(5)])
  const item = bench.simulator.devices.get(eui.toLowerCase())?.queue[0]
  assert.deepEqual([item?.fPort, item?.confirmed], [2, false])

  await bench.simulator.sendUplink(eui)
  assert.deepEqual(await readEvents(bench, eui), ['created', 'sent', 'acknowledged'])
  const [latest, sent, created] = await readHistory(bench, eui)
  assert.equal(latest?.configStatus, 'Config Acknowledged')
  assert.equal(sent?.configStatus, 'Config Sent')
  assert.equal(created?.configStatus, 'New Config Created')
  assert.match(created?.eventData ?? '', /^Configuration: General<br>/)
  assert.match(created?.eventData ?? '', /<br>Supervisory period: 5 minutes<br>/)
  assert.match(created?.eventData ?? '', /<br>Message: 01 00 02 85 00 00 00 00$/)
  assert.match(created?.publishedAt ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  const device = await bench.service.call('GET', `/v1/devices/${eui}`)
  assert.equal(device.body.data.device_status.config_error, 'No')
})

// shows 10.8.16
test('the answer and the history entries of a message have its id', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addBenchDevice(bench, 1)
  const first = await configure(bench, eui, periodOf(5))
  const second = await configure(bench, eui, periodOf(6))
  assert.ok(Number.isInteger(first.body.downlink_id))
  assert.notEqual(first.body.downlink_id, second.body.downlink_id)
  await bench.simulator.sendUplink(eui)
  const history = await readHistory(bench, eui)
  const byId = Map.groupBy(history, ({ downlink_id }) => downlink_id)
  assert.deepEqual(new Set(byId.keys()), new Set([first.body.downlink_id, second.body.downlink_id]))
  const entries = byId.get(first.body.downlink_id)?.map(({ event_name }) => event_name)
  assert.deepEqual(entries, ['event_acknowledged', 'event_sent', 'event_created'])
})

// shows 10.8.6
test('a message that the sensor refuses is rejected, with its reason', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addBenchDevice(bench, 1)
  bench.simulator.faults.downlinkLossRate = 1
  await queue(bench, eui, 5)
  await bench.simulator.sendUplink(eui)
  assert.deepEqual(await readEvents(bench, eui), ['created', 'sent'])
  await bench.simulator.sendUplink(eui, `18ff06${bytesOf(5)}`)
  assert.deepEqual(await readEvents(bench, eui), ['created', 'sent', 'rejected'])
  const [rejected] = await readHistory(bench, eui)
  assert.equal(rejected?.configStatus, 'Config Rejected')
  assert.match(rejected?.eventData ?? '', /^Reason: .*a byte is out of range<br>/)
  const device = await bench.service.call('GET', `/v1/devices/${eui}`)
  assert.equal(device.body.data.device_status.config_error, 'Yes')
})

test('an answer of old firmware, without the message, closes the latest that was sent', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addBenchDevice(bench, 1)
  bench.simulator.faults.downlinkLossRate = 1
  await queue(bench, eui, 5)
  await queue(bench, eui, 6)
  await bench.simulator.sendUplink(eui)
  await bench.simulator.sendUplink(eui)
  await bench.simulator.sendUplink(eui, '10ff02')
  const [acknowledged] = await readHistory(bench, eui)
  assert.equal(acknowledged?.event_name, 'event_acknowledged')
  assert.match(acknowledged?.eventData ?? '', /01 00 02 86/)
  // "No message received" answers none.
  await bench.simulator.sendUplink(eui, '11ff00')
  assert.equal((await readHistory(bench, eui)).length, 5)
})

test('an answer closes a message whose sending was never reported', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addBenchDevice(bench, 1)
  await queue(bench, eui, 5)
  bench.simulator.faults.eventLossRate = 1
  await bench.simulator.sendUplink(eui)
  bench.simulator.faults.eventLossRate = 0
  assert.deepEqual(await readEvents(bench, eui), ['created'])
  await bench.simulator.sendUplink(eui, `18ff03${bytesOf(5)}`)
  assert.deepEqual(await readEvents(bench, eui), ['created', 'sent', 'acknowledged'])
})

test('an answer to what was never sent from here changes nothing', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addBenchDevice(bench, 1)
  bench.simulator.faults.downlinkLossRate = 1
  await queue(bench, eui, 5)
  await bench.simulator.sendUplink(eui, `18ff03${bytesOf(9)}`)
  assert.deepEqual(await readEvents(bench, eui), ['created', 'sent'])
})

// shows 10.8.4
test('a message that the network gives up has failed, with the reason', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addBenchDevice(bench, 1)
  await queue(bench, eui, 5)
  const item = bench.simulator.devices.get(eui.toLowerCase())?.queue[0]
  assert.ok(item)
  item.expiresAt = 1
  await bench.simulator.sendUplink(eui)
  assert.deepEqual(await readEvents(bench, eui), ['created', 'failed'])
  const [failed] = await readHistory(bench, eui)
  assert.equal(failed?.configStatus, 'Config Failed')
  assert.match(
    failed?.eventData ?? '',
    /^Reason: Device queue-item discarded because it has expired<br>/,
  )
})

test('events that come twice are told once', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addBenchDevice(bench, 1)
  bench.simulator.faults.duplicateRate = 1
  await queue(bench, eui, 5)
  await bench.simulator.sendUplink(eui)
  assert.deepEqual(await readEvents(bench, eui), ['created', 'sent', 'acknowledged'])
})

// shows 4.16.7, 4.16.9, 7.1.7, 10.8.8
test('a message that the network refuses at once has failed', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addBenchDevice(bench, 1)
  bench.simulator.faults.refusals[enqueue] = { code: 3, message: 'no <b>room</b>' }
  const answer = await configure(bench, eui, periodOf(5))
  assert.equal(answer.status, 200)
  const { downlink_id, ...told } = answer.body
  assert.deepEqual(told, notQueued)
  assert.ok((await readHistory(bench, eui)).every((entry) => entry.downlink_id === downlink_id))
  assert.deepEqual(await readEvents(bench, eui), ['created', 'failed'])
  const [failed] = await readHistory(bench, eui)
  assert.match(failed?.eventData ?? '', /^Reason: ChirpStack refused: no &lt;b&gt;room&lt;\/b&gt;/)
  // The next one is not held up by it.
  delete bench.simulator.faults.refusals[enqueue]
  await queue(bench, eui, 6)
  assert.deepEqual(atNetwork(bench, eui), [bytesOf(6)])
})

test('messages wait for a network that is away, and go out in their order', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addBenchDevice(bench, 1)
  bench.simulator.faults.isAway = true
  for (const minutes of [5, 6, 7]) await queue(bench, eui, minutes)
  assert.deepEqual(await readEvents(bench, eui), ['created', 'created', 'created'])
  bench.simulator.faults.isAway = false
  await passTime(bench, 0)
  assert.deepEqual(atNetwork(bench, eui), [], 'the pause is not over')
  await passTime(bench)
  assert.deepEqual(atNetwork(bench, eui), [bytesOf(5), bytesOf(6), bytesOf(7)])
  await bench.simulator.sendUplink(eui)
  const events = await readEvents(bench, eui)
  assert.equal(events.filter((event) => event === 'acknowledged').length, 3)
})

test('the pauses between tries grow, up to five minutes', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addBenchDevice(bench, 1)
  bench.simulator.faults.isAway = true
  await queue(bench, eui, 5)
  const pauses: number[] = []
  for (let attempt = 1; attempt <= 12; attempt += 1) {
    const { services, setClock } = bench.service
    const [due] = await services.db.query<{ seconds: string }>(
      `select extract(epoch from next_attempt_at - $1::timestamptz) as seconds
       from downlink_queues`,
      [services.now()],
    )
    const seconds = Number(due?.seconds)
    pauses.push(seconds)
    setClock(new Date(services.now().getTime() + seconds * 1000 + 1))
    await passTime(bench, 0)
  }
  pauses.forEach((pause, index) => {
    const least = Math.min(300, 2 ** Math.min(index + 1, 10))
    assert.ok(pause >= least && pause <= least * 1.25, `pause ${index} is ${pause} s`)
  })
})

test('messages wait for an account, and go out as soon as it is there', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addBenchDevice(bench, 1)
  const { service, simulator } = bench
  simulator.faults.refusals[enqueue] = { code: 16, message: 'InvalidToken' }
  await queue(bench, eui, 5)
  delete simulator.faults.refusals[enqueue]
  assert.deepEqual(atNetwork(bench, eui), [])
  const body = simulator.account
  const fixed = await service.call('PUT', '/v1/network-accounts/chirpstack', { body })
  assert.equal(fixed.status, 200)
  await service.services.downlinkSender.idle()
  assert.deepEqual(atNetwork(bench, eui), [bytesOf(5)])
})

test('messages wait until the network knows the device', async (context) => {
  const bench = await startBench(context)
  bench.simulator.faults.isAway = true
  const { eui, id } = await addBenchDevice(bench, 1)
  await queue(bench, eui, 5)
  bench.simulator.faults.isAway = false
  await passTime(bench)
  assert.deepEqual(atNetwork(bench, eui), [])
  await bench.service.services.provisioner.provisionNow(id)
  await passTime(bench)
  assert.deepEqual(atNetwork(bench, eui), [bytesOf(5)])
})

test('a device that is recorded here only can not be sent anything', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addBenchDevice(bench, 1, { consoleOnly: true })
  const { downlink_id: _, ...told } = (await configure(bench, eui, periodOf(5))).body
  assert.deepEqual(told, notQueued)
  assert.deepEqual(await readEvents(bench, eui), ['created', 'failed'])
})

test('a device has at most 100 messages waiting', async (context) => {
  const bench = await startBench(context)
  const { eui, id } = await addBenchDevice(bench, 1)
  bench.simulator.faults.isAway = true
  await queue(bench, eui, 5)
  await bench.service.services.db.query(
    `insert into downlinks (organization_id, device_id, user_id, section, field_values, payload, f_port)
     select 1, $1, 1, 'general', '{}', '\\x0100028500000000', 2 from generate_series(1, 99)`,
    [id],
  )
  const answer = await configure(bench, eui, periodOf(6))
  assert.equal(answer.status, 422)
  assert.match(answer.body.errors.config_field[0], /100 config messages/)
})
