import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  checkMutations,
  openExamples,
  readExamples,
  refuserOf,
  requestOf,
} from '../../../test/network-messages.ts'
import type { JsonObject } from '../message-fields.ts'
import { readMessages } from './messages.ts'

const folder = new URL('./examples/', import.meta.url)
const readExample = openExamples(folder)

function read(body: unknown) {
  return readMessages(requestOf(body))
}

function readUplink(changes: JsonObject) {
  const [message] = read({ ...readExample('data-up'), ...changes })
  assert.equal(message?.kind, 'uplink')
  return message
}

const refuses = refuserOf(read)

test('reads the published uplink', () => {
  assert.deepEqual(read(readExample('data-up')), [
    {
      kind: 'uplink',
      devEui: '343737394A336F09',
      deduplicationKey: '5d2342ac71a1270001035042',
      receivedAt: '2019-07-08T13:18:36.089000Z',
      fPort: 2,
      fCnt: 6940,
      payload: Buffer.from('0027800bddfd773b447bf9fede870046', 'hex'),
      receptions: [{ gatewayEui: '7276FF0039030436', rssi: -107, snr: -7 }],
      frequency: 868_300_000,
      dataRate: 'SF12BW125',
    },
  ])
})

test('reads a recorded uplink, the better gateway first, numbers in texts', () => {
  const [message] = read(readExample('data-up-recorded'))
  assert.equal(message?.kind, 'uplink')
  assert.deepEqual(message.receptions, [
    { gatewayEui: '7276FF0039030872', rssi: -47, snr: 7.5 },
    { gatewayEui: '7276FF0039030873', rssi: -44, snr: 7.4, latitude: 1, longitude: 2 },
  ])
  assert.equal(message.frequency, 868_500_000)
  const texts = readUplink({ fPort: '2', fCntUp: '6940', recvTime: '1562591916089' })
  assert.deepEqual(texts, readUplink({}))
})

test('reads an uplink without its gateways, as at a lower level of detail', () => {
  const [message] = read(readExample('data-up-payload-level'))
  assert.equal(message?.kind, 'uplink')
  assert.deepEqual([message.receptions, message.dataRate], [[], undefined])
})

test('reads payloads in hexadecimal and in base64, told or not', () => {
  const bytes = Buffer.from('1003010a', 'hex')
  const forms: JsonObject[] = [
    { payload: '1003010a', encodingType: 'HEXA' },
    { payload: '1003010A', encodingType: 'HEXA' },
    { payload: 'EAMBCg==', encodingType: 'BASE64' },
    { payload: '1003010a' },
    { payload: 'EAMBCg==' },
  ]
  for (const form of forms) assert.deepEqual(readUplink(form).payload, bytes, JSON.stringify(form))
  // Only four characters, and base64 all the same.
  const told = readUplink({ payload: '1003', encodingType: 'BASE64' })
  assert.deepEqual(told.payload, Buffer.from('1003', 'base64'))
  assert.equal(readUplink({ payload: undefined }).payload.length, 0)
})

test('keeps a frame that a gateway held back at the time when that received it', () => {
  const times = { recvTime: 1562591916089, gwRecvTime: 1562581916089 }
  const early = readUplink({ ...times, delayed: true })
  assert.equal(early.receivedAt, '2019-07-08T10:31:56.089000Z')
  assert.equal(readUplink(times).receivedAt, '2019-07-08T13:18:36.089000Z')
  assert.equal(readUplink({ delayed: true }).receivedAt, '2019-07-08T13:18:36.089000Z')
})

test('calls a message that comes again the same by its id, or by device, counter and time', () => {
  assert.equal(readUplink({ delayed: true }).deduplicationKey, '5d2342ac71a1270001035042')
  assert.equal(
    readUplink({ id: undefined }).deduplicationKey,
    '343737394A336F09:6940:2019-07-08T13:18:36.089000Z',
  )
})

test('keeps nothing of port 0 and of frames without a port', () => {
  for (const fPort of [0, '0', null, undefined]) {
    assert.deepEqual(read({ ...readExample('data-up'), fPort }), [{ kind: 'nothing' }])
  }
})

test('reads an event by the id of its data down, at the time when it came', () => {
  assert.deepEqual(read(readExample('data-down-event')), [
    {
      kind: 'downlink',
      state: 'sent',
      queueItemId: '5c505781bda6af0001221902',
      deduplicationKey: '5c505781bda6af0001221902:SENT:OK:1',
      occurredAt: requestOf({}).receivedAt,
      details: { event: 'SENT', status: 'OK', attempts: 1 },
    },
  ])
})

test('takes an event for sent, failed or nothing by its state', () => {
  const stateOf = (changes: JsonObject) => {
    const [message] = read({ ...readExample('data-down-event'), ...changes })
    return message?.kind === 'downlink' ? [message.state, message.reason] : message?.kind
  }
  assert.deepEqual(stateOf({ status: 'IN_PROGRESS' }), ['sent', undefined])
  assert.deepEqual(stateOf({ status: 'IN_PROGRESS', nbAttempts: 0 }), 'nothing')
  assert.deepEqual(stateOf({ status: 'CANCELLED' }), 'nothing')
  assert.deepEqual(stateOf({ status: undefined }), 'nothing')
  assert.deepEqual(stateOf({ status: 'KO', event: 'TTL_EXPIRED' }), [
    'failed',
    'Wanesy gave up the downlink (TTL_EXPIRED).',
  ])
})

test('takes EUIs with dashes', () => {
  const message = readUplink({ endDevice: { devEui: '34-37-37-39-4a-33-6f-09' } })
  assert.equal(message.devEui, '343737394A336F09')
})

test('refuses what is no message of Wanesy, and says why', () => {
  refuses([], /JSON object/)
  refuses({}, /none of Wanesy/)
  refuses({ DevEUI_uplink: {} }, /none of Wanesy/)
  refuses({ endDevice: 5 }, /endDevice must be an object/)
  refuses({ endDevice: {} }, /devEui must be an EUI/)
  refuses({ dataDownId: '' }, /dataDownId is missing/)
  const uplink = readExample('data-up')
  refuses({ ...uplink, payload: 'xyz', encodingType: 'HEXA' }, /payload must be hexadecimal/)
  refuses({ ...uplink, payload: '!' }, /payload must be base64/)
})

test('reads anything made from its messages to messages or a NotOurMessage', () => {
  checkMutations([...readExamples(folder).values()], readMessages)
})
