import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openExamples, refuserOf } from '../../../test/network-messages.ts'
import { readMessages } from './messages.ts'

type Json = Record<string, unknown>

const readExample = openExamples(new URL('./examples/', import.meta.url))

function read(body: unknown, headers: Record<string, string> = {}) {
  const receivedAt = '2026-01-01T00:00:00.000000Z'
  return readMessages({ path: '', query: {}, sentQuery: '', headers, body, receivedAt })
}

/** The published uplink with the digit that its DevEui lacks, and other members of the frame. */
function uplinkWith(changes: Json, payload: unknown = 'Cc48AAAAAAAAAAA='): Json {
  const { WirelessMetadata, ...body } = readExample('uplink')
  const { LoRaWAN } = WirelessMetadata as { LoRaWAN: Json }
  const frame = { ...LoRaWAN, DevEui: '58a0cb0000202c99', ...changes }
  return { ...body, PayloadData: payload, WirelessMetadata: { LoRaWAN: frame } }
}

const refuses = refuserOf(read)

test('reads the published uplink', () => {
  refuses(readExample('uplink'), /DevEui must be an EUI/)
  assert.deepEqual(read(uplinkWith({})), [
    {
      kind: 'uplink',
      devEui: '58A0CB0000202C99',
      deduplicationKey: '5b58245e-146c-4c30-9703-0ca942e3ff35:00b96cd4:1:2021-05-03T03:24:29Z',
      receivedAt: '2021-05-03T03:24:29.000000Z',
      fPort: 136,
      fCnt: 1,
      payload: Buffer.from('09ce3c0000000000000000', 'hex'),
      receptions: [{ gatewayEui: '80029CFFFE5CF1CC', rssi: 9.75, snr: -29 }],
      dataRate: 'SF12BW125',
      frequency: 868_100_000,
    },
  ])
})

test('reads an uplink that acknowledges a downlink as both', () => {
  const [uplink, acknowledged, ...others] = read(readExample('uplink-with-ack'))
  assert.ok(uplink?.kind === 'uplink' && others.length === 0)
  assert.deepEqual(
    [uplink.devEui, uplink.fPort, uplink.fCnt, uplink.dataRate, uplink.frequency],
    ['40BB42D1C49FA3C1', 103, 1427, 'DR3', 904_500_000],
  )
  assert.deepEqual(uplink.receptions, [{ gatewayEui: 'D788AB85896D60B8', rssi: -69, snr: 9.5 }])
  const messageId = '60aeb4ec-69aac0d8-7b90-4c3a-9d3e-0a7f6b2f4c11'
  assert.deepEqual(acknowledged, {
    kind: 'downlink',
    state: 'acknowledged',
    devEui: '40BB42D1C49FA3C1',
    queueItemId: messageId,
    deduplicationKey: `ack:40BB42D1C49FA3C1:${messageId}`,
    occurredAt: '2021-04-07T16:03:10.000000Z',
    details: { fCntUp: 1427 },
  })
})

test('keeps the acknowledgement of a frame without a port', () => {
  const [acknowledged, ...others] = read(
    uplinkWith({ FPort: 225, AckedMessageId: 'm1' }, undefined),
  )
  assert.ok(acknowledged?.kind === 'downlink' && others.length === 0)
})

test('keeps nothing of MAC commands, of frames without a port and of ports for tests', () => {
  for (const port of [0, 224, 225, '0']) {
    assert.deepEqual(read(uplinkWith({ FPort: port })), [{ kind: 'nothing' }])
  }
  assert.deepEqual(read(uplinkWith({ Fport: undefined })), [{ kind: 'nothing' }])
})

test('reads numbers that come as strings, and what a service profile leaves out', () => {
  const changes = { FPort: '5', FCnt: '7', Gateways: undefined, SpreadingFactor: undefined }
  for (const DataRate of ['0', 0]) {
    const [uplink] = read(uplinkWith({ ...changes, DataRate }, ''))
    assert.ok(uplink?.kind === 'uplink')
    assert.deepEqual([uplink.fPort, uplink.fCnt, uplink.dataRate], [5, 7, 'DR0'])
    assert.deepEqual([uplink.receptions, uplink.payload.length], [[], 0])
  }
})

test('puts the gateway with the best SNR first, those of other networks among them', () => {
  const gateways = [
    { GatewayEui: '0000000000000001', Rssi: -100, Snr: -3 },
    { GatewayEui: '0000000000000002', Rssi: '-90', Snr: '4.5' },
    { GatewayEui: '0000000000000003' },
  ]
  const publicGateways = [{ Id: 'x', ProviderNetId: '00000E', Rssi: -80, Snr: 9 }]
  const [uplink] = read(uplinkWith({ Gateways: gateways, PublicGateways: publicGateways }))
  assert.ok(uplink?.kind === 'uplink')
  assert.deepEqual(
    uplink.receptions.map(({ gatewayEui, snr }) => [gatewayEui, snr]),
    [
      ['x', 9],
      ['0000000000000002', 4.5],
      ['0000000000000001', -3],
      ['0000000000000003', undefined],
    ],
  )
})

test('reads an accepted join in any spelling and time, and no request for one', () => {
  const join = readExample('join-accepted')
  const expected = {
    kind: 'join',
    devEui: '40BB42D1C49FA3C1',
    deduplicationKey: 'join:195f7ad0-5b1c-4c6a-9f64-9f6d9f4e0c11',
    occurredAt: '2021-04-07T16:02:10.000000Z',
    details: { devAddr: '00b96cd4', wirelessDeviceId: '3a3c05d6-a3a3-434f-c5f9-47aa04d41117' },
  }
  for (const timestamp of [1617811330000, '1617811330', 1617811330, '2021-04-07T16:02:10Z']) {
    for (const eventType of ['joinAccepted', 'join_accepted']) {
      assert.deepEqual(read({ ...join, eventType, timestamp }), [expected])
    }
  }
  assert.deepEqual(read({ ...join, eventType: 'join_req_received' }), [{ kind: 'nothing' }])
  assert.deepEqual(read({ eventType: 'disconnected', WirelessGatewayId: 'g' }), [
    { kind: 'nothing' },
  ])
})

test('reads the question for a confirmation by its header', () => {
  const question = readExample('destination-confirmation')
  const headers = { 'x-amz-rules-engine-message-type': 'DestinationConfirmation' }
  const { arn, enableUrl } = question
  assert.deepEqual(read(question, headers), [{ kind: 'confirmation', details: { arn, enableUrl } }])
  refuses(question, /WirelessMetadata is missing/)
})

test('says what is missing in what is no message of it', () => {
  refuses([], /JSON object/)
  refuses({ PayloadData: 'AA==' }, /WirelessMetadata is missing/)
  refuses({ WirelessMetadata: {} }, /WirelessMetadata\.LoRaWAN is missing/)
  refuses(uplinkWith({}, '!'), /PayloadData must be base64/)
  refuses({ ...readExample('join-accepted'), LoRaWAN: null }, /LoRaWAN is missing/)
})
