import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Uplink } from './network-message.ts'
import { holdToRange, makeUplink } from './uplink.ts'

const uplink: Uplink = {
  kind: 'uplink',
  devEui: '00AA000000000001',
  deduplicationKey: 'key',
  receivedAt: '2026-03-01T12:00:00.000000Z',
  fPort: 2,
  fCnt: 10,
  payload: Buffer.from('100301', 'hex'),
  receptions: [
    { gatewayEui: '00BB000000000001', rssi: -36, snr: 10.5, latitude: 52.25, longitude: 4.875 },
    { gatewayEui: '', rssi: -80.5 },
  ],
  dataRate: 'SF7BW125',
  frequency: 867_100_000,
}

test('leaves a message as it is where every value is in its range', () => {
  assert.deepEqual(holdToRange(uplink), uplink)
  assert.deepEqual(holdToRange({ kind: 'nothing' }), { kind: 'nothing' })
})

test('leaves out a frequency or a data rate beyond its range, and keeps the rest', () => {
  const { frequency: _, dataRate: __, ...rest } = uplink
  for (const frequency of [1e17, 2 ** 53 + 2, 2 ** 32, 0.5, 0, -1, Number.NaN, Infinity]) {
    assert.deepEqual(holdToRange({ ...rest, frequency }), rest, String(frequency))
  }
  for (const dataRate of ['', 'x'.repeat(41), 'SF7\u0000', 'SF7\n', 'SF\ud800']) {
    assert.deepEqual(holdToRange({ ...rest, dataRate }), rest, dataRate)
  }
})

test('leaves out of a reception what is beyond its range, and puts the best SNR first again', () => {
  const receptions = [
    { gatewayEui: 'B\u0000', rssi: 1e12, snr: 1e308, latitude: 91, longitude: 8 },
    { gatewayEui: '00BB000000000002', rssi: -301, snr: -7, latitude: 47, longitude: Number.NaN },
    { gatewayEui: '10000231', rssi: -90, snr: 2 },
  ]
  const held = holdToRange({ ...uplink, receptions })
  assert.deepEqual(held, {
    ...uplink,
    receptions: [
      { gatewayEui: '10000231', rssi: -90, snr: 2 },
      { gatewayEui: '00BB000000000002', snr: -7 },
      { gatewayEui: '' },
    ],
  })
})

test('keeps the best hundred of more gateways than can have heard a frame', () => {
  const receptions = Array.from({ length: 5000 }, (_, index) => ({
    gatewayEui: `00BB${String(index).padStart(12, '0')}`,
    snr: -index / 100,
  }))
  const held = holdToRange({ ...uplink, receptions })
  assert.ok(held.kind === 'uplink')
  assert.deepEqual(held.receptions, receptions.slice(0, 100))
})

test('keeps the best reception of each gateway, best SNR first, and leaves out what is unknown', () => {
  const { kind: _, ...told } = uplink
  const made = makeUplink({
    ...told,
    dataRate: undefined,
    frequency: 0,
    receptions: [
      { gatewayEui: '00BB000000000002', rssi: undefined, snr: undefined },
      { gatewayEui: '00BB000000000001', rssi: -90, snr: -3 },
      { gatewayEui: '00BB000000000001', rssi: -36, snr: 10.5 },
    ],
  })
  const { dataRate: __, frequency: ___, ...rest } = uplink
  assert.deepEqual(made, {
    ...rest,
    receptions: [
      { gatewayEui: '00BB000000000001', rssi: -36, snr: 10.5 },
      { gatewayEui: '00BB000000000002' },
    ],
  })
})
