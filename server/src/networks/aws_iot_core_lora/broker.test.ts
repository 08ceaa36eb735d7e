import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { endlessRoom, followAccount } from '../../../test/message-sink.ts'
import { startSignedBroker } from '../../../test/signed-broker.ts'
import type { NetworkMessage } from '../network-message.ts'
import { awsIotCoreLora } from './definition.ts'

const uplink = readFileSync(new URL('./examples/uplink-with-ack.json', import.meta.url))

const values = {
  region: 'us-east-1',
  access_key_id: 'AKIASIMULATEDACCOUNT',
  secret_access_key: 'simulated/secret/access/key/0123456789ab',
  destination: 'fleet',
  device_profile_id: 'd',
  service_profile_id: 's',
}

function createSink() {
  const stored: NetworkMessage[] = []
  const problems: string[] = []
  const sink = {
    room: endlessRoom,
    store: async (message: NetworkMessage) => void stored.push(message),
    reportProblem: (problem: string) => void problems.push(problem),
    noteBroker: (trouble: Error | undefined) => void (trouble && problems.push(trouble.message)),
  }
  return { stored, problems, sink }
}

test('takes uplinks from the broker of AWS, with an address signed again at each connect', async (t) => {
  const { broker, url, addresses, cut } = await startSignedBroker(t, values)
  const { stored, problems, sink } = createSink()
  const account = { ...values, mqtt_url: url, mqtt_topic: 'lorawan/uplinks' }
  const subscribed = once(broker, 'subscribe')
  const subscription = followAccount(awsIotCoreLora, account, sink)
  t.after(() => subscription.close())
  await subscribed
  const publish = () =>
    new Promise<void>((resolve, reject) => {
      const packet = { cmd: 'publish', qos: 1, retain: false, dup: false, payload: uplink } as const
      broker.publish({ ...packet, topic: 'lorawan/uplinks' }, (error) =>
        error ? reject(error) : resolve(),
      )
    })
  await publish()
  while (stored.length < 2) await new Promise((resolve) => setTimeout(resolve, 5))
  assert.deepEqual(
    stored.map(({ kind }) => kind),
    ['uplink', 'downlink'],
  )
  cut()
  await once(broker, 'subscribe')
  assert.deepEqual(
    addresses.map(({ isRight }) => isRight),
    [true, true],
  )
  assert.ok(problems.every((problem) => !problem.includes(values.secret_access_key)))
})

test('follows a broker only where the account names one and a topic', () => {
  assert.equal(awsIotCoreLora.readBroker?.(values), undefined)
  assert.equal(awsIotCoreLora.readBroker?.({ ...values, mqtt_url: 'wss://a.test/mqtt' }), undefined)
})

test('takes the refusal of a signed address for one of the login', async (t) => {
  const { url } = await startSignedBroker(t, { ...values, secret_access_key: 'another one' })
  const { problems, sink } = createSink()
  const account = { ...values, mqtt_url: url, mqtt_topic: 'lorawan/uplinks' }
  const subscription = followAccount(awsIotCoreLora, account, sink)
  t.after(() => subscription.close())
  while (problems.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  assert.equal(problems[0], 'The MQTT broker refused the login: it answered 403.')
})
