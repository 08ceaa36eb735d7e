import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startBroker } from '../../../test/broker.ts'
import { createSink, endlessRoom, onceSubscribed, timing } from '../../../test/message-sink.ts'
import { until } from '../../../test/until.ts'
import type { MessageSink } from './broker.ts'
import { subscribe } from './subscription.ts'

test('goes on telling of a broker that closes each connection soon, until one lasts', async (context) => {
  const setting = await startBroker(context)
  const notes: (string | undefined)[] = []
  const sink: MessageSink = {
    room: endlessRoom,
    store: async () => {},
    reportProblem: () => {},
    noteBroker: (trouble) => void notes.push(trouble?.message),
  }
  let isUnstable = true
  let ends = 0
  setting.broker.on('subscribe', () => {
    if (!isUnstable) return
    // As where another client of the same id comes in again and again.
    setTimeout(() => {
      ends += 1
      setting.cut()
    }, 5)
  })
  const subscription = subscribe(setting.source, sink, { ...timing, settled: 500 })
  context.after(() => subscription.close())
  await until(() => ends >= 8)
  const closed = 'The MQTT broker closed the connection.'
  // The second time may be chance.
  assert.deepEqual(notes, [undefined, closed, undefined, closed])
  isUnstable = false
  await until(() => notes.length === 5)
  assert.equal(notes[4], undefined)
})

test('goes on telling that nothing can be read when the connection lasts, and when it is a new one', async (context) => {
  const setting = await startBroker(context)
  const notes: (string | undefined)[] = []
  const { sink } = createSink()
  sink.noteBroker = (trouble) => void notes.push(trouble?.message)
  let connections = 0
  setting.broker.on('subscribe', () => {
    connections += 1
  })
  const subscription = subscribe(setting.source, sink, timing)
  context.after(() => subscription.close())
  await until(() => connections === 1)
  await setting.publish(1, { body: { fCnt: 1, deviceInfo: 7 } })
  await until(() => notes.length === 2)
  assert.match(notes[1] ?? '', /can be read/)
  setting.cut()
  await until(() => connections === 2)
  // Past the time after which a connection counts as stable again.
  await sleep(5 * timing.settled)
  assert.match(notes.at(-1) ?? '', /can be read/)
  await setting.publish(2)
  await until(() => notes.at(-1) === undefined)
})

test('keeps the connection while messages wait longer to be stored than a broker waits', async (context) => {
  const setting = await startBroker(context)
  const gate = Promise.withResolvers<void>()
  const { stored, problems, sink } = createSink(() => gate.promise)
  const subscribed = onceSubscribed(setting)
  const subscription = subscribe(setting.source, sink, timing)
  context.after(() => subscription.close())
  await subscribed
  let connections = 0
  setting.broker.on('client', () => {
    connections += 1
  })
  const counts = Array.from({ length: 100 }, (_, index) => index)
  await Promise.all(counts.map((fCnt) => setting.publish(fCnt)))
  // Half as long again as the keep-alive of 10 s.
  await sleep(17_000)
  gate.resolve()
  await until(() => setting.acknowledged.length === 100)
  assert.deepEqual([stored.length, connections, problems], [100, 0, []])
})

test('tells of a broker that closes the connection when it is asked for the topic, as AWS does', async (context) => {
  const setting = await startBroker(context)
  setting.broker.authorizeSubscribe = (client) => client?.close()
  const { problems, sink } = createSink()
  const subscription = subscribe(setting.source, sink, timing)
  context.after(() => subscription.close())
  await until(() => problems.length > 0)
  assert.match(problems[0] ?? '', /closed the connection when it was asked for the topic/)
})
