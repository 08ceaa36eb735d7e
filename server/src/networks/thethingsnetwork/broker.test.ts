import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBroker } from '../../../test/broker.ts'
import { endlessRoom, followAccount } from '../../../test/message-sink.ts'
import { connectToStack, plannedSensor } from '../../../test/network-connections.ts'
import type { NetworkMessage } from '../network-message.ts'
import { thethingsnetwork } from './definition.ts'

test('follows the MQTT server of the application', async (t) => {
  const { source, broker } = await startBroker(t)
  const { simulator, connection } = await connectToStack(t, {}, { brokerUrl: source.url })
  const subscribed = new Promise<string[]>((resolve) => {
    broker.on('subscribe', (subscriptions) => resolve(subscriptions.map(({ topic }) => topic)))
  })
  const received: NetworkMessage[] = []
  const problems: string[] = []
  const sink = {
    room: endlessRoom,
    store: async (message: NetworkMessage) => {
      received.push(message)
    },
    reportProblem: (problem: string) => problems.push(problem),
    noteBroker: (trouble: Error | undefined) => void (trouble && problems.push(trouble.message)),
  }
  const subscription = followAccount(thethingsnetwork, simulator.account, sink)
  t.after(() => subscription.close())
  assert.deepEqual(await subscribed, ['v3/fleet-app/devices/+/#'])

  await connection.addDevice(plannedSensor)
  const { devEui } = plannedSensor
  const payload = Buffer.from('01', 'hex')
  const id = await connection.queueDownlink({ devEui, fPort: 2, payload, confirmed: false })
  await simulator.sendUplink(devEui, '100301')
  while (received.length < 3 && problems.length === 0) {
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  assert.deepEqual(problems, [])
  const [join, uplink, sent] = received
  assert.equal(join?.kind, 'join')
  assert.equal(uplink?.kind === 'uplink' && uplink.devEui, devEui)
  assert.equal(sent?.kind === 'downlink' && sent.queueItemId, id)
})

test('follows nothing without the address of an MQTT server', () => {
  const values = { cluster: 'eu1', application_id: 'app', api_key: 'x' }
  assert.equal(thethingsnetwork.readBroker?.(values), undefined)
})
