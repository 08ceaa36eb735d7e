import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  addBenchDevice,
  configure,
  queue,
  readEvents,
  startBench,
} from '../../../test/downlinks.ts'

const bench = await startBench({ after })

test('messages go to the port that the device was last heard on', async () => {
  const { eui } = await addBenchDevice(bench, 1)
  const ports = () =>
    bench.simulator.devices.get(eui.toLowerCase())?.queue.map(({ fPort }) => fPort)
  const move = (port_number: number) =>
    configure(bench, eui, { islorawan: 1, config_type: 'advanced', port_number })
  await move(10)
  assert.deepEqual(ports(), [2], 'before the first uplink')
  await bench.simulator.sendUplink(eui)
  assert.deepEqual(await readEvents(bench, eui), ['created', 'sent', 'acknowledged'])
  await queue(bench, eui, 5)
  await move(0)
  assert.deepEqual(ports(), [10, 10])
  await bench.simulator.sendUplink(eui)
  await queue(bench, eui, 6)
  assert.deepEqual(ports(), [2], 'back to the default')
})

test('a port that no downlink can have is not taken from an uplink', async () => {
  const { eui } = await addBenchDevice(bench, 2)
  const device = bench.simulator.devices.get(eui.toLowerCase())
  assert.ok(device)
  device.sensor.port = 224
  await bench.simulator.sendUplink(eui)
  await queue(bench, eui, 5)
  assert.deepEqual(
    device.queue.map(({ fPort }) => fPort),
    [2],
  )
})
