import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fc } from '../../../test/properties.ts'
import { NotOurMessage } from '../network-message.ts'
import { readMessages } from './messages.ts'

const now = '2026-03-01T12:00:00.000000Z'
const directory = new URL('examples/', import.meta.url)

function example(name: string) {
  return JSON.parse(readFileSync(new URL(`${name}.json`, directory), 'utf8'))
}

const expected: Record<string, object> = {
  'multitech-up': {
    kind: 'uplink',
    devEui: '0080000000015834',
    deduplicationKey: 'multitech:12312312:27:2020-09-16T18:29:35.263610Z',
    receivedAt: '2020-09-16T18:29:35.263610Z',
    fPort: 1,
    fCnt: 27,
    payload: Buffer.from('message'),
    receptions: [{ gatewayEui: '00800000A0000F4D', rssi: -66, snr: 10 }],
    dataRate: 'SF8BW500',
    frequency: 904_600_000,
  },
  'multitech-joined': { kind: 'nothing' },
  'milesight-up': {
    kind: 'uplink',
    devEui: '24E124527F418093',
    deduplicationKey: 'milesight:84:2026-03-23T07:45:04.526398Z',
    receivedAt: '2026-03-23T07:45:04.526398Z',
    fPort: 85,
    fCnt: 84,
    payload: Buffer.from('DgPrCgDQBzxk', 'base64'),
    receptions: [{ gatewayEui: 'C0BA1FFFFE00733D', rssi: -57, snr: 12.2 }],
    dataRate: 'SF10BW125',
    frequency: 868_100_000,
  },
  'tektelic-up': {
    kind: 'uplink',
    devEui: '00AA000000000002',
    deduplicationKey: 'tektelic:1099:2238869356',
    receivedAt: now,
    isDatedHere: true,
    fPort: 10,
    fCnt: 1099,
    payload: Buffer.from([16, 3, 255]),
    receptions: [{ gatewayEui: '00BB000000000001', rssi: -46, snr: 11 }],
    dataRate: 'SF10BW125',
    frequency: 902_500_000,
  },
}

test('reads every example', () => {
  const names = readdirSync(directory).filter((name) => name.endsWith('.json'))
  assert.deepEqual(names.map((name) => name.slice(0, -5)).sort(), Object.keys(expected).sort())
  for (const [name, message] of Object.entries(expected)) {
    assert.deepEqual(readMessages(example(name), now), [message], name)
  }
})

test('reads a list of messages, of one kind or several, up to a hundred', () => {
  const [up, joined] = [example('multitech-up'), example('milesight-up')]
  assert.equal(readMessages([up, joined, up], now).length, 3)
  assert.deepEqual(readMessages([], now), [])
  assert.equal(readMessages(Array(100).fill(up), now).length, 100)
  assert.throws(() => readMessages(Array(101).fill(up), now), NotOurMessage)
})

test('a frame on port 0 is nothing to keep', () => {
  const tektelic = example('tektelic-up')
  tektelic.payloadMetaData.fport = 0
  const messages = [
    { ...example('multitech-up'), port: 0 },
    { ...example('milesight-up'), fPort: 0 },
    tektelic,
  ]
  for (const message of messages) {
    assert.deepEqual(readMessages(message, now), [{ kind: 'nothing' }])
  }
})

test('without a clock the time is that of its arrival, and a repetition is still one', () => {
  const { time: _, ...multitech } = example('multitech-up')
  for (const message of [multitech, { ...multitech, time: '' }]) {
    const [read] = readMessages(message, now)
    assert.ok(read?.kind === 'uplink')
    assert.deepEqual(
      [read.receivedAt, read.deduplicationKey],
      [now, 'multitech:12312312:27:2450008103'],
    )
  }
})

test('a frame without any time is one of its own each time, and none with a strength of 0', () => {
  const absent = { time: undefined, tmst: undefined, gatewayTime: undefined }
  const multitech = { ...example('multitech-up'), ...absent, rssi: undefined, lsnr: undefined }
  const milesight = { ...example('milesight-up'), ...absent }
  delete milesight.rxInfo[0].time
  const tektelic = example('tektelic-up')
  delete tektelic.payloadMetaData.gatewayMetaDataList[0].rxInfo.timestamp
  for (const message of [multitech, milesight, tektelic]) {
    const keys = [now, '2026-03-02T12:00:00.000000Z'].map((receivedAt) => {
      const [read] = readMessages(message, receivedAt)
      return read?.kind === 'uplink' && read.deduplicationKey
    })
    assert.notEqual(keys[0], keys[1])
  }
  const [read] = readMessages(multitech, now)
  assert.deepEqual(read?.kind === 'uplink' && read.receptions, [{ gatewayEui: '00800000A0000F4D' }])
})

test('a Tektelic frame may be base64, hexadecimal or a list of bytes, and nothing converted', () => {
  const message = example('tektelic-up')
  const bytes = Buffer.from([16, 3, 255])
  for (const payload of ['EAP/', { payload_hex: '1003ff' }, { bytes: [16, 3, -1] }]) {
    const [read] = readMessages({ ...message, payload }, now)
    assert.deepEqual(read?.kind === 'uplink' && Buffer.from(read.payload), bytes)
  }
  const converted = [{ temperature: 21 }, { bytes: [1, 300] }, { bytes: '1, 2' }, 7, '', null]
  for (const payload of converted) {
    assert.throws(() => readMessages({ ...message, payload }, now), /without a data converter/)
  }
})

test('knows a gateway by the names that LoRa Server has had for it', () => {
  const up = example('milesight-up')
  const [of1, of2, of3] = [
    { mac: 'b827ebfffe000001' },
    { gatewayID: 'b827ebfffe000001' },
    { name: 'roof' },
  ].map((names) => {
    const [read] = readMessages({ ...up, rxInfo: [{ ...names, rssi: -57, loRaSNR: 9 }] }, now)
    return read?.kind === 'uplink' && read.receptions
  })
  assert.deepEqual(of1, [{ gatewayEui: 'B827EBFFFE000001', rssi: -57, snr: 9 }])
  assert.deepEqual(of2, of1)
  assert.deepEqual(of3, [{ gatewayEui: 'roof', rssi: -57, snr: 9 }])
})

test('says what is wrong with a message that is none', () => {
  const milesight = example('milesight-up')
  const wrong: [unknown, RegExp][] = [
    [null, /JSON object/],
    ['up', /JSON object/],
    [[[]], /JSON object/],
    [{}, /no uplink of a MultiTech/],
    [{ ...example('multitech-up'), deveui: '00-80' }, /deveui must be an EUI/],
    [{ ...example('multitech-up'), data: '%' }, /data must be base64/],
    [{ ...milesight, devEUI: 'JOEkUn9BgJM=' }, /devEUI must be an EUI/],
    [{ ...milesight, fPort: 256 }, /fPort/],
  ]
  for (const [body, words] of wrong) {
    assert.throws(
      () => readMessages(body, now),
      (error) => error instanceof NotOurMessage && words.test(error.message),
    )
  }
})

test('whatever is posted is read, or refused as no message of ours', () => {
  const members = Object.keys(expected).map(example)
  const mutation = fc.tuple(fc.constantFrom(...members), fc.nat(), fc.jsonValue())
  fc.assert(
    fc.property(mutation, ([message, at, value]) => {
      const names = Object.keys(message)
      const changed = { ...message, [names[at % names.length] ?? '']: value }
      try {
        for (const { kind } of readMessages(changed, now)) assert.match(kind, /uplink|nothing/)
      } catch (error) {
        assert.ok(error instanceof NotOurMessage, String(error))
      }
    }),
    { numRuns: 500, seed: 7 },
  )
})
