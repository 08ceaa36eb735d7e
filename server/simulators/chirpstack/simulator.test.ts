import assert from 'node:assert/strict'
import { test } from 'node:test'
import { receiveEvents } from '../../test/callback-receiver.ts'
import { connectToChirpStack, doorSensor } from '../../test/network-connections.ts'
import { createStoppedClock } from '../../test/stopped-clock.ts'

const downlink = {
  devEui: doorSensor.devEui,
  fPort: 2,
  payload: Buffer.from('0100029900000000', 'hex'),
  confirmed: false,
}

test('joins once the keys are set, then sends what its sensor sends', async (context) => {
  const { simulator, connection } = await connectToChirpStack(context)
  const received = await receiveEvents(context, simulator)
  await connection.addDevice(doorSensor)
  await simulator.settle()
  for (let count = 0; count < 4; count += 1) await simulator.sendUplink(doorSensor.devEui)
  assert.deepEqual(
    received.map(({ event }) => event),
    ['join', 'up', 'up', 'up', 'up'],
  )
  assert.ok(received.every(({ secret }) => secret === 'hush'))
  const frames = received.flatMap(({ message }) =>
    message.kind === 'uplink' ? [Buffer.from(message.payload).toString('hex')] : [],
  )
  // The reset frame of a door sensor (type code 01), then opened, closed, opened.
  assert.deepEqual(frames, ['100001278850703c', '110301', '120300', '130301'])
  const uplinks = received.flatMap(({ message }) => (message.kind === 'uplink' ? [message] : []))
  assert.deepEqual(
    uplinks.map(({ fCnt, fPort, devEui }) => [fCnt, fPort, devEui]),
    [0, 1, 2, 3].map((fCnt) => [fCnt, 2, doorSensor.devEui]),
  )
  assert.equal(new Set(uplinks.map(({ deduplicationKey }) => deduplicationKey)).size, 4)
})

test('is heard by the gateways that were added', async (context) => {
  const { simulator, connection } = await connectToChirpStack(context)
  const received = await receiveEvents(context, simulator)
  await connection.gateways.add({ gatewayEui: '00BB000000000001', name: 'Roof' })
  await connection.addDevice(doorSensor)
  await simulator.sendUplink(doorSensor.devEui, '100301')
  const message = received.at(-1)?.message
  assert.equal(message?.kind, 'uplink')
  assert.deepEqual(
    message.receptions.map(({ gatewayEui }) => gatewayEui),
    ['00BB000000000001'],
  )
  assert.match(message.dataRate ?? '', /^SF(7|8|9|10)BW125$/)
})

test('sends a downlink after the next uplink, and the sensor answers it', async (context) => {
  const { simulator, connection } = await connectToChirpStack(context)
  const received = await receiveEvents(context, simulator)
  await connection.addDevice(doorSensor)
  const queueItemId = await connection.queueDownlink(downlink)
  await simulator.sendUplink(doorSensor.devEui)
  const [, up, sent, answer, ...rest] = received.map(({ message }) => message)
  assert.equal(up?.kind, 'uplink')
  assert.equal(sent?.kind, 'downlink')
  assert.deepEqual([sent.state, sent.queueItemId], ['sent', queueItemId])
  assert.equal(answer?.kind, 'uplink')
  assert.equal(Buffer.from(answer.payload).toString('hex'), '11ff030100029900000000')
  assert.deepEqual(rest, [])
  assert.deepEqual(await connection.listDownlinks(doorSensor.devEui), [])
})

test('acknowledges a confirmed downlink, or not when it was not heard', async (context) => {
  const { simulator, connection } = await connectToChirpStack(context)
  const received = await receiveEvents(context, simulator)
  await connection.addDevice(doorSensor)
  const states = () =>
    received
      .splice(0)
      .map(({ message }) =>
        message.kind === 'downlink' ? `${message.state} ${message.queueItemId}` : message.kind,
      )
  const heard = await connection.queueDownlink({ ...downlink, confirmed: true })
  await simulator.sendUplink(doorSensor.devEui)
  assert.deepEqual(states(), ['join', 'uplink', `sent ${heard}`, 'uplink', `acknowledged ${heard}`])

  simulator.faults.downlinkLossRate = 1
  const lost = await connection.queueDownlink({ ...downlink, confirmed: true })
  await simulator.sendUplink(doorSensor.devEui)
  assert.deepEqual(states(), ['uplink', `sent ${lost}`])
  const [pending] = await connection.listDownlinks(doorSensor.devEui)
  assert.deepEqual([pending?.id, pending?.isPending], [lost, true])
  await simulator.sendUplink(doorSensor.devEui)
  assert.deepEqual(states(), ['uplink', `not_acknowledged ${lost}`])

  // Not a configuration: only an empty frame carries the acknowledgement.
  simulator.faults.downlinkLossRate = 0
  const payload = Buffer.from('01', 'hex')
  const short = await connection.queueDownlink({ ...downlink, payload, confirmed: true })
  await simulator.sendUplink(doorSensor.devEui)
  assert.deepEqual(states(), ['uplink', `sent ${short}`, 'nothing', `acknowledged ${short}`])
})

test('logs a downlink that expired or is too long', async (context) => {
  const { clock, move } = createStoppedClock()
  const { simulator, connection } = await connectToChirpStack(context, { clock })
  const received = await receiveEvents(context, simulator)
  await connection.addDevice(doorSensor)
  const expired = await connection.queueDownlink(downlink)
  const item = simulator.devices.get(doorSensor.devEui.toLowerCase())?.queue[0]
  assert.ok(item)
  item.expiresAt = clock.now() + 1_000
  const long = await connection.queueDownlink({ ...downlink, payload: Buffer.alloc(230) })
  move(1_001)
  await simulator.sendUplink(doorSensor.devEui)
  const failed = received.slice(2).map(({ message }) => message)
  assert.deepEqual(
    failed.map((message) =>
      message.kind === 'downlink' ? [message.state, message.queueItemId] : [],
    ),
    [
      ['failed', expired],
      ['failed', long],
    ],
  )
})
