import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endlessRoom } from '../../../test/message-sink.ts'
import type { MessageRoom } from './broker.ts'
import { createMessageWindow } from './message-window.ts'

/** A window of two, and messages whose storing ends when the test says so. */
function createBench(more: { messages?: number; bytes?: number; room?: MessageRoom } = {}) {
  const acknowledged: number[] = []
  const limits = { messages: 2, bytes: 100, room: endlessRoom, ...more }
  const window = createMessageWindow(limits, (messageId) => acknowledged.push(messageId))
  const proceeded: number[] = []
  const add = (number: number, bytes = 1) => {
    const storing = Promise.withResolvers<boolean>()
    const message = { messageId: number, bytes }
    window.add(message, storing.promise, () => proceeded.push(number))
    return storing
  }
  return { window, acknowledged, proceeded, add }
}

/** Lets what was promised be taken in. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

test('asks for the next message only while there is room for it', async () => {
  const { acknowledged, proceeded, add } = createBench()
  const first = add(1)
  assert.deepEqual(proceeded, [1])
  add(2)
  await settle()
  assert.deepEqual([proceeded, acknowledged], [[1], []], 'the window is full')
  first.resolve(true)
  await settle()
  assert.deepEqual([proceeded, acknowledged], [[1, 2], [1]])
})

test('stays full and acknowledges nothing behind a message that could not be stored', async () => {
  for (const fail of ['rejects', 'gives up'] as const) {
    const { window, acknowledged, proceeded, add } = createBench()
    const [first, second] = [add(1), add(2)]
    if (fail === 'rejects') first.reject(new Error('storage is down'))
    else first.resolve(false)
    second.resolve(true)
    await window.drain()
    assert.deepEqual([proceeded, acknowledged], [[1], []], fail)
  }
})

test('acknowledges messages in their order, and those of QoS 0 not at all', async () => {
  const { window, acknowledged, add } = createBench()
  const [first, second] = [add(1), add(2)]
  second.resolve(true)
  await settle()
  assert.deepEqual(acknowledged, [])
  first.resolve(true)
  await window.drain()
  assert.deepEqual(acknowledged, [1, 2])
  const unnumbered = createBench()
  unnumbered.window.add({ messageId: undefined, bytes: 1 }, Promise.resolve(true), () => undefined)
  await unnumbered.window.drain()
  assert.deepEqual(unnumbered.acknowledged, [])
})

test('is drained when the last message has been stored, or not', async () => {
  const { window, add } = createBench()
  const [first, second] = [add(1), add(2)]
  let isDrained = false
  const drained = window.drain().then(() => {
    isDrained = true
  })
  first.resolve(true)
  await settle()
  assert.equal(isDrained, false)
  second.reject(new Error('storage is down'))
  await drained
})

test('waits for room in bytes, of its own and of its organization, unless it stores nothing', async () => {
  const { proceeded, add } = createBench({ messages: 9 })
  const large = add(1, 99)
  const next = add(2, 99)
  assert.deepEqual(proceeded, [1], 'it has its bytes')
  next.resolve(true)
  await settle()
  assert.deepEqual(proceeded, [1, 2], 'what is stored needs none, acknowledged or not')
  large.resolve(true)
  let taken = 0
  const room = { isFree: () => taken < 10, hold: (bytes: number) => makeHold(bytes) }
  const makeHold = (bytes: number) => {
    taken += bytes
    return () => {
      taken -= bytes
    }
  }
  const [one, other] = [createBench({ messages: 9, room }), createBench({ messages: 9, room })]
  const full = one.add(1, 10)
  const small = other.add(1)
  assert.deepEqual([one.proceeded, other.proceeded], [[], []], 'the organization has its bytes')
  small.resolve(true)
  await settle()
  assert.deepEqual(other.proceeded, [1], 'it stores nothing')
  full.resolve(false)
  await settle()
  assert.deepEqual([one.proceeded, taken], [[1], 0], 'what could not be stored is given back')
})
