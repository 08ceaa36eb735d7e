import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkMutations, readExamples, requestOf } from '../../../test/network-messages.ts'
import { NotOurMessage } from '../network-message.ts'
import { readMessages } from './messages.ts'

const examples = readExamples(new URL('./examples/', import.meta.url))
const [uplink = {}] = Object.values(examples.get('uplink') ?? {}) as Record<string, unknown>[]
const status = examples.get('downlink-status') ?? {}
const read = (body: unknown) => readMessages(requestOf(body))

test('reads the published uplink, with numbers in texts', () => {
  assert.deepEqual(read(examples.get('uplink')), [
    {
      kind: 'uplink',
      devEui: '70B3D57ED0001234',
      deduplicationKey: '70B3D57ED0001234:15800:2026-09-04T08:00:08.599602Z',
      receivedAt: '2026-09-04T08:00:08.599602Z',
      fPort: 2,
      fCnt: 15800,
      payload: Buffer.from('f21c0000', 'hex'),
      receptions: [
        { gatewayEui: '7276FF0039040879', rssi: -73, snr: 9.8 },
        { gatewayEui: '647FDAFFFE016C40', rssi: -47, snr: 9.5 },
      ],
      dataRate: 'SF7',
      frequency: 868_300_000,
    },
  ])
})

test('reads a report about a downlink, and no more of one that is only queued', () => {
  const [sent] = read(status)
  assert.ok(sent?.kind === 'downlink')
  assert.deepEqual(
    [sent.state, sent.devEui, sent.queueItemId],
    ['sent', '70B3D57ED0001234', undefined],
  )
  const failure = { ...status, deliveryStatus: 'ERROR_SENDING', errorDescription: 'No gateway' }
  const [failed] = read([failure])
  assert.ok(failed?.kind === 'downlink')
  assert.deepEqual([failed.state, failed.reason], ['failed', 'No gateway'])
  assert.deepEqual(read({ ...status, deliveryStatus: 'QUEUED' }), [{ kind: 'nothing' }])
})

test('keeps nothing of port 0, and the signal of a gateway that has no EUI', () => {
  assert.deepEqual(read([{ ...uplink, fPort: '0' }]), [{ kind: 'nothing' }])
  const [message] = read([{ ...uplink, gateways: [{ gatewayIdentifier: '506', snr: '1' }] }])
  assert.ok(message?.kind === 'uplink')
  assert.deepEqual(message.receptions, [{ gatewayEui: '506', snr: 1 }])
})

test('reads the signal of the flat form, which lists no gateways', () => {
  const { gateways: _, ...flat } = uplink
  const [message] = read([flat])
  assert.ok(message?.kind === 'uplink')
  assert.deepEqual(message.receptions, [{ gatewayEui: '506', rssi: -73, snr: 9.8 }])
})

test('says that a decoded export is of no use', () => {
  const { payload: _payload, ...decoded } = uplink
  assert.throws(
    () => read([{ ...decoded, data: {} }]),
    (error) => error instanceof NotOurMessage && /not decoded/.test(error.message),
  )
  for (const body of ['x', [1], null, Array.from({ length: 101 }, () => uplink)]) {
    assert.throws(() => read(body), NotOurMessage)
  }
})

test('reads anything made from its messages to messages or a NotOurMessage', () => {
  checkMutations([...examples.values()], readMessages)
})
