import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openExamples, refuserOf } from '../../../test/network-messages.ts'
import { readMessage } from './messages.ts'

type Json = Record<string, unknown>

const readExample = openExamples(new URL('./examples/', import.meta.url))
const receivedAt = '2020-02-20T00:00:00.000000Z'

function read(body: unknown) {
  return readMessage({ body, receivedAt })
}

/** The published uplink with changes to the message in it. */
function uplinkWith(changes: Json, around: Json = {}): Json {
  const body = readExample('uplink')
  return { ...body, ...around, uplink_message: { ...(body.uplink_message as Json), ...changes } }
}

function readUplink(changes: Json, around: Json = {}) {
  const message = read(uplinkWith(changes, around))
  assert.equal(message.kind, 'uplink')
  return message
}

function readDownlink(name: string, changes: Json = {}) {
  const message = read({ ...readExample(name), ...changes })
  assert.equal(message.kind, 'downlink')
  return message
}

const refuses = refuserOf(read)

test('reads the published uplink', () => {
  assert.deepEqual(read(readExample('uplink')), {
    kind: 'uplink',
    devEui: '0004A30B001C0530',
    deduplicationKey: 'up:0004A30B001C0530:AXA50tHUGUucuzS/bCGMNw==:1',
    receivedAt: '2020-02-12T15:15:45.789585Z',
    fPort: 1,
    fCnt: 1,
    payload: Buffer.from([0x82, 0x41, 0xde]),
    receptions: [{ gatewayEui: '9C5C8E00001A05C4', rssi: -35, snr: 5 }],
    dataRate: 'SF7BW125',
    frequency: 868_300_000,
  })
})

test('reads the published join', () => {
  assert.deepEqual(read(readExample('join-accept')), {
    kind: 'join',
    devEui: '0004A30B001C0530',
    deduplicationKey: 'join:0004A30B001C0530:AXBSH1Pk6Z0G166RlH16CQ==',
    occurredAt: '2020-02-17T07:49:09.736532Z',
    details: { devAddr: '01497ECC' },
  })
})

test('reads what became of a downlink', () => {
  const own = 'as:downlink:01E19B99501X84X6CV471TVSZ1'
  const states = { sent: 'sent', ack: 'acknowledged', nack: 'not_acknowledged' }
  const keys = Object.entries(states).map(([name, state]) => {
    const event = readDownlink(`downlink-${name}`)
    assert.equal(event.state, state)
    assert.equal(event.queueItemId, own)
    assert.equal(event.occurredAt, '2020-02-17T10:32:24.590413Z')
    assert.deepEqual(event.details, { fCntDown: 1 })
    return event.deduplicationKey
  })
  assert.equal(new Set(keys).size, 3)
  const refused = readDownlink('downlink-nack')
  assert.equal(
    refused.reason,
    'The device did not acknowledge it: The Things Stack sends it again.',
  )
})

test('reads the published failure, which carries no time of its own', () => {
  const failed = readDownlink('downlink-failed')
  assert.equal(failed.state, 'failed')
  assert.equal(failed.queueItemId, 'as:downlink:01E19Z5W3BZBG7CXSJE9C0A3CE')
  assert.equal(failed.reason, 'application downlink payload is too long')
  assert.equal(failed.occurredAt, receivedAt)
})

test('fills the attributes into the words of a failure', () => {
  const { downlink_failed: failure } = readExample('downlink-failed')
  const error = {
    message_format: 'no gateway for `{device}` in {count} tries, {constructor}',
    attributes: { device: 'dev1', count: 3 },
  }
  const failed = readDownlink('downlink-failed', {
    downlink_failed: { ...(failure as Json), error },
  })
  assert.equal(failed.reason, 'no gateway for `dev1` in 3 tries, {constructor}')
})

test('knows a downlink by the id that we gave it, wherever that stands', () => {
  const { downlink_sent: downlink } = readExample('downlink-sent')
  const correlation_ids = ['as:downlink:01E19B', 'fleet:1b2c', 'rpc:/x']
  const sent = { downlink_sent: { ...(downlink as Json), correlation_ids } }
  assert.equal(readDownlink('downlink-sent', sent).queueItemId, 'fleet:1b2c')
  const none = { downlink_sent: { ...(downlink as Json), correlation_ids: undefined } }
  assert.equal(readDownlink('downlink-sent', none).queueItemId, undefined)
})

test('keeps nothing of what was said before or is for others', () => {
  const { end_device_ids, received_at } = readExample('uplink')
  assert.deepEqual(read(readExample('downlink-queued')), { kind: 'nothing' })
  for (const name of ['uplink_normalized', 'service_data']) {
    assert.deepEqual(read({ end_device_ids, received_at, [name]: {} }), { kind: 'nothing' })
  }
})

test('reads a solved location and an invalidated queue as logs', () => {
  const { end_device_ids, received_at } = readExample('uplink')
  const location = { latitude: 52.3, longitude: 4.9, source: 'SOURCE_LORA_TDOA_GEOLOCATION' }
  const solved = read({ end_device_ids, received_at, location_solved: { service: 's', location } })
  assert.equal(solved.kind, 'log')
  assert.deepEqual([solved.details.latitude, solved.details.service], [52.3, 's'])
  const downlink_queue_invalidated = { last_f_cnt_down: 7, session_key_id: 'AX' }
  const invalidated = read({ end_device_ids, received_at, downlink_queue_invalidated })
  assert.equal(invalidated.kind, 'log')
  assert.equal(invalidated.details.lastFCntDown, 7)
})

test('takes zero values that are left out, and numbers as strings', () => {
  const uplink = readUplink({
    f_cnt: undefined,
    f_port: '7',
    frm_payload: undefined,
    rx_metadata: [{ gateway_ids: { eui: '9c5c8e00001a05c4' }, rssi: '-35.6' }],
    settings: {},
  })
  assert.deepEqual([uplink.fCnt, uplink.fPort, uplink.payload.length], [0, 7, 0])
  assert.deepEqual(uplink.receptions, [{ gatewayEui: '9C5C8E00001A05C4', rssi: -36, snr: 0 }])
  assert.deepEqual([uplink.dataRate, uplink.frequency], [undefined, undefined])
})

test('keeps nothing of a frame on port 0, which is left out', () => {
  assert.deepEqual(read(uplinkWith({ f_port: undefined })), { kind: 'nothing' })
  assert.deepEqual(read(uplinkWith({ f_port: 0 })), { kind: 'nothing' })
})

test('lists each gateway once, best SNR first, by its EUI or else by its ID', () => {
  const eui = '9C5C8E00001A05C4'
  const { receptions } = readUplink({
    rx_metadata: [
      { gateway_ids: { eui }, snr: -4, rssi: -90 },
      { gateway_ids: { gateway_id: 'no-eui' }, snr: 9 },
      {
        gateway_ids: { gateway_id: 'packetbroker' },
        packet_broker: { forwarder_gateway_eui: '58A0CBFFFE000001' },
        snr: 1,
        location: { latitude: 52.3, longitude: 4.9 },
      },
      { gateway_ids: { eui }, snr: 3.5, antenna_index: 1, location: { latitude: 200 } },
    ],
  })
  assert.deepEqual(receptions, [
    { gatewayEui: 'no-eui', rssi: 0, snr: 9 },
    { gatewayEui: eui, rssi: 0, snr: 3.5 },
    { gatewayEui: '58A0CBFFFE000001', rssi: 0, snr: 1, latitude: 52.3, longitude: 4.9 },
  ])
})

test('names the data rates of other modulations', () => {
  const settings = (data_rate: Json) => ({ settings: { frequency: '868800000', data_rate } })
  assert.equal(readUplink(settings({ fsk: { bit_rate: 50_000 } })).dataRate, 'FSK50')
  const lrfhss = { operating_channel_width: 137_000 }
  assert.equal(readUplink(settings({ lrfhss })).dataRate, 'LRFHSS137')
})

test('tells the uplinks of two sessions and simulated ones apart', () => {
  const joinedAgain = readUplink({ session_key_id: 'other' })
  const simulated = { session_key_id: undefined, f_cnt: undefined }
  const one = readUplink(simulated, { simulated: true })
  const later = { ...simulated, received_at: '2020-02-12T15:15:46Z' }
  const two = readUplink(later, { simulated: true })
  const keys = [readUplink({}), joinedAgain, one, two].map((message) => message.deduplicationKey)
  assert.equal(new Set(keys).size, 4)
})

test('takes the time of the application server where that of the network server is none', () => {
  const simulated = readUplink({ received_at: '0001-01-01T00:00:00Z' }, { simulated: true })
  assert.equal(simulated.receivedAt, '2020-02-12T15:15:46.014773Z')
})

test('tells frames of a session apart by their time where one has no counter', () => {
  const keys = ['2020-02-12T15:15:46Z', '2020-02-12T15:16:46Z'].map(
    (received_at) => readUplink({ f_cnt: 'x', received_at }).deduplicationKey,
  )
  assert.notEqual(keys[0], keys[1])
})

test('refuses a payload that The Things Stack has not decrypted', () => {
  refuses(uplinkWith({ app_s_key: { key: '00' } }), /turn off/)
})

test('refuses what is no message of The Things Stack', () => {
  const body = readExample('uplink')
  for (const wrong of [null, 'up', 7, [body], undefined]) refuses(wrong, /JSON object/)
  refuses({}, /end_device_ids/)
  refuses({ app_id: 'a', dev_id: 'b', hardware_serial: '0102030405060708' }, /end_device_ids/)
  refuses({ end_device_ids: { dev_eui: '0004A30B001C0530' } }, /uplink_message/)
  refuses({ ...body, end_device_ids: {} }, /dev_eui/)
  refuses({ ...body, uplink_message: 'x' }, /uplink_message/)
  const wrong: [Json, RegExp][] = [
    [{ f_port: 256 }, /f_port/],
    [{ frm_payload: '%%%%' }, /base64/],
  ]
  for (const [changes, reason] of wrong) refuses(uplinkWith(changes), reason)
  refuses({ ...readExample('downlink-failed'), downlink_failed: {} }, /downlink is missing/)
})
