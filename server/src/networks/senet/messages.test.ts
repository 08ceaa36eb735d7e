import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leavesOut, openExamples, refuserOf } from '../../../test/network-messages.ts'
import { readMessages as readAt } from './messages.ts'

type Json = Record<string, unknown>

const readExample = openExamples(new URL('./examples/', import.meta.url))

const readMessages = (body: unknown) => readAt(body, '2026-03-01T12:00:00.000000Z')

function readWith(changes: Json) {
  return readMessages({ ...readExample('uplink-with-duplicates'), ...changes })
}

function readUplink(changes: Json) {
  const [message] = readWith(changes)
  assert.equal(message?.kind, 'uplink')
  return message
}

const refuses = refuserOf(readMessages)

test('reads the published uplink with its RF data', () => {
  assert.deepEqual(readWith({}), [
    {
      kind: 'uplink',
      devEui: '008000000400069D',
      deduplicationKey: '008000000400069D:9:75',
      receivedAt: '2017-04-27T23:04:07.109000Z',
      fPort: 1,
      fCnt: 75,
      payload: Buffer.from('1503180000C8419A9969400000F7B7B501', 'hex'),
      receptions: [{ gatewayEui: '00250C0001000262', rssi: -25, snr: 10 }],
      frequency: 903_300_000,
      isPartial: true,
    },
  ])
})

test('reads the published uplink that acknowledges a downlink as both', () => {
  const [uplink, acknowledged, ...others] = readMessages(readExample('uplink-downlink-ack'))
  assert.deepEqual(others, [])
  assert.equal(uplink?.kind, 'uplink')
  assert.equal(uplink.fCnt, 1)
  assert.deepEqual(uplink.receptions, [{ gatewayEui: 'AAAAAAAAAAAAAAAA' }])
  assert.deepEqual(acknowledged, {
    kind: 'downlink',
    state: 'acknowledged',
    devEui: 'FFFFFFFFFFFFFFFF',
    queueItemId: '100000',
    deduplicationKey: 'ack:FFFFFFFFFFFFFFFF:100000',
    occurredAt: '2017-02-09T12:38:38.375000Z',
    details: {},
  })
})

test('gives the copies of a duplicated uplink one key, and those of two joins two', () => {
  const first = readUplink({})
  const copy = readUplink({ dup: true, gwEui: '00250C0001000263', snr: -3 })
  assert.equal(copy.deduplicationKey, first.deduplicationKey)
  assert.notEqual(readUplink({ joinId: 10 }).deduplicationKey, first.deduplicationKey)
})

test('tells the frames of two joins apart by their time where a join has no number', () => {
  for (const joinId of [undefined, null, 0]) {
    const first = readUplink({ joinId })
    const copy = readUplink({ joinId, dup: true, gwEui: '00250C0001000263' })
    const again = readUplink({ joinId, txtime: '2017-04-28T07:00:00.109Z' })
    assert.equal(copy.deduplicationKey, first.deduplicationKey)
    assert.notEqual(again.deduplicationKey, first.deduplicationKey)
  }
})

test('keeps nothing of a frame on port 0 but the acknowledgement in it', () => {
  assert.deepEqual(readWith({ port: 0, pdu: '' }), [{ kind: 'nothing' }])
  const [acknowledged, ...others] = readWith({ port: 0, ack: true, ackDnMsgId: 7 })
  assert.deepEqual(others, [])
  assert.equal(acknowledged?.kind === 'downlink' && acknowledged.queueItemId, '7')
})

test('takes no acknowledgement that names no downlink for one of ours', () => {
  assert.equal(readWith({ ack: true }).length, 1)
  assert.equal(readWith({ ack: false, ackDnMsgId: 7 }).length, 1)
})

test('takes numbers as strings, dashes in EUIs, and missing members', () => {
  const uplink = readUplink({
    devEui: '00-80-00-00-04-00-06-9d',
    seqno: '75',
    port: '2',
    joinId: undefined,
    pdu: undefined,
    freq: '868.1',
  })
  assert.equal(uplink.devEui, '008000000400069D')
  assert.deepEqual([uplink.fCnt, uplink.fPort, uplink.frequency], [75, 2, 868_100_000])
  assert.equal(uplink.payload.length, 0)
})

test('takes no signal that is null for one of 0', () => {
  const { receptions } = readUplink({ rssi: null, snr: null })
  assert.deepEqual(receptions, [{ gatewayEui: '00250C0001000262' }])
})

test('names the data rate where the band is given', () => {
  const rates = {
    US915: 'SF7BW125',
    EU868: 'SF9BW125',
    AU915: 'SF9BW125',
    MARS: undefined,
    constructor: undefined,
  }
  for (const [ismBand, expected] of Object.entries(rates)) {
    assert.equal(readUplink({ ismBand, datarate: 3 }).dataRate, expected)
    assert.equal(readUplink({ ismBand, datarate: '3' }).dataRate, expected)
  }
  assert.equal(readUplink({ ismBand: 'US915', datarate: 99 }).dataRate, undefined)
  assert.equal(readUplink({ ismBand: 'US915', datarate: {} }).dataRate, undefined)
})

test('refuses what is no message of Senet', () => {
  for (const body of [null, 'up', 7, [{}], undefined]) refuses(body, /JSON object/)
  refuses({}, /devEui/)
  const wrong: [Json, RegExp][] = [
    [{ devEui: '0080' }, /devEui/],
    [{ port: 256 }, /port/],
    [{ pdu: 'ABC' }, /pdu/],
    [{ pdu: 'XY' }, /pdu/],
  ]
  const body = readExample('uplink-with-duplicates')
  for (const [changes, reason] of wrong) refuses({ ...body, ...changes }, reason)
})

test('leaves out and notes every side value that cannot be used', () => {
  const side: [Json, string][] = [
    ...['gateway', '', null, undefined].map((gwEui): [Json, string] => [{ gwEui }, 'gwEui']),
    [{ txtime: undefined }, 'txtime'],
    [{ txtime: '2017-02-30T12:38:38.375Z' }, 'txtime'],
    [{ seqno: -1 }, 'seqno'],
    [{ seqno: undefined }, 'seqno'],
    [{ joinId: 'first' }, 'joinId'],
    ...['loud', '', null].map((rssi): [Json, string] => [{ rssi }, 'rssi']),
    [{ snr: '' }, 'snr'],
    [{ ack: 'yes' }, 'ack'],
    [{ freq: 'high' }, 'freq'],
    [{ datarate: 'DR3' }, 'datarate'],
  ]
  for (const [changes, member] of side) {
    const { payload } = leavesOut(member, () => readWith(changes))
    assert.equal(Buffer.from(payload).toString('hex'), '1503180000c8419a9969400000f7b7b501')
  }
})

test('keeps the signal of a gateway without an EUI', () => {
  const reception = (changes: Json) => readUplink(changes).receptions
  assert.deepEqual(reception({ gwEui: 'roof' }), [{ gatewayEui: 'roof', rssi: -25, snr: 10 }])
  assert.deepEqual(reception({ gwEui: '' }), [{ gatewayEui: '', rssi: -25, snr: 10 }])
})

test('tells frames apart by their time where one has no counter', () => {
  const [one, two] = ['2017-04-27T23:04:07Z', '2017-04-27T23:05:07Z'].map((txtime) =>
    readUplink({ seqno: '', txtime }),
  )
  assert.notEqual(one?.deduplicationKey, two?.deduplicationKey)
})
