import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { Aedes } from 'aedes'
import { receiveEvents } from '../../test/callback-receiver.ts'
import { connectToChirpStack, doorSensor } from '../../test/network-connections.ts'
import { createStoppedClock } from '../../test/stopped-clock.ts'

test('loses and doubles events as its faults say, and repeats none by itself', async (context) => {
  const { simulator, connection } = await connectToChirpStack(context)
  let status = 200
  const received = await receiveEvents(context, simulator, () => status)
  await connection.addDevice(doorSensor)
  await simulator.settle()
  received.splice(0)

  simulator.faults.duplicateRate = 1
  await simulator.sendUplink(doorSensor.devEui)
  assert.equal(received.length, 2)
  assert.deepEqual(received[0]?.body, received[1]?.body)

  simulator.faults.duplicateRate = 0
  simulator.faults.eventLossRate = 1
  await simulator.sendUplink(doorSensor.devEui)
  simulator.faults.eventLossRate = 0
  simulator.faults.isAway = true
  await simulator.sendUplink(doorSensor.devEui)
  simulator.faults.isAway = false
  assert.equal(received.length, 2)

  status = 503
  await simulator.sendUplink(doorSensor.devEui)
  assert.equal(received.length, 3)
  assert.deepEqual(simulator.counts, { delivered: 3, failed: 1, lost: 2 })
})

test('sends a failed event again when it is told to', async (context) => {
  const { clock, ring } = createStoppedClock()
  const { simulator, connection } = await connectToChirpStack(context, { clock, retries: 2 })
  const answers = [500, 500, 200]
  const received = await receiveEvents(context, simulator, () => answers.shift() ?? 200)
  await connection.addDevice(doorSensor)
  while (answers.length > 0) {
    ring()
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await simulator.settle()
  assert.equal(received.length, 3)
  assert.deepEqual(simulator.counts, { delivered: 1, failed: 0, lost: 0 })
})

test('tells the same story for the same seed', async (context) => {
  const stories: unknown[] = []
  for (let run = 0; run < 2; run += 1) {
    const { clock } = createStoppedClock()
    const { simulator, connection } = await connectToChirpStack(context, { clock, seed: 42 })
    const received = await receiveEvents(context, simulator)
    await connection.addDevice({ ...doorSensor, name: 'Air' })
    for (let count = 0; count < 5; count += 1) await simulator.sendUplink(doorSensor.devEui)
    stories.push(received.map(({ body }) => body))
  }
  assert.deepEqual(stories[0], stories[1])
})

test('lets all devices send by themselves until it is stopped', async (context) => {
  const { clock, ring } = createStoppedClock()
  const { simulator, connection } = await connectToChirpStack(context, { clock })
  const received = await receiveEvents(context, simulator)
  const uplinks = () => received.filter(({ event }) => event === 'up').length
  await connection.addDevice(doorSensor)
  simulator.startTraffic(60_000)
  // A device that comes later has its turns as well.
  await connection.addDevice({ ...doorSensor, devEui: '00AA000000000002' })
  const start = clock.now()
  while (uplinks() < 20) {
    ring()
    await simulator.settle()
  }
  const minutes = (clock.now() - start) / 60_000
  assert.ok(minutes > 5 && minutes < 20, `${minutes} minutes`)
  const devices = new Set(received.map(({ message }) => 'devEui' in message && message.devEui))
  assert.equal(devices.size, 2)
  simulator.stopTraffic()
  assert.equal(ring(), false)
})

test('sends its events to an MQTT broker as well', async (context) => {
  const broker = await Aedes.createBroker()
  const server = createServer(broker.handle)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const topics: string[] = []
  broker.on('publish', ({ topic }) => void topics.push(topic))
  const address = server.address()
  assert.ok(address && typeof address === 'object')
  const brokerUrl = `mqtt://127.0.0.1:${address.port}`
  const { simulator, connection } = await connectToChirpStack(context, { brokerUrl })
  await connection.addDevice(doorSensor)
  await simulator.sendUplink(doorSensor.devEui)
  const prefix = `application/${simulator.applicationId}/device/${doorSensor.devEui.toLowerCase()}/event`
  assert.deepEqual(
    topics.filter((topic) => topic.startsWith('application/')),
    [`${prefix}/join`, `${prefix}/up`],
  )
  await simulator.close()
  await new Promise<void>((resolve) => {
    broker.close(resolve)
  })
  server.close()
})
