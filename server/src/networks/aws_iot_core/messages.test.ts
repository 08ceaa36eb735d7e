import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { checkMutations, readExamples } from '../../../test/network-messages.ts'
import { NotOurMessage } from '../network-message.ts'
import { readMessages } from './messages.ts'

type Json = Record<string, unknown>

const examples = new URL('./examples/', import.meta.url)
const example: Json = JSON.parse(readFileSync(new URL('uplink.json', examples), 'utf8'))

function read(body: unknown, headers: Record<string, string> = {}) {
  return readMessages({ path: '', query: {}, sentQuery: '', headers, body, receivedAt: '' })
}

function readWith(changes: Json) {
  const [message] = read({ ...example, ...changes })
  assert.ok(message?.kind === 'uplink')
  return message
}

test('reads the envelope, on port 1 where none is named', () => {
  assert.deepEqual(read(example), [
    {
      kind: 'uplink',
      devEui: '70B3D5E75E00470C',
      deduplicationKey: '70B3D5E75E00470C:2021-04-07T16:02:10.000000Z:0:1000011278850703c0',
      receivedAt: '2021-04-07T16:02:10.000000Z',
      fPort: 1,
      fCnt: 0,
      payload: Buffer.from('1000011278850703c0', 'hex'),
      receptions: [],
    },
  ])
})

test('takes the device from the topic where the message does not name it', () => {
  assert.equal(readWith({ deviceId: undefined }).devEui, '70B3D5E75E00470C')
  assert.equal(readWith({ deviceId: '70-b3-d5-e7-5e-00-47-0c' }).devEui, '70B3D5E75E00470C')
  assert.throws(() => read({ ...example, deviceId: 'kitchen' }), NotOurMessage)
  assert.throws(() => read({ ...example, deviceId: null, topic: 'a/b' }), NotOurMessage)
})

test('prefers the time of the frame to that of the message', () => {
  const { receivedAt } = readWith({ time: '2021-04-07T18:00:00.5+02:00' })
  assert.equal(receivedAt, '2021-04-07T16:00:00.500000Z')
  assert.equal(readWith({ time: 1617811200 }).receivedAt, '2021-04-07T16:00:00.000000Z')
  assert.equal(readWith({ timestamp: '1617811330000' }).receivedAt, '2021-04-07T16:02:10.000000Z')
})

test('reads ports and counters as numbers or strings, and keeps nothing of port 0', () => {
  const { fPort, fCnt } = readWith({ fPort: '7', fCnt: '12' })
  assert.deepEqual([fPort, fCnt], [7, 12])
  assert.deepEqual(read({ ...example, fPort: 0 }), [{ kind: 'nothing' }])
})

test('refuses what is not the envelope', () => {
  for (const body of [[], 'x', null, {}, { ...example, payload: 'xyz' }]) {
    assert.throws(() => read(body), NotOurMessage)
  }
  for (const changes of [{ fPort: 256 }, { payload: '0'.repeat(486) }]) {
    assert.throws(() => read({ ...example, ...changes }), NotOurMessage)
  }
})

test('reads anything made from its messages to a message or a NotOurMessage', () => {
  const headers = { 'x-amz-rules-engine-message-type': 'DestinationConfirmation' }
  checkMutations([...readExamples(examples).values()], ({ body }) => read(body, headers))
})
