import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBroker } from '../../../test/broker.ts'
import {
  publishPacket,
  startFloodingBroker,
  webSocketFrame,
} from '../../../test/flooding-broker.ts'
import { createSink, onceSubscribed, timing } from '../../../test/message-sink.ts'
import { thisMachine } from '../../../test/outside.ts'
import { until } from '../../../test/until.ts'
import { subscribe } from './subscription.ts'

/** In milliseconds of the thread. Without a guard single turns of the event loop took 0.4 s to 50 s. */
const longestTurn = 150

interface Flood {
  what: string
  flood: Buffer
  message: RegExp
  isWebSocket?: boolean
}

const many = (count: number, packet: (index: number) => Buffer) =>
  Buffer.concat(Array.from({ length: count }, (_, index) => packet(index + 1)))
const pings = Buffer.alloc(60_000, Buffer.from([0xd0, 0]))
const releases = many(8000, (id) => Buffer.from([0x62, 2, id >> 8, id & 0xff]))
const exactlyOnce = many(50, (id) => publishPacket(Buffer.alloc(200_000), { qos: 2, id }))
const unreadable = many(8000, () => publishPacket(Buffer.from('x')))
const large = publishPacket(Buffer.from('['.repeat(250_000)))
const longTopic = publishPacket(Buffer.from('x'), { topic: 'x'.repeat(65_000) })
const frames = (opcode: number, content: Buffer) =>
  many(8000, () => webSocketFrame(content, opcode))
const nothing = Buffer.alloc(0)
const onePing = Buffer.from([0xd0, 0])

const floods: Flood[] = [
  { what: 'answers to pings', flood: pings, message: /more than messages and answers/ },
  { what: 'releases', flood: releases, message: /more than messages and answers/ },
  { what: 'QoS 2', flood: exactlyOnce, message: /QoS 2/ },
  { what: 'endless header', flood: Buffer.alloc(60_000, 0xb0), message: /too large/ },
  { what: 'no packets', flood: Buffer.alloc(60_000, 0x37), message: /could not be reached/ },
  { what: 'unreadable', flood: unreadable, message: /can be read/ },
  { what: 'large', flood: large, message: /can be read/ },
  { what: 'long topics', flood: longTopic, message: /can be read/ },
  ...[
    { what: 'frames', flood: frames(2, onePing), message: /more than messages and answers/ },
    { what: 'long frames', flood: webSocketFrame(pings), message: /more than messages and/ },
    { what: 'empty frames', flood: frames(2, nothing), message: /without content/ },
    { what: 'WebSocket pings', flood: frames(9, nothing), message: /without content/ },
    { what: 'WebSocket pongs', flood: frames(10, nothing), message: /without content/ },
  ].map((each) => ({ ...each, isWebSocket: true })),
]

/**
 * Measures the most that one turn of the event loop computes, in milliseconds: time on a clock would
 * count other programs of the machine.
 */
function watchTurns() {
  const read = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let last = read()
  let longest = 0
  const timer = setInterval(() => {
    const now = read()
    longest = Math.max(longest, now - last)
    last = now
  }, 2)
  return {
    end: () => {
      clearInterval(timer)
      return longest
    },
  }
}

test('a broker that floods delays nobody, and is told of', {
  timeout: 120_000,
}, async (context) => {
  const good = await startBroker(context)
  const { stored, sink } = createSink()
  const subscribed = onceSubscribed(good)
  const subscription = subscribe(good.source, sink, timing)
  context.after(() => subscription.close())
  await subscribed
  let count = 0
  for (const { what, flood, message, ...kind } of floods) {
    const start = performance.now()
    const { url, seen } = await startFloodingBroker(context, flood, kind)
    const { problems, sink: ownSink } = createSink()
    const source = { url, topic: 'a', clientId: 'c', read: () => [], outside: thisMachine }
    const flooded = subscribe(source, ownSink)
    context.after(() => flooded.close())
    const watch = watchTurns()
    await until(() => problems.some((problem) => message.test(problem)), what)
    for (let more = 0; more < 10; more += 1) {
      count += 1
      await good.publish(count)
      await until(() => stored.length === count, `${what}: the other broker's message`)
    }
    const longest = watch.end()
    await flooded.close()
    assert.ok(longest < longestTurn, `${what}: a turn took ${Math.round(longest)} ms`)
    // At first it waits for 1 s.
    const mostConnections = 2 + (performance.now() - start) / 1000
    assert.ok(seen.connections <= mostConnections, `${what}: ${seen.connections} connections`)
    assert.ok(problems.length < 100, `${what}: ${problems.length} lines in the log`)
    assert.ok(
      problems.every((problem) => problem.length < 500),
      what,
    )
  }
})
