import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applicationId, startBroker, up } from '../../../test/broker.ts'
import {
  createSink,
  endlessRoom,
  followAccount,
  onceSubscribed,
  timing,
} from '../../../test/message-sink.ts'
import { thisMachine } from '../../../test/outside.ts'
import { until } from '../../../test/until.ts'
import { chirpstack } from '../chirpstack/definition.ts'
import { createOutside } from '../outside.ts'
import type { BrokerSource, MessageSink } from './broker.ts'
import { subscribe } from './subscription.ts'

test('acknowledges a message after it is stored, and not before', async (context) => {
  const setting = await startBroker(context)
  let release = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  const { stored, sink } = createSink(() => gate)
  const subscribed = onceSubscribed(setting)
  const subscription = subscribe(setting.source, sink, timing)
  context.after(() => subscription.close())
  await subscribed
  await setting.publish(1)
  await new Promise((resolve) => setTimeout(resolve, 30))
  assert.deepEqual([stored, setting.acknowledged], [[], []])
  release()
  await until(() => setting.acknowledged.length === 1)
  assert.deepEqual(stored, [1])
})

test('stores messages side by side and acknowledges them in their order', async (context) => {
  const setting = await startBroker(context)
  const gates = new Map<number, () => void>()
  const { stored, sink } = createSink((fCnt) => new Promise((resolve) => gates.set(fCnt, resolve)))
  const subscribed = onceSubscribed(setting)
  const subscription = subscribe(setting.source, sink, timing)
  await subscribed
  for (const fCnt of [1, 2, 3]) await setting.publish(fCnt)
  await until(() => gates.size === 3)
  gates.get(3)?.()
  gates.get(2)?.()
  await until(() => stored.length === 2)
  assert.deepEqual(setting.acknowledged, [])
  gates.get(1)?.()
  await until(() => setting.acknowledged.length === 3)
  assert.deepEqual(setting.acknowledged, [1, 2, 3])
  await subscription.close()
})

test('tries a message again while storage is down', async (context) => {
  const setting = await startBroker(context)
  let failuresLeft = 3
  const { stored, sink } = createSink(async () => {
    failuresLeft -= 1
    if (failuresLeft >= 0) throw new Error('storage is down')
    assert.deepEqual(setting.acknowledged, [])
  })
  const subscribed = onceSubscribed(setting)
  const subscription = subscribe(setting.source, sink, timing)
  context.after(() => subscription.close())
  await subscribed
  await setting.publish(7)
  await until(() => setting.acknowledged.length === 1)
  assert.deepEqual(stored, [7])
})

test('gets again what was not acknowledged when the connection broke', async (context) => {
  const setting = await startBroker(context)
  let isDown = true
  let failures = 0
  const { stored, sink } = createSink(async () => {
    if (!isDown) return
    failures += 1
    throw new Error('storage is down')
  })
  const slowStore = { ...timing, store: { firstMs: 60_000, longestMs: 60_000 } }
  const subscribed = onceSubscribed(setting)
  const subscription = subscribe(setting.source, sink, slowStore)
  context.after(() => subscription.close())
  await subscribed
  await setting.publish(1)
  await until(() => failures === 1)
  isDown = false
  setting.cut()
  // Published while nobody listens: the session of the broker keeps it.
  await setting.publish(2)
  await until(() => setting.acknowledged.length === 2)
  assert.deepEqual(stored.toSorted(), [1, 2])
})

test('takes a message that comes again while it is being stored for one that arrived once', async (context) => {
  const setting = await startBroker(context)
  const gate = Promise.withResolvers<void>()
  const arrivals: string[] = []
  const again: (true | undefined)[] = []
  const sink: MessageSink = {
    room: endlessRoom,
    store: async (message) => {
      assert.ok(message.kind === 'uplink')
      arrivals.push(message.receivedAt)
      again.push(message.isSentAgain)
      await gate.promise
    },
    reportProblem: () => {},
    noteBroker: () => {},
  }
  const read: BrokerSource['read'] = (_topic, body, receivedAt) => {
    const [message] = setting.source.read('event/up', body, receivedAt)
    assert.ok(message?.kind === 'uplink')
    return [{ ...message, receivedAt, isTimeless: true }]
  }
  const subscribed = onceSubscribed(setting)
  const subscription = subscribe({ ...setting.source, read }, sink, timing)
  context.after(() => subscription.close())
  await subscribed
  await setting.publish(1)
  await until(() => arrivals.length === 1)
  setting.cut()
  await until(() => arrivals.length === 2)
  gate.resolve()
  await until(() => setting.acknowledged.length === 1)
  assert.equal(arrivals[0], arrivals[1])
  assert.deepEqual(again, [undefined, true])
  await setting.publish(1)
  await until(() => arrivals.length === 3)
  assert.notEqual(arrivals[2], arrivals[0])
})

test('stores what is under way before it closes, and leaves the rest to the next one', async (context) => {
  const setting = await startBroker(context)
  let hasBegun = false
  const first = createSink(async () => {
    hasBegun = true
    await new Promise((resolve) => setTimeout(resolve, 20))
  })
  const subscribed = onceSubscribed(setting)
  const subscription = subscribe(setting.source, first.sink, timing)
  await subscribed
  await setting.publish(1)
  await until(() => hasBegun)
  await subscription.close()
  assert.deepEqual(first.stored, [1])
  await setting.publish(2)
  const second = createSink()
  const next = subscribe(setting.source, second.sink, timing)
  context.after(() => next.close())
  await until(() => setting.acknowledged.length === 2)
  assert.deepEqual(second.stored, [2])
})

test('acknowledges and reports what is no message of ChirpStack', async (context) => {
  const setting = await startBroker(context)
  const { stored, problems, sink } = createSink()
  const subscribed = onceSubscribed(setting)
  const subscription = subscribe(setting.source, sink, timing)
  context.after(() => subscription.close())
  await subscribed
  await setting.publish(0, { body: '{"fCnt":1,"deviceInfo":7}' })
  await setting.publish(0, { event: 'nonsense' })
  await setting.publish(9)
  await until(() => setting.acknowledged.length === 3)
  assert.deepEqual(stored, [9])
  const unread = problems.filter((problem) => problem.startsWith('MQTT message'))
  assert.equal(unread.length, 2)
  assert.match(problems[0] ?? '', /deviceInfo must be an object/)
})

test('takes more messages than its window holds', async (context) => {
  const setting = await startBroker(context)
  let running = 0
  let most = 0
  const { stored, sink } = createSink(async () => {
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setTimeout(resolve, 5))
    running -= 1
  })
  const subscribed = onceSubscribed(setting)
  const subscription = subscribe(setting.source, sink, timing)
  context.after(() => subscription.close())
  await subscribed
  const counts = Array.from({ length: 300 }, (_, index) => index)
  await Promise.all(counts.map((fCnt) => setting.publish(fCnt)))
  await until(() => setting.acknowledged.length === 300)
  assert.deepEqual(setting.acknowledged, counts)
  assert.equal(new Set(stored).size, 300)
  assert.ok(most > 1 && most <= 64, `${most} at a time`)
})

test('holds 1 MiB of messages and one more at most, and gets the others when these are stored', async (context) => {
  const setting = await startBroker(context)
  const gate = Promise.withResolvers<void>()
  let begun = 0
  const { stored, sink } = createSink(() => {
    begun += 1
    return gate.promise
  })
  const subscribed = onceSubscribed(setting)
  const subscription = subscribe(setting.source, sink, timing)
  context.after(() => subscription.close())
  await subscribed
  const counts = Array.from({ length: 20 }, (_, index) => index)
  const padding = 'x'.repeat(200_000)
  const send = (fCnt: number) => setting.publish(fCnt, { body: { ...up, fCnt, padding } })
  await Promise.all(counts.map(send))
  await until(() => begun === 6, 'as many as there is room for')
  for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate)
  assert.deepEqual([begun, setting.acknowledged], [6, []])
  gate.resolve()
  await until(() => setting.acknowledged.length === 20)
  assert.deepEqual([setting.acknowledged, stored.toSorted((a, b) => a - b)], [counts, counts])
})

test('reports a broker out of reach once, and connects when it is there', async (context) => {
  const { problems, sink } = createSink()
  const source = {
    url: 'mqtt://127.0.0.1:1',
    topic: 'x',
    clientId: 'lfctest',
    username: 'me',
    password: 'hush',
    read: () => [],
    outside: thisMachine,
  }
  const subscription = subscribe(source, sink, timing)
  context.after(() => subscription.close())
  await until(() => problems.length > 0)
  await new Promise((resolve) => setTimeout(resolve, 60))
  assert.equal(problems.length, 1)
  assert.match(problems[0] ?? '', /ECONNREFUSED/)
  assert.doesNotMatch(problems[0] ?? '', /hush/)
})

test('subscribes only where the account names a broker', async (context) => {
  const setting = await startBroker(context)
  const { stored, sink } = createSink()
  const values = {
    server: 'http://127.0.0.1:1',
    api_key: 'k',
    tenant_id: applicationId,
    application_id: applicationId.toUpperCase(),
    device_profile_id: applicationId,
  }
  assert.equal(chirpstack.readBroker?.(values), undefined)
  const subscribed = onceSubscribed(setting)
  const withBroker = { ...values, mqtt_url: setting.source.url }
  const subscription = followAccount(chirpstack, withBroker, sink)
  context.after(() => subscription.close())
  await subscribed
  await setting.publish(3)
  await until(() => stored.length === 1)
})

test('calls no broker at an address that may not be called', async (context) => {
  const { problems, sink } = createSink()
  const outside = createOutside({ allowsLocal: false, listed: [] })
  const source = { url: 'mqtts://127.0.0.1:1', topic: 'x', clientId: 'c', read: () => [] }
  const subscription = subscribe({ ...source, outside }, sink, timing)
  context.after(() => subscription.close())
  await until(() => problems.length > 0)
  assert.match(problems[0] ?? '', /127\.0\.0\.1 may not be called/)
})
