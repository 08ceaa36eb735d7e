import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMessageWindow } from './message-window.ts'

/** A window of two, and messages whose storing ends when the test says so. */
function createBench() {
  const acknowledged: number[] = []
  const window = createMessageWindow(2, (messageId) => acknowledged.push(messageId))
  const proceeded: number[] = []
  const add = (number: number, messageId: number | undefined = number) => {
    const storing = Promise.withResolvers<boolean>()
    window.add(messageId, storing.promise, () => proceeded.push(number))
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
  unnumbered.window.add(undefined, Promise.resolve(true), () => undefined)
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
