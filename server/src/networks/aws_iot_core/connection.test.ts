import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { startSimulator as startAwsThings } from '../../../simulators/aws_iot_core/simulator.ts'
import { endlessRoom, followAccount } from '../../../test/message-sink.ts'
import { doorSensor } from '../../../test/network-connections.ts'
import { thisMachine } from '../../../test/outside.ts'
import { startSignedBroker } from '../../../test/signed-broker.ts'
import { NetworkError } from '../network-error.ts'
import type { NetworkMessage } from '../network-message.ts'
import { openConnection } from './connection.ts'
import { awsIotCore } from './definition.ts'

const { devEui } = doorSensor
const callback = { url: 'https://console.example.test/v1/callbacks/x/1', header: 'x-s', value: 'v' }

async function connect(context: TestContext, changes: Record<string, string> = {}) {
  const network = await startAwsThings()
  const { side, rules } = network
  context.after(() => network.close())
  const values = { ...network.account, ...changes }
  const connection = openConnection(values, thisMachine)
  context.after(() => connection.close())
  return { network, side, rules, connection, values }
}

test('registers a device as a thing of its prefix, and again without harm', async (t) => {
  const { connection, side } = await connect(t)
  await connection.addDevice(doorSensor)
  await connection.addDevice(doorSensor)
  await connection.addDevice({ ...doorSensor, name: 'Front door' })
  const thing = side.devices.get(devEui)?.record
  assert.deepEqual(thing?.attributes, { name: 'Front#20door', topic_prefix: 'fleet' })
})

test('leaves a thing alone that is not of its prefix', async (t) => {
  const { connection, side } = await connect(t)
  const attributes = { topic_prefix: 'others' }
  side.putDevice(devEui, 'Theirs', { thingName: devEui, attributes, principals: [] })
  const isRefusal = (error: unknown) => error instanceof NetworkError && error.kind === 'refused'
  await assert.rejects(connection.addDevice(doorSensor), isRefusal)
  await assert.rejects(connection.renameDevice(devEui, 'Mine'), isRefusal)
  await connection.removeDevice(devEui)
  assert.deepEqual(side.devices.get(devEui)?.record.attributes, attributes)
})

test('takes certificates off a thing before it removes it', async (t) => {
  const { connection, side } = await connect(t)
  await connection.addDevice(doorSensor)
  side.devices.get(devEui)?.record.principals.push('arn:aws:iot:us-east-1:1:cert/a')
  await connection.removeDevice(devEui)
  await connection.removeDevice(devEui)
  assert.equal(side.devices.size, 0)
})

test('tries later to remove a thing from which a certificate is still being taken', async (t) => {
  const { connection, side } = await connect(t)
  await connection.addDevice(doorSensor)
  side.devices.get(devEui)?.record.principals.push('arn:aws:iot:us-east-1:1:cert/a')
  side.http.faults.answers['DELETE /things/:name/principals'] = { status: 200, body: {} }
  await assert.rejects(
    connection.removeDevice(devEui),
    (error) => error instanceof NetworkError && error.kind === 'not_yet',
  )
})

test('lists the things of its prefix that are devices', async (t) => {
  const { connection, side } = await connect(t)
  await connection.addDevice(doorSensor)
  const put = (thingName: string, prefix: string) => {
    const attributes = { topic_prefix: prefix }
    side.putDevice(thingName, '', { thingName, attributes, principals: [] })
  }
  put('00AA000000000002', 'others')
  put('kitchen', 'fleet')
  const pages = await Array.fromAsync(connection.listDevices())
  assert.deepEqual(pages, [[{ eui: devEui, name: 'Back door' }]])
})

test('publishes a downlink to the topic of the device', async (t) => {
  const { connection, side } = await connect(t)
  const payload = Buffer.from('0100028700000000', 'hex')
  const id = await connection.queueDownlink({ devEui, fPort: 10, payload, confirmed: false })
  const call = side.http.calls.at(-1)
  assert.deepEqual([call?.params.topic, call?.query.qos], [`fleet/${devEui}/down`, '1'])
  const downlink = { deviceId: devEui, fPort: 10, confirmed: false, payload: '0100028700000000' }
  assert.deepEqual(call?.body, { id, ...downlink })
})

test('makes a rule of its own for the prefix, and removes it', async (t) => {
  const { connection, rules } = await connect(t)
  await connection.setCallback(callback)
  await connection.setCallback(callback)
  const [rule, ...others] = rules.rules.values()
  assert.equal(rule?.sql, "SELECT *, topic() AS topic, timestamp() AS timestamp FROM 'fleet/+/up'")
  assert.deepEqual([others, rules.destinations.all.size], [[], 1])
  await connection.removeCallback(callback)
  assert.deepEqual([rules.rules.size, rules.destinations.all.size], [0, 0])
})

test('ends a search among destinations that never end', async (t) => {
  const { connection, side } = await connect(t)
  const body = { destinationSummaries: [], nextToken: 'more' }
  side.http.faults.answers['GET /destinations'] = { status: 200, body }
  await assert.rejects(
    connection.setCallback(callback),
    (error) => error instanceof NetworkError && /does not stop giving pages/.test(error.message),
  )
})

test('has no rule for an account that fetches its messages from the broker', async (t) => {
  const { connection, rules } = await connect(t, { mqtt_url: 'wss://broker.example.test/mqtt' })
  await connection.setCallback(callback)
  assert.equal(rules.rules.size, 0)
})

test('fetches what devices publish from the broker', async (t) => {
  const { values } = await connect(t)
  const { broker, url, addresses } = await startSignedBroker(t, values)
  const stored: NetworkMessage[] = []
  const sink = {
    room: endlessRoom,
    store: async (message: NetworkMessage) => void stored.push(message),
    reportProblem: () => undefined,
    noteBroker: () => undefined,
  }
  const subscribed = once(broker, 'subscribe')
  const account = { ...values, mqtt_url: url }
  const subscription = followAccount(awsIotCore, account, sink)
  t.after(() => subscription.close())
  await subscribed
  const packet = { cmd: 'publish', qos: 1, retain: false, dup: false } as const
  const payload = '{"payload":"100301","fPort":2,"time":"2026-01-02T03:04:05Z"}'
  broker.publish({ ...packet, topic: `fleet/${devEui}/up`, payload }, () => undefined)
  while (stored.length < 1) await new Promise((resolve) => setTimeout(resolve, 5))
  const [uplink] = stored
  assert.ok(uplink?.kind === 'uplink')
  assert.deepEqual(
    [uplink.devEui, uplink.fPort, uplink.receivedAt, addresses],
    [devEui, 2, '2026-01-02T03:04:05.000000Z', [{ isRight: true }]],
  )
})
