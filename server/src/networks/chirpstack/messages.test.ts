import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leavesOut, openExamples, refuserOf, requestOf } from '../../../test/network-messages.ts'
import { NotOurMessage } from '../network-message.ts'
import { readMessage } from './messages.ts'

type Json = Record<string, unknown>

const readExample = openExamples(new URL('./examples/', import.meta.url))

function read(event: string | undefined, body: unknown) {
  return readMessage({ ...requestOf(body), query: { event } })
}

function readUp(changes: Json) {
  const message = read('up', { ...readExample('up'), ...changes })
  assert.equal(message.kind, 'uplink')
  return message
}

const refuses = refuserOf((body: unknown, event?: string) => read(event ?? 'up', body))

test('reads the published up event', () => {
  assert.deepEqual(read('up', readExample('up')), {
    kind: 'uplink',
    devEui: '0101010101010101',
    deduplicationKey: '3ac7e3c4-4401-4b8d-9386-a5c902f9202d',
    receivedAt: '2022-07-18T09:34:15.775023Z',
    fPort: 1,
    fCnt: 10,
    payload: Buffer.from([0xaa]),
    receptions: [
      { gatewayEui: '0016C001F153A14C', rssi: -36, snr: 10.5 },
      { gatewayEui: '0016C001F153A14D', rssi: -80, snr: 2 },
    ],
    dataRate: 'SF11BW125',
    frequency: 867_100_000,
  })
})

test('reads the published join, status and log events', () => {
  assert.deepEqual(read('join', readExample('join')), {
    kind: 'join',
    devEui: '0101010101010101',
    deduplicationKey: 'join:c9dbe358-2578-4fb7-b295-66b44edc45a6',
    occurredAt: '2022-07-18T09:33:28.823500Z',
    details: { devAddr: '00189440', regionConfigId: 'eu868' },
  })
  assert.deepEqual(read('status', readExample('status')), {
    kind: 'status',
    devEui: '0101010101010101',
    deduplicationKey: 'status:bf2a9746-1c8b-49be-a92e-f0b89c8534e4',
    occurredAt: '2022-07-18T09:35:06.927172Z',
    details: { margin: 10, externalPowerSource: false, batteryLevel: 88.3 },
  })
  const log = read('log', readExample('log'))
  assert.equal(log.kind, 'log')
  assert.deepEqual(log.details, {
    level: 'ERROR',
    code: 'UPLINK_MIC',
    description: 'MIC of join-request is invalid, make sure keys are correct',
    context: { deduplication_id: '4e91db13-5ce3-4c8c-ab0f-dfc626cf0771' },
  })
})

test('reads what became of a downlink', () => {
  const sent = read('txack', readExample('txack'))
  assert.equal(sent.kind, 'downlink')
  assert.equal(sent.state, 'sent')
  assert.equal(sent.queueItemId, '42cb6459-a640-46ec-9623-bdff39dc4736')

  const acknowledged = read('ack', readExample('ack'))
  assert.equal(acknowledged.kind, 'downlink')
  assert.equal(acknowledged.state, 'acknowledged')
  assert.equal(acknowledged.queueItemId, '1bbcab1d-6ec6-4136-b3f5-d63be1dc08de')

  // A downlink of class C that timed out: no uplink, so no deduplicationId.
  const timedOut = { ...readExample('ack'), acknowledged: false, deduplicationId: '' }
  const refused = read('ack', timedOut)
  assert.equal(refused.kind, 'downlink')
  assert.equal(refused.state, 'not_acknowledged')
  assert.equal(refused.reason, 'The device did not acknowledge the downlink.')
})

test('reads a log of a downlink that was given up as failed', () => {
  for (const code of ['EXPIRED', 'DOWNLINK_PAYLOAD_SIZE', 'F_CNT_DOWN']) {
    const failed = read('log', { ...readExample('log-expired'), code })
    assert.equal(failed.kind, 'downlink')
    assert.equal(failed.state, 'failed')
    assert.equal(failed.queueItemId, '42cb6459-a640-46ec-9623-bdff39dc4736')
    assert.equal(failed.reason, 'Device queue-item discarded because it has expired')
  }
})

test('reads the refusal of a gateway as a delay, for the downlink stays in the queue', () => {
  const gateway = { code: 'DOWNLINK_GATEWAY', description: 'TOO_LATE', context: {} }
  const refused = read('log', { ...readExample('log'), ...gateway })
  assert.equal(refused.kind, 'downlink')
  assert.deepEqual([refused.state, refused.reason], ['postponed', 'TOO_LATE'])
  assert.equal(refused.queueItemId, undefined)
})

test('reads location and integration events as logs', () => {
  const { time, deviceInfo, deduplicationId } = readExample('up')
  const common = { time, deviceInfo, deduplicationId }
  const location = read('location', { ...common, location: { latitude: 52.3, longitude: 4.9 } })
  assert.equal(location.kind, 'log')
  assert.equal(location.details.latitude, 52.3)
  const integration = read('integration', { ...common, integrationName: 'x', object: { a: 1 } })
  assert.equal(integration.kind, 'log')
  assert.deepEqual(integration.details.object, { a: 1 })
})

test('gives the events of one uplink different keys', () => {
  // The ack event carries the deduplicationId of the uplink that acknowledged.
  const { deduplicationId } = readExample('up')
  const keys = ['up', 'ack', 'join', 'status', 'txack', 'log'].map((event) => {
    const message = read(event, { ...readExample(event), deduplicationId })
    return 'deduplicationKey' in message ? message.deduplicationKey : ''
  })
  assert.equal(new Set(keys).size, 6)
  assert.equal(keys[0], deduplicationId)
})

test('reads the same event twice to the same key', () => {
  for (const event of ['up', 'ack', 'join', 'status', 'txack', 'log']) {
    assert.deepEqual(read(event, readExample(event)), read(event, readExample(event)))
  }
})

test('takes members that proto3 JSON leaves out or writes in another form', () => {
  const uplink = readUp({
    fCnt: undefined,
    fPort: '7',
    data: '_-8',
    rxInfo: [{ gatewayId: '0016C001F153A14C' }, { gatewayId: '0016c001f153a14d', snr: 'NaN' }],
    txInfo: null,
  })
  assert.equal(uplink.fCnt, 0)
  assert.equal(uplink.fPort, 7)
  assert.deepEqual(uplink.payload, Buffer.from([0xff, 0xef]))
  assert.deepEqual(uplink.receptions, [
    { gatewayEui: '0016C001F153A14C', rssi: 0, snr: 0 },
    { gatewayEui: '0016C001F153A14D', rssi: 0 },
  ])
  assert.equal(uplink.dataRate, undefined)
  assert.deepEqual(readUp({ rxInfo: undefined }).receptions, [])
})

test('lists each gateway once, best SNR first, with its position where it is known', () => {
  const gatewayId = '0016c001f153a14c'
  const { receptions } = readUp({
    rxInfo: [
      { gatewayId, snr: -4, location: {} },
      { gatewayId: '0016c001f153a14d', snr: 1, location: { latitude: 52.3, longitude: 4.9 } },
      { gatewayId, snr: 3.5, antenna: 1, location: { latitude: 200, longitude: 4.9 } },
      { gatewayId: '0016c001f153a14e', snr: -9, location: { latitude: 51.5 } },
    ],
  })
  assert.deepEqual(receptions, [
    { gatewayEui: '0016C001F153A14C', rssi: 0, snr: 3.5 },
    { gatewayEui: '0016C001F153A14D', rssi: 0, snr: 1, latitude: 52.3, longitude: 4.9 },
    { gatewayEui: '0016C001F153A14E', rssi: 0, snr: -9, latitude: 51.5, longitude: 0 },
  ])
})

test('cuts times to microseconds in UTC', () => {
  const times = {
    '2022-07-18T09:34:15.775023999+00:00': '2022-07-18T09:34:15.775023Z',
    '2022-07-18T09:34:15.5Z': '2022-07-18T09:34:15.500000Z',
    '2022-07-18T09:34:15Z': '2022-07-18T09:34:15.000000Z',
    '2022-07-18T00:34:15.1+02:00': '2022-07-17T22:34:15.100000Z',
    '2024-02-29T23:59:59.999999999-00:30': '2024-03-01T00:29:59.999999Z',
  }
  for (const [time, expected] of Object.entries(times)) {
    assert.equal(readUp({ time }).receivedAt, expected)
  }
})

test('names the data rates of other modulations', () => {
  const txInfo = (modulation: Json) => ({ txInfo: { frequency: 868_800_000, modulation } })
  assert.equal(readUp(txInfo({ fsk: { datarate: 50_000 } })).dataRate, 'FSK50')
  const lrFhss = { operatingChannelWidth: 137_000 }
  assert.equal(readUp(txInfo({ lrFhss })).dataRate, 'LRFHSS137')
})

test('keeps nothing of frames without an application payload, but an empty payload', () => {
  const up = readExample('up')
  assert.deepEqual(read('up', { ...up, fPort: 0 }), { kind: 'nothing' })
  assert.deepEqual(read('up', { ...up, fPort: undefined, data: '' }), { kind: 'nothing' })
  assert.deepEqual(readUp({ data: '' }).payload, Buffer.alloc(0))
})

test('tells a ChirpStack v3 from a v4', () => {
  refuses(readExample('v3-legacy-up'), /ChirpStack v3.*v4 is needed/)
})

test('refuses what is no message of ChirpStack v4', () => {
  const up = readExample('up')
  refuses(up, /event is missing/, '')
  assert.throws(() => readMessage(requestOf(up)), NotOurMessage)
  refuses(up, /event/, 'uplink')
  refuses(up, /event/, '__proto__')
  for (const body of [null, 'up', 7, [up], undefined]) refuses(body, /JSON object/)
  refuses({}, /deviceInfo/)
  const wrong: [Json, RegExp][] = [
    [{ deviceInfo: {} }, /devEui/],
    [{ deviceInfo: { devEui: '01010101010101' } }, /devEui/],
    [{ deviceInfo: { devEui: '010101010101010g' } }, /devEui/],
    [{ fPort: 256 }, /fPort/],
    [{ fPort: true }, /fPort/],
    [{ data: 'q' }, /base64/],
    [{ data: '%%%%' }, /base64/],
    [{ data: 5 }, /data/],
  ]
  for (const [changes, reason] of wrong) refuses({ ...up, ...changes }, reason)
})

test('leaves out and notes every side value that cannot be used', () => {
  const gatewayId = '0016c001f153a14c'
  const side: [Json, string][] = [
    ...[undefined, null, 7, '2022-02-30T09:34:15Z', '2022-07-18T09:34:15+99:00'].map(toTime),
    ...['0001-01-01T00:00:00+01:00', '1970-01-01T00:00:00Z'].map(toTime),
    [{ deduplicationId: undefined }, 'deduplicationId'],
    [{ deduplicationId: 5 }, 'deduplicationId'],
    ...[4_294_967_296, -1, 1.5, 'x', null].map((fCnt): [Json, string] => [{ fCnt }, 'fCnt']),
    [{ rxInfo: {} }, 'rxInfo'],
    [{ rxInfo: [null] }, 'rxInfo'],
    [{ rxInfo: undefined }, 'rxInfo'],
    ...['aa77bb88', '', null, undefined].map((id): [Json, string] => [
      { rxInfo: [{ gatewayId, rssi: -9, snr: 1 }, { gatewayId: id }] },
      'gatewayId',
    ]),
    [{ rxInfo: [{ gatewayId, rssi: 2 ** 31 }] }, 'rssi'],
    [{ rxInfo: [{ gatewayId, rssi: '' }] }, 'rssi'],
    [{ rxInfo: [{ gatewayId, snr: 'loud' }] }, 'snr'],
    [{ rxInfo: [{ gatewayId, location: { latitude: '' } }] }, 'latitude'],
    [{ rxInfo: [{ gatewayId, location: { latitude: 91 } }] }, 'latitude'],
    [{ txInfo: [] }, 'txInfo'],
    [{ txInfo: { frequency: 'high' } }, 'frequency'],
  ]
  for (const [changes, member] of side) {
    const uplink = leavesOut(member, () => [read('up', { ...readExample('up'), ...changes })])
    assert.deepEqual(Buffer.from(uplink.payload), Buffer.from([0xaa]))
  }
})

function toTime(time: unknown): [Json, string] {
  return [{ time }, 'time']
}

test('keeps the signal of gateways of other networks, under the names that these have there', () => {
  const { receptions } = readUp({
    rxInfo: [
      { gatewayId: '0016c001f153a14c', rssi: -90, snr: -3 },
      { gatewayId: 'aa77bb88', rssi: -100, snr: 3 },
      { gatewayId: '', rssi: -101.4, snr: 2 },
      { rssi: -102, snr: 1 },
    ],
  })
  assert.deepEqual(receptions, [
    { gatewayEui: 'aa77bb88', rssi: -100, snr: 3 },
    { gatewayEui: '', rssi: -101, snr: 2 },
    { gatewayEui: '', rssi: -102, snr: 1 },
    { gatewayEui: '0016C001F153A14C', rssi: -90, snr: -3 },
  ])
})

test('takes the time of arrival where there is none, and rounds a frequency', () => {
  const uplink = readUp({ time: null, txInfo: { frequency: 868_100_000.4 } })
  assert.deepEqual(
    [uplink.receivedAt, uplink.isDatedHere, uplink.frequency],
    ['2026-03-01T12:00:00.000000Z', true, 868_100_000],
  )
  const nameless = readUp({ time: null, deduplicationId: undefined })
  assert.equal(nameless.deduplicationKey, '0101010101010101:10:2026-03-01T12:00:00.000000Z')
})
