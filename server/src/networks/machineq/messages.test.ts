import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkMutations, readExamples, requestOf } from '../../../test/network-messages.ts'
import { NotOurMessage } from '../network-message.ts'
import { readMessages } from './messages.ts'

const examples = readExamples(new URL('./examples/', import.meta.url))

function read(changes: object = {}) {
  return readMessages(requestOf({ ...examples.get('uplink-with-deveui'), ...changes }))
}

const uplink = {
  kind: 'uplink',
  devEui: '0004A30B00F9C9F8',
  deduplicationKey: '0004A30B00F9C9F8:26:2019-07-16T16:13:34.254000Z',
  receivedAt: '2019-07-16T16:13:34.254000Z',
  fPort: 99,
  fCnt: 26,
  payload: Buffer.from('0073275c01670130026852037100b8fffdfc34048805b688024c40001019', 'hex'),
  receptions: [{ gatewayEui: '07000C20', rssi: -31, snr: 10 }],
  dataRate: 'SF8',
}

test('reads the recorded uplink, whose numbers are texts', () => {
  assert.deepEqual(read(), [uplink])
})

test('takes the DevEUI out of the address where the message has none', () => {
  const body = examples.get('uplink')
  const request = { ...requestOf(body), query: { DevEUI: '00-04-a3-0b-00-f9-c9-f8' } }
  assert.deepEqual(readMessages(request), [uplink])
  assert.throws(
    () => readMessages(requestOf(body)),
    (error) => error instanceof NotOurMessage && /DevEUI/.test(error.message),
  )
})

test('reads numbers that are numbers as well', () => {
  const changes = { FPort: 99, FCntUp: 26, SpreadingFactor: 8, GatewayRSSI: -31, GatewaySNR: 10 }
  assert.deepEqual(read(changes), [uplink])
})

test('takes what is empty or zero for unknown', () => {
  const unknown = {
    SpreadingFactor: '',
    GatewayID: '',
    GatewayList: [],
    GatewayRSSI: '',
    GatewaySNR: '',
  }
  const [bare] = read(unknown)
  assert.ok(bare?.kind === 'uplink')
  assert.deepEqual([bare.dataRate, bare.receptions], [undefined, []])
  const [placed] = read({ GatewayLAT: '39.954700', GatewayLON: '-75.168500' })
  assert.ok(placed?.kind === 'uplink')
  assert.deepEqual(placed.receptions, [
    { gatewayEui: '07000C20', rssi: -31, snr: 10, latitude: 39.9547, longitude: -75.1685 },
  ])
})

test('puts the best gateway first', () => {
  const GatewayList = [
    { GatewayID: '07000c21', GatewayRSSI: '-90.0', GatewaySNR: '1.5' },
    { GatewayID: '07000C20', GatewayRSSI: '-31.0', GatewaySNR: '10.0' },
  ]
  const [message] = read({ GatewayList })
  assert.ok(message?.kind === 'uplink')
  assert.deepEqual(
    message.receptions.map(({ gatewayEui }) => gatewayEui),
    ['07000C20', '07000C21'],
  )
})

test('keeps nothing of port 0, nor of a frame without a port', () => {
  for (const FPort of ['0', '', undefined]) assert.deepEqual(read({ FPort }), [{ kind: 'nothing' }])
})

test('reads an uplink that acknowledges as two messages', () => {
  const messages = read({ ACKbit: '1' })
  assert.deepEqual(
    messages.map(({ kind }) => kind),
    ['uplink', 'downlink'],
  )
  assert.deepEqual(
    read({ ACKbit: '1', FPort: '0' }).map(({ kind }) => kind),
    ['downlink'],
  )
  assert.deepEqual(read({ ACKbit: '0' }), [uplink])
})

test('keeps the time of a message that is late', () => {
  const [late] = read({ Late: '1', Time: '2019-07-15T01:02:03.004+02:00' })
  assert.ok(late?.kind === 'uplink')
  assert.equal(late.receivedAt, '2019-07-14T23:02:03.004000Z')
})

test('refuses what is no message of machineQ', () => {
  const wrong = [{ FPort: '256' }, { payload_hex: 'xyz' }, { DevEUI: '7' }]
  for (const changes of wrong) {
    assert.throws(() => read(changes), NotOurMessage, JSON.stringify(changes))
  }
  for (const body of [null, [], 'x', {}, { DevEUI: '0004A30B00F9C9F8' }]) {
    assert.throws(() => readMessages(requestOf(body)), NotOurMessage, JSON.stringify(body))
  }
})

test('reads anything made from its messages to messages or a NotOurMessage', () => {
  assert.equal(examples.size, 2)
  checkMutations([...examples.values()], readMessages)
})
