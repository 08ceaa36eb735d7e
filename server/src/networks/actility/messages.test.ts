import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openExamples, refuserOf, requestOf } from '../../../test/network-messages.ts'
import type { JsonObject } from '../message-fields.ts'
import { readMessages } from './messages.ts'

const readExample = openExamples<Record<string, JsonObject>>(
  new URL('./examples/', import.meta.url),
)

const { DevEUI_uplink: uplink = {} } = readExample('uplink')

function read(body: unknown) {
  return readMessages(requestOf(body))
}

function readUplink(changes: JsonObject) {
  const [message] = read({ DevEUI_uplink: { ...uplink, ...changes } })
  assert.equal(message?.kind, 'uplink')
  return message
}

const refuses = refuserOf(read)

test('reads the published uplink', () => {
  assert.deepEqual(read(readExample('uplink')), [
    {
      kind: 'uplink',
      devEui: '20635F0108000496',
      deduplicationKey: '20635F0108000496:18:2021-04-07T08:49:45.235000Z',
      receivedAt: '2021-04-07T08:49:45.235000Z',
      fPort: 17,
      fCnt: 18,
      payload: Buffer.from(String(uplink.payload_hex), 'hex'),
      receptions: [
        { gatewayEui: '10000036', rssi: -67, snr: 9, latitude: 47.438381, longitude: 18.926418 },
      ],
      dataRate: 'SF8',
    },
  ])
})

test('reads an uplink of the content type json, where every number is a text', () => {
  const [message] = read(readExample('signed-uplink-2016').body)
  assert.deepEqual(message, {
    kind: 'uplink',
    devEui: '0059AC000010020D',
    deduplicationKey: '0059AC000010020D:3:2016-07-05T06:58:26.654000Z',
    receivedAt: '2016-07-05T06:58:26.654000Z',
    fPort: 2,
    fCnt: 3,
    payload: Buffer.from('00277c0878fd9b2e000000000000ffff', 'hex'),
    receptions: [
      { gatewayEui: '080603DB', rssi: -100, snr: 5.75, latitude: 52.069241, longitude: 4.349416 },
      { gatewayEui: '080E00C8', rssi: -118, snr: -4 },
      { gatewayEui: '080602C9', rssi: -119, snr: -9.5 },
    ],
    dataRate: 'SF12',
  })
})

test('reads an uplink of IoT Flow, which has no wrapper', () => {
  const [message] = read(readExample('iot-flow-uplink'))
  assert.equal(message?.kind, 'uplink')
  assert.deepEqual(
    [message.devEui, message.fPort, message.fCnt, message.frequency, message.receivedAt],
    ['20635F039100011E', 18, 10448, 922_400_000, '2025-01-13T12:46:30.201000Z'],
  )
  assert.deepEqual(message.receptions, [
    { gatewayEui: '10002313', rssi: -74, snr: 8, latitude: 1.378461, longitude: 103.848991 },
  ])
})

test('reads the published reports of a downlink', () => {
  assert.deepEqual(read(readExample('downlink-sent')), [
    {
      kind: 'downlink',
      state: 'sent',
      devEui: '0016C001F01192A0',
      occurredAt: '2026-09-06T08:18:55.268000Z',
      deduplicationKey: 'sent:0016C001F01192A0:2026-09-06T08:18:55.268000Z:6CF1BF9A3DBD4821:5',
      queueItemId: '6CF1BF9A3DBD4821',
      gatewayEui: 'FF0104DD',
      details: { fCntDown: 5, fPort: 3 },
    },
  ])
  assert.deepEqual(read(readExample('downlink-rejected')), [
    {
      kind: 'downlink',
      state: 'failed',
      devEui: '0018B20000000D48',
      occurredAt: '2019-08-22T14:48:02.000000Z',
      deduplicationKey: 'rejected:0018B20000000D48:2019-08-22T14:48:02.000000Z:',
      reason: 'Downlink counter value already used. Expected=1238',
      details: { status: 350 },
    },
  ])
})

test('gives the causes of a downlink that was not sent', () => {
  const { DevEUI_downlink_Sent: sent } = readExample('downlink-sent')
  const reasonOf = (causes: JsonObject) => {
    const [event] = read({ DevEUI_downlink_Sent: { ...sent, DeliveryStatus: '0', ...causes } })
    assert.equal(event?.kind, 'downlink')
    assert.deepEqual([event.state, event.gatewayEui], ['failed', undefined])
    return event.reason
  }
  assert.equal(
    reasonOf({ DeliveryFailedCause1: 'B0', DeliveryFailedCause2: 'DA' }),
    'The downlink was not sent (RX1: too late, RX2: duty cycle).',
  )
  assert.match(reasonOf({ DeliveryFailedCause1: '7f' }) ?? '', /cause 7F/)
  assert.match(reasonOf({ DeliveryFailedCause1: '00' }) ?? '', /no cause given/)
})

test('reads notifications: joins without their key, battery and margin, resets', () => {
  const { DevEUI_notification: join } = readExample('join')
  const common = { devEui: '0016C001F016D281', occurredAt: '2026-09-06T16:52:54.690000Z' }
  const key = (type: string) => `notification:${type}:${common.devEui}:${common.occurredAt}:`
  const notify = (changes: JsonObject) => read({ DevEUI_notification: { ...join, ...changes } })
  const details = { devAddr: '14718A79' }
  const joined = { kind: 'join', ...common, deduplicationKey: key('join'), details }
  assert.deepEqual(notify({ Var1: '34216a533ceb98b5c811a9acf72e6822' }), [joined])
  assert.deepEqual(notify({ Type: 'devstatusans', Var1: '254', Var2: '-3' }), [
    {
      kind: 'status',
      ...common,
      deduplicationKey: key('devstatusans'),
      details: { battery: 254, margin: -3 },
    },
  ])
  assert.deepEqual(notify({ Type: 'reset', Var1: 'admin_reset' }), [
    { kind: 'log', ...common, deduplicationKey: key('reset'), details: { code: 'RESET' } },
  ])
})

test('reads a location', () => {
  const { DevEUI_location } = readExample('signed-location-2018').body as never
  const report = Object.assign({}, DevEUI_location, {
    Time: '2018-01-12T10:00:00.000+01:00',
    DevLAT: '51.907218',
    DevLON: 4.489303,
    DevLocRadius: '120.5',
  })
  const [event] = read({ DevEUI_location: report })
  assert.equal(event?.kind, 'log')
  assert.deepEqual(event.details, {
    code: 'LOCATION',
    latitude: 51.907218,
    longitude: 4.489303,
    altitude: undefined,
    accuracy: 120.5,
  })
})

test('takes the acknowledgement out of an uplink, with or without a payload beside it', () => {
  const kindsOf = (changes: JsonObject) =>
    read({ DevEUI_uplink: { ...uplink, ...changes } }).map(({ kind }) => kind)
  assert.deepEqual(kindsOf({ ACKbit: 1 }), ['uplink', 'downlink'])
  assert.deepEqual(kindsOf({ ACKbit: '1', FPort: undefined }), ['nothing', 'downlink'])
  assert.deepEqual(kindsOf({ ACKbit: '0' }), ['uplink'])
  const [, event] = read({ DevEUI_uplink: { ...uplink, ACKbit: '1' } })
  assert.equal(event?.kind === 'downlink' && event.state, 'acknowledged')
})

test('keeps nothing of port 0, of a join request and of a report that it does not know', () => {
  for (const FPort of [0, '0', '', undefined]) {
    assert.deepEqual(read({ DevEUI_uplink: { ...uplink, FPort } }), [{ kind: 'nothing' }])
  }
  const summary = { DevEUI: '20635F0108000496', Time: '2026-09-06T18:52:54.690+02:00' }
  assert.deepEqual(read({ DevEUI_multicast_summary: summary }), [{ kind: 'nothing' }])
})

test('reads what is left out as empty, and leaves unknown numbers and positions out', () => {
  const message = readUplink({ payload_hex: undefined, SpFact: '', Lrrs: undefined, LrrRSSI: '' })
  assert.deepEqual([message.payload.length, message.dataRate], [0, undefined])
  assert.deepEqual(Object.keys(message.receptions[0] ?? {}), [
    'gatewayEui',
    'snr',
    'latitude',
    'longitude',
  ])
  const unknown = readUplink({ LrrLAT: '0.000000', LrrLON: 0 })
  assert.equal(unknown.receptions[0]?.latitude, undefined)
})

test('keeps the signal where no gateway is named', () => {
  const nameless = { Lrrs: undefined, Lrrid: undefined, LrrLAT: undefined }
  assert.deepEqual(readUplink(nameless).receptions, [{ gatewayEui: '', rssi: -67, snr: 9 }])
  const silent = { ...nameless, LrrRSSI: undefined, LrrSNR: undefined }
  assert.deepEqual(readUplink(silent).receptions, [])
})

test('keeps the better antenna of a gateway, and takes a list of one that is none', () => {
  const lrr = { Lrrid: '10000036', LrrRSSI: -80, LrrSNR: 1 }
  const both = [lrr, { ...lrr, Chain: 1, LrrRSSI: -70.5, LrrSNR: 8 }]
  assert.deepEqual(
    readUplink({ Lrrs: { Lrr: both } }).receptions.map(({ rssi }) => rssi),
    [-70],
  )
  assert.equal(readUplink({ Lrrs: { Lrr: lrr } }).receptions[0]?.rssi, -80)
})

test('keeps a late frame at its own time', () => {
  const message = readUplink({ Late: '1', Time: '2021-04-06T08:49:45.235+02:00' })
  assert.equal(message.receivedAt, '2021-04-06T06:49:45.235000Z')
})

test('refuses what is no message of ThingPark, and says why', () => {
  refuses([], /JSON object/)
  refuses(null, /JSON object/)
  refuses({}, /none of ThingPark/)
  refuses({ deviceInfo: { devEui: '0101010101010101' } }, /none of ThingPark/)
  refuses({ DevEUI_uplink: 'x' }, /none of ThingPark/)
  refuses({ DevEUI_uplink: {} }, /DevEUI must be an EUI/)
  refuses({ DevEUI_uplink: { ...uplink, payload_hex: 'xyz' } }, /payload_hex must be hexadecimal/)
  refuses({ DevEUI_uplink: { ...uplink, FPort: 256 } }, /FPort must be a whole number/)
})
