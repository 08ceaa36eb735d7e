import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkMutations, readExamples, requestOf } from '../../../test/network-messages.ts'
import { NotOurMessage } from '../network-message.ts'
import { readMessages } from './messages.ts'

const examples = readExamples(new URL('./examples/', import.meta.url))

function read(name: string, changes: object = {}) {
  const example = examples.get(name)
  assert.ok(example, name)
  return readMessages(requestOf({ ...example, ...changes }))
}

test('reads a recorded gw with its gateways', () => {
  assert.deepEqual(read('gw'), [
    {
      kind: 'uplink',
      devEui: '2CF7F12052602BFA',
      deduplicationKey: '2CF7F12052602BFA:0:2024-04-19T10:04:08.021000Z',
      receivedAt: '2024-04-19T10:04:08.021000Z',
      fPort: 1,
      fCnt: 0,
      payload: Buffer.from('4545', 'hex'),
      receptions: [
        {
          gatewayEui: '7076FFFFFF053A13',
          rssi: -106,
          snr: -4.5,
          latitude: 57.013938,
          longitude: 9.9874619,
        },
      ],
      dataRate: 'SF12BW125',
      frequency: 867_500_000,
      isPartial: true,
    },
  ])
})

test('reads the documented rx, which names no gateway', () => {
  const [uplink] = read('rx')
  assert.equal(uplink?.kind, 'uplink')
  assert.equal(uplink.deduplicationKey, '0102030405060708:1:2016-08-10T17:37:55.433000Z')
  assert.deepEqual([uplink.fPort, uplink.fCnt, uplink.receptions], [1, 1, []])
  assert.deepEqual(uplink.payload, Buffer.from('0102aabb', 'hex'))
})

test('keeps the signal of an rx, and gives both forms of an uplink one key', () => {
  const [gw] = read('gw')
  const [rx] = read('gw', { cmd: 'rx', gws: undefined, rssi: -106, snr: -4.5 })
  assert.ok(gw?.kind === 'uplink' && rx?.kind === 'uplink')
  assert.equal(rx.deduplicationKey, gw.deduplicationKey)
  assert.deepEqual(rx.receptions, [{ gatewayEui: '', rssi: -106, snr: -4.5 }])
  assert.ok(gw.isPartial && rx.isPartial)
})

test('puts the best gateway first, and one with two antennas once', () => {
  const gws = [
    { gweui: '00-BB-00-00-00-00-00-01', rssi: -90, snr: 2 },
    { gweui: '00BB000000000002', rssi: -70, snr: 9 },
    { gweui: '00BB000000000002', rssi: -80, snr: 4 },
  ]
  const [uplink] = read('gw', { gws })
  assert.ok(uplink?.kind === 'uplink')
  assert.deepEqual(
    uplink.receptions.map(({ gatewayEui, snr }) => [gatewayEui, snr]),
    [
      ['00BB000000000002', 9],
      ['00BB000000000001', 2],
    ],
  )
})

test('reads numbers that come as texts, and EUIs with dashes', () => {
  const changes = { EUI: '2C-F7-F1-20-52-60-2B-FA', port: '1', fcnt: '0', ts: '1713521048021' }
  assert.deepEqual(read('gw', changes), read('gw'))
})

test('reads an uplink that acknowledges as two messages', () => {
  const [uplink, acknowledged, ...others] = read('gw', { ack: true })
  assert.equal(uplink?.kind, 'uplink')
  assert.ok(acknowledged?.kind === 'downlink')
  assert.deepEqual([acknowledged.state, acknowledged.queueItemId], ['acknowledged', undefined])
  assert.deepEqual(others, [])
  const alone = read('gw', { ack: true, port: 0, data: '' })
  assert.deepEqual(
    alone.map(({ kind }) => kind),
    ['downlink'],
  )
})

test('keeps nothing of port 0, nor of a frame without a port', () => {
  for (const changes of [{ port: 0 }, { port: undefined }, { port: null }]) {
    assert.deepEqual(read('gw', changes), [{ kind: 'nothing' }])
  }
  assert.deepEqual(readMessages(requestOf({ cmd: 'tx' })), [{ kind: 'nothing' }])
})

test('says so when LORIOT cannot decrypt a payload', () => {
  const [message] = read('gw', { data: undefined, encdata: 'a0b1' })
  assert.ok(message?.kind === 'log')
  assert.equal(message.details.code, 'ENCRYPTED')
})

test('reads what became of a downlink', () => {
  assert.deepEqual(read('txd'), [
    {
      kind: 'downlink',
      state: 'sent',
      devEui: '2CF7F12052602BF1',
      deduplicationKey: 'txd:2CF7F12052602BF1:0:2024-04-19T10:18:03.960000Z',
      occurredAt: '2024-04-19T10:18:03.960000Z',
      gatewayEui: '7076FFFFFF053A13',
      details: { fCntDown: 0 },
    },
  ])
  const [minimal] = read('txd-minimal')
  assert.ok(minimal?.kind === 'downlink')
  assert.deepEqual([minimal.state, minimal.gatewayEui], ['sent', undefined])
  const [failed] = read('txd', { error: 'TX_FAILED' })
  assert.ok(failed?.kind === 'downlink')
  assert.deepEqual([failed.state, failed.reason], ['failed', 'TX_FAILED'])
})

test('keeps nothing of a downlink of the network’s own', () => {
  assert.deepEqual(read('txd', { msgType: 'MAC DL' }), [{ kind: 'nothing' }])
  assert.deepEqual(read('txd', { port: 0 }), [{ kind: 'nothing' }])
})

test('refuses what is no message of LORIOT', () => {
  const bodies = [
    [],
    'rx',
    null,
    {},
    { cmd: 'up' },
    { cmd: 'rx' },
    { ...examples.get('rx'), data: 'xyz' },
    { ...examples.get('rx'), port: 256 },
    { ...examples.get('rx'), port: '' },
  ]
  for (const body of bodies) {
    assert.throws(() => readMessages(requestOf(body)), NotOurMessage, JSON.stringify(body))
  }
})

test('reads anything made from its messages to messages or a NotOurMessage', () => {
  assert.equal(examples.size, 4)
  checkMutations([...examples.values()], readMessages)
})
