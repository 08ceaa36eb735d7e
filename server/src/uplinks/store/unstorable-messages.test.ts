import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import {
  connectChirpStack,
  exampleEui,
  makeUp,
  post,
  readExample,
  readQuarantineOf,
} from '../../../test/chirpstack-uplinks.ts'
import { addLocalDevice } from '../../../test/fleet.ts'
import { startTestService } from '../../../test/service.ts'
import type { SendingAccount } from '../../features/accounts/connections/sending-account.ts'
import type { Uplink } from '../../networks/network-message.ts'
import { deadlineFromNow } from '../receive/receive-messages.ts'
import type { Arrival } from './arrival.ts'

const service = await startTestService({ after })
const { call, services } = service
const callback = await connectChirpStack(service)
const [account] = await services.db.query<{ id: number }>('select id from network_accounts')
const readQuarantine = () => readQuarantineOf(service, 1)

let devices = 0
async function makeDevice(): Promise<string> {
  devices += 1
  const eui = `00AA0000000000${devices.toString(16).padStart(2, '0')}`
  await addLocalDevice(service, eui)
  return eui
}

/** Uplinks of one device, as the network that they came from may have let them through. */
async function makeArrivals(count: number): Promise<{ eui: string; arrivals: Arrival[] }> {
  const sender: SendingAccount = {
    id: account?.id ?? 0,
    organizationId: 1,
    tenantId: 1,
    network: 'chirpstack',
    isVendor: false,
  }
  const eui = await makeDevice()
  const arrivals = Array.from({ length: count }, (_, index): Arrival => {
    const uplink: Uplink = {
      kind: 'uplink',
      devEui: eui,
      deduplicationKey: `key-${index}`,
      receivedAt: '2026-03-01T11:00:00.000000Z',
      fPort: 1,
      fCnt: index,
      payload: Buffer.from('100301', 'hex'),
      receptions: [{ gatewayEui: '0016C001F153A14C', rssi: -80, snr: 5 }],
    }
    const message = Buffer.from(`message ${index}`)
    return { account: sender, uplink, message, deadline: deadlineFromNow() }
  })
  return { eui, arrivals }
}

async function list(eui: string) {
  const { body } = await call('GET', `/v1/devices/${eui}/uplink`)
  assert.equal(body.meta.total, body.data.length)
  return body.data
}

describe('a row that the database refuses', () => {
  const poisons: Record<string, Partial<Uplink>> = {
    'NUL in a text': { dataRate: 'SF7\u0000' },
    'NUL in the key': { deduplicationKey: 'a\u0000b' },
    'half a surrogate pair in a text': { dataRate: '\ud800' },
    'half a surrogate pair in the key': { deduplicationKey: 'a\udc00' },
    'NUL deep inside': { receptions: [{ gatewayEui: '\u0000' }] },
    'a key that no index holds': { deduplicationKey: manyDigits(20_000) },
    'a counter that is no integer': { fCnt: 1.5 },
    'a port out of range': { fPort: 2 ** 40 },
    'no time': { receivedAt: 'noon' },
    'a time that does not exist': { receivedAt: '2026-02-31T00:00:00.000000Z' },
    'no EUI': { devEui: '\u0000' },
    'half a surrogate pair for an EUI': { devEui: '\udfff' },
  }

  for (const [what, poison] of Object.entries(poisons)) {
    test(`(${what}) is quarantined, and its neighbours are stored`, async () => {
      const before = (await readQuarantine()).length
      const { eui, arrivals } = await makeArrivals(9)
      for (const index of [2, 7]) {
        const arrival = arrivals[index]
        if (arrival) Object.assign(arrival.uplink, poison)
      }
      const store = () => Promise.all(arrivals.map((arrival) => services.ingest.store(arrival)))
      await store()
      await store()
      assert.equal((await list(eui)).length, 7)
      // Two messages with one key are one message.
      const kept =
        poison.deduplicationKey === undefined ? ['message 2', 'message 7'] : ['message 2']
      const messages = (await readQuarantine()).slice(before).map(({ message }) => message)
      assert.deepEqual(messages, kept)
    })
  }

  test('fails a batch, while the next has begun, and leaves no gap', async () => {
    const before = (await readQuarantine()).length
    const { eui, arrivals } = await makeArrivals(120)
    const isPoisoned = (at: number) => at % 11 === 5
    for (const [at, { uplink }] of arrivals.entries()) {
      if (isPoisoned(at)) uplink.dataRate = '\u0000'
    }
    const senders = Array.from({ length: 40 }, (_, sender) =>
      arrivals.filter((_, at) => at % 40 === sender),
    )
    const store = async (own: readonly Arrival[]) => {
      for (const arrival of own) await services.ingest.store(arrival)
    }
    await Promise.all(senders.map(store))
    const poisoned = arrivals.filter((_, at) => isPoisoned(at)).length
    assert.equal((await readQuarantine()).length, before + poisoned)
    const [rows] = await services.db.query(
      `select count(*) as uplinks, count(distinct deduplication_key) as keys,
         max(device_ordinal) as last, max(device_states.uplink_count) as counted
       from uplinks
       join devices on devices.organization_id = uplinks.organization_id
         and devices.id = uplinks.device_id
       join device_states on device_states.organization_id = devices.organization_id
         and device_states.device_id = devices.id
       where devices.eui = upper($1)`,
      [eui],
    )
    const stored = arrivals.length - poisoned
    assert.deepEqual(rows, { uplinks: stored, keys: stored, last: stored, counted: stored })
    const [all] = await services.db.query(
      'select count(*) = max(ordinal) and count(*) = count(distinct ordinal) as "isDense" from uplinks',
    )
    assert.deepEqual(all, { isDense: true })
  })

  test('is told apart from the others in the quarantine', async () => {
    const before = (await readQuarantine()).length
    const { arrivals } = await makeArrivals(4)
    const keys = ['a\u0000b', 'a\u0001b\u0000', 'ab\u0000', '\ud800']
    for (const [index, arrival] of arrivals.entries()) {
      arrival.uplink.deduplicationKey = keys[index] ?? ''
    }
    await Promise.all(arrivals.map((arrival) => services.ingest.store(arrival)))
    assert.equal((await readQuarantine()).length, before + 4)
  })

  test('is not one for a strength or frequency with a fraction', async () => {
    const { eui, arrivals } = await makeArrivals(1)
    const [arrival] = arrivals
    assert(arrival)
    Object.assign(arrival.uplink, { frequency: 868_099_999.9999999 })
    arrival.uplink.receptions = [{ gatewayEui: '0016C001F153A14C', rssi: -80.6, snr: 5.25 }]
    await services.ingest.store(arrival)
    const [uplink] = await list(eui)
    assert.equal(uplink.rssi, -81)
    assert.equal(uplink.snr, 5.25)
    assert.equal(uplink.additional_data.frequency, 868_100_000)
  })
})

describe('an event that the database refuses', () => {
  test('is quarantined, and answered like every other', async () => {
    await addLocalDevice(service, exampleEui)
    const log = { ...readExample('log'), deviceInfo: { devEui: exampleEui } }
    const bodies = [
      JSON.stringify({ ...log, context: { more: 'a\u0000b' } }),
      JSON.stringify({ ...log, code: 'HALF', context: { more: '\ud800' } }),
    ]
    for (const body of bodies) {
      const before = (await readQuarantine()).length
      for (const _ of [1, 2]) {
        const { status, text } = await post(service, callback, body, { event: 'log' })
        assert.equal(status, 200, text)
      }
      const [kept, ...others] = (await readQuarantine()).slice(before)
      assert.equal(kept?.reason, 'not_storable')
      assert.equal(kept?.message, body)
      assert.deepEqual(others, [])
    }
  })

  test('(one with such a character in a text is stored, the character replaced)', async () => {
    const log = { ...readExample('log'), deviceInfo: { devEui: exampleEui } }
    const before = (await readQuarantine()).length
    const body = { ...log, code: '\ud800', description: 'a\u0000b' }
    assert.equal((await post(service, callback, body, { event: 'log' })).status, 200)
    assert.equal((await readQuarantine()).length, before)
    const [event] = await services.db.query<{ details: Record<string, unknown> }>(
      'select details from network_events order by id desc limit 1',
    )
    const { code, description } = event?.details ?? {}
    assert.deepEqual([code, description], ['\ufffd', 'a\ufffdb'])
  })

  test('(an uplink nested deeper than any body may be is 400)', async () => {
    const eui = await makeDevice()
    for (const [depth, status] of [
      [63, 200],
      [64, 400],
    ] as const) {
      const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`
      const body = JSON.stringify(makeUp({ eui, object: '?' })).replace('"?"', nested)
      assert.equal((await post(service, callback, body)).status, status)
    }
    assert.equal((await list(eui)).length, 1)
  })
})

/** Text that compression does not shorten. */
function manyDigits(length: number): string {
  let state = 1
  return Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647
    return (state % 36).toString(36)
  }).join('')
}
