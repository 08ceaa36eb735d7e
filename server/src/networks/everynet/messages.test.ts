import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkMutations, readExamples, requestOf } from '../../../test/network-messages.ts'
import { NotOurMessage } from '../network-message.ts'
import { readMessages } from './messages.ts'

type Json = Record<string, unknown>

const examples = readExamples(new URL('./examples/', import.meta.url))

function exampleOf(name: string): { meta: Json; params: Json } {
  const example = examples.get(name)
  assert.ok(example, name)
  return example as { meta: Json; params: Json }
}

function read(name: string, changes: { meta?: Json; params?: Json } = {}) {
  const { meta, params, ...rest } = exampleOf(name)
  const body = {
    ...rest,
    meta: { ...meta, ...changes.meta },
    params: { ...params, ...changes.params },
  }
  return readMessages(requestOf(body))
}

test('reads a recorded uplink', () => {
  assert.deepEqual(read('uplink'), [
    {
      kind: 'uplink',
      devEui: '000516800011ABF6',
      deduplicationKey: '2d12d09d48669879a40f9779f12324a4',
      receivedAt: '2022-11-29T10:48:47.862000Z',
      fPort: 1,
      fCnt: 6,
      payload: Buffer.from('{"T":20.8,"U":93.4,"C":10}'),
      receptions: [
        {
          gatewayEui: 'B0FD0B7002640000',
          rssi: -97,
          snr: -9.8,
          latitude: -25.468379974365234,
          longitude: -49.30628967285156,
        },
      ],
      dataRate: 'SF12BW125',
      frequency: 915_800_000,
      isPartial: true,
    },
  ])
})

test('gives the duplicates of an uplink one key', () => {
  const [first] = read('uplink')
  const [second] = read('uplink', {
    meta: { gateway: 'b0fd0b7002700000', time: 1669718928.1 },
    params: { duplicate: true },
  })
  assert.ok(first?.kind === 'uplink' && second?.kind === 'uplink')
  assert.equal(second.deduplicationKey, first.deduplicationKey)
  assert.equal(second.receptions[0]?.gatewayEui, 'B0FD0B7002700000')
})

test('reads an uplink without its radio part, and numbers that come as texts', () => {
  const [plain] = read('uplink', { params: { radio: undefined, lora: undefined } })
  assert.ok(plain?.kind === 'uplink')
  assert.deepEqual(plain.receptions, [{ gatewayEui: 'B0FD0B7002640000' }])
  assert.deepEqual([plain.dataRate, plain.frequency], [undefined, undefined])
  const texts = read('uplink', {
    meta: { time: '1669718927.862' },
    params: { port: '1', counter_up: '6' },
  })
  assert.deepEqual(texts, read('uplink'))
})

test('keeps nothing of port 0, and reads the acknowledgement in an uplink', () => {
  assert.deepEqual(read('uplink', { params: { port: 0 } }), [{ kind: 'nothing' }])
  assert.deepEqual(read('uplink', { params: { port: undefined } }), [{ kind: 'nothing' }])
  const lora = { header: { ack: true } }
  const both = read('uplink', { params: { lora } })
  assert.deepEqual(
    both.map(({ kind }) => kind),
    ['uplink', 'downlink'],
  )
  const [alone, ...others] = read('uplink', { params: { lora, port: 0 } })
  assert.ok(alone?.kind === 'downlink')
  assert.deepEqual([alone.state, others], ['acknowledged', []])
})

test('says so when Everynet cannot decrypt a payload', () => {
  const [message] = read('uplink', { params: { payload: undefined } })
  assert.ok(message?.kind === 'log')
  assert.equal(message.details.code, 'ENCRYPTED')
})

test('reads the published request for a downlink and answers as published', () => {
  const [request, ...others] = read('downlink-request')
  assert.ok(request?.kind === 'downlink_request')
  assert.deepEqual(
    [request.devEui, request.queueItemId, request.maximumLength, others],
    ['C20BA71A9AFFAFC6', 'cf59f7bf410a9eb23383f41342c3c7fe', 51, []],
  )
  const downlink = { fPort: 1, payload: Buffer.from([1, 2]), confirmed: false }
  assert.deepEqual(request.answer(downlink, false), examples.get('downlink-response'))
  const { params } = request.answer(downlink, true) as { params: Json }
  assert.equal(params.pending, true)
})

test('tells downlinks from MAC commands by their port', () => {
  assert.deepEqual(read('downlink-sent'), [{ kind: 'nothing' }])
  assert.deepEqual(read('downlink-sent', { params: { port: 2 } }), [
    {
      kind: 'downlink',
      state: 'sent',
      devEui: '000516800011ABF6',
      queueItemId: 'ea834f866877e0c159d3221d6713adb4',
      gatewayEui: 'B0FD0B7002640000',
      deduplicationKey: 'downlink:ea834f866877e0c159d3221d6713adb4:2',
      occurredAt: '2022-11-29T10:48:19.733000Z',
      details: { fCntDown: 2 },
    },
  ])
})

test('keeps nothing of an error about the connection', () => {
  assert.deepEqual(read('error'), [{ kind: 'nothing' }])
})

test('takes problems with a downlink for its end, and keeps the others', () => {
  const about = (type: string, message: string) => {
    const { meta } = exampleOf('downlink-request')
    const [read] = readMessages(requestOf({ type, meta, params: { message } }))
    return read
  }
  const late =
    'Requesting downlink message failed: application request timeout. Please check application availability.'
  const failed = about('warning', late)
  assert.ok(failed?.kind === 'downlink')
  assert.deepEqual(
    [failed.state, failed.reason, failed.queueItemId],
    ['failed', late, 'cf59f7bf410a9eb23383f41342c3c7fe'],
  )
  const others = [
    ['warning', 'Downlink message with empty payload sent to device c20ba71a9affafc6'],
    ['warning', 'Uplink message with repeated counter received'],
    ['error', 'Join request rejected. The same DEV_NONCE was processed before.'],
  ] as const
  for (const [type, message] of others) assert.equal(about(type, message)?.kind, 'log', message)
})

test('reads a join out of the info about it, and nothing out of other infos', () => {
  const { meta } = exampleOf('downlink-request')
  const info = (message: string) =>
    readMessages(requestOf({ type: 'info', meta, params: { message } }))
  const [join] = info('Join request accepted')
  assert.ok(join?.kind === 'join')
  assert.deepEqual(join.details, { devAddr: 'f22eef89' })
  assert.deepEqual(info('Data message received and processed'), [{ kind: 'nothing' }])
})

test('reads the status of a device', () => {
  const { meta } = exampleOf('downlink-request')
  const status = (battery: unknown) => {
    const [read] = readMessages(requestOf({ type: 'status', meta, params: { battery, snr: 20.0 } }))
    assert.ok(read?.kind === 'status')
    return read.details
  }
  assert.deepEqual(status(254), { margin: 20, externalPowerSource: false, batteryLevel: 100 })
  assert.deepEqual(status(0), { margin: 20, externalPowerSource: true })
  assert.deepEqual(status(255), { margin: 20, externalPowerSource: false })
})

test('refuses what is no message of Everynet', () => {
  const uplink = exampleOf('uplink')
  const bodies = [
    null,
    [],
    {},
    { type: 'up' },
    { type: 'uplink' },
    { ...uplink, meta: { ...uplink.meta, device: 'x' } },
    { ...uplink, params: undefined },
    { ...uplink, params: { ...uplink.params, payload: '*' } },
    { ...uplink, params: { ...uplink.params, port: 256 } },
    exampleOf('downlink-response'),
    exampleOf('downlink-claim'),
  ]
  for (const body of bodies) {
    assert.throws(() => readMessages(requestOf(body)), NotOurMessage, JSON.stringify(body))
  }
})

test('reads anything made from its messages to messages or a NotOurMessage', () => {
  assert.equal(examples.size, 6)
  checkMutations([...examples.values()], readMessages)
})
