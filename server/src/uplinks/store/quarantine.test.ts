import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import {
  connectChirpStack,
  makeOrganization,
  makeUp,
  post,
} from '../../../test/chirpstack-uplinks.ts'
import { asDistributed } from '../../../test/distributed.ts'
import { addLocalDevice } from '../../../test/fleet.ts'
import { type Login, startTestService } from '../../../test/service.ts'
import type { Database } from '../../db/connect.ts'
import type { Uplink } from '../../networks/network-message.ts'
import { quarantine as keepArrivals, keepInQuarantine } from './quarantine.ts'
import { removeStored } from './quarantine-queries.ts'

const service = await startTestService({ after })
const { services, owner } = service
const { db } = services

describe('a message in the quarantine', () => {
  let number = 0
  async function keep(changes: { message?: Buffer; detail?: string; key?: string }) {
    number += 1
    const { message = Buffer.from('short'), detail = '', key = `key ${number}` } = changes
    const one = { organization_id: 1, network_account_id: -1, reason: 'not_storable' as const }
    const kept = { ...one, device_eui: '', deduplication_key: key, uplink: undefined }
    await keepInQuarantine(db, [{ ...kept, detail, message }])
    const [row] = await db.query<{ message: Buffer; detail: string; key: string }>(
      `select message, detail, deduplication_key as key from quarantined_messages
       order by id desc limit 1`,
    )
    assert.ok(row)
    return row
  }

  test('that is long is cut between two characters', async () => {
    const whole = 8192
    for (const [character, length] of [
      ['x', whole],
      ['é', whole],
      ['é', whole - 1],
      ['😀', whole],
      ['😀', whole - 1],
      ['😀', whole - 2],
      ['😀', whole - 3],
    ] as const) {
      const start = 'x'.repeat(whole - length)
      const bytes = Buffer.byteLength(character)
      const text = start + character.repeat(whole)
      const { message } = await keep({ message: Buffer.from(text) })
      const fitting = Math.floor(length / bytes)
      assert.equal(message.toString(), start + character.repeat(fitting), `${character} ${length}`)
    }
  })

  test('that is no text loses three bytes more at most', async () => {
    const bytes = Buffer.alloc(10_000, 0x80)
    assert.equal((await keep({ message: bytes })).message.length, 8192 - 4)
    const fitting = Buffer.alloc(8192, 0x80)
    assert.deepEqual((await keep({ message: fitting })).message, fitting)
  })

  test('has a key of 500 bytes as it is, and the hash of a longer one', async () => {
    const longest = 'é'.repeat(250)
    assert.equal((await keep({ key: longest })).key, longest)
    assert.match((await keep({ key: `${longest}x` })).key, /^[0-9a-f]{64}$/)
  })

  test('has a detail that the database can store', async () => {
    assert.equal((await keep({ detail: `a\u0000b\ud800${'x'.repeat(600)}` })).detail.length, 499)
    assert.equal((await keep({ detail: 'It is none.' })).detail, 'It is none.')
  })

  const uplink: Uplink = {
    ...{ kind: 'uplink', devEui: '00AA000000000001', deduplicationKey: '' },
    ...{ receivedAt: '2026-03-01T11:00:00.000000Z', fPort: 1, fCnt: 1 },
    payload: Buffer.from('100301', 'hex'),
    receptions: Array.from({ length: 300 }, (_, index) => ({
      gatewayEui: index.toString(16).padStart(16, '0'),
      rssi: -80,
      snr: 5,
    })),
  }

  let frame = 0
  /** The text of the uplink that is kept. */
  async function write(changes: Partial<Uplink>) {
    frame += 1
    const account = { id: -1, organizationId: 1, tenantId: 1, network: 'invented', isVendor: false }
    const deduplicationKey = String(frame).padStart(9, '0')
    const one = { account, message: Buffer.from('short'), deadline: Infinity }
    const arrival = { ...one, uplink: { ...uplink, deduplicationKey, ...changes } }
    await keepArrivals(db, [arrival], 'unknown_device', '')
    const [row] = await db.query<{ uplink: string | null }>(
      'select uplink from quarantined_messages where deduplication_key = $1',
      [deduplicationKey],
    )
    assert.ok(row)
    return row.uplink
  }

  test('keeps the best of too many receptions', async () => {
    const { receptions } = uplink
    const text = (await write({})) ?? ''
    assert.ok(text.length <= 8192)
    assert.deepEqual(JSON.parse(text).receptions, receptions.slice(0, 150))
    const few = await write({ receptions: receptions.slice(0, 150) })
    assert.equal(few?.length, text.length)
  })

  test('has no uplink that is too long without receptions', async () => {
    const rest = 8192 - ((await write({ receptions: [], dataRate: '' }))?.length ?? 0)
    assert.equal((await write({ receptions: [], dataRate: 'x'.repeat(rest) }))?.length, 8192)
    assert.equal((await write({ dataRate: 'x'.repeat(rest) }))?.length, 8192)
    assert.equal(await write({ dataRate: 'x'.repeat(rest + 1) }), null)
  })
})

describe('a quarantined message goes once it is stored as an uplink', async () => {
  const callback = await connectChirpStack(service)
  const vendorCallback = await connectChirpStack(service, { registerMethod: 'vendor' })
  const other = await makeOrganization(service, 'other')
  const otherCallback = await connectChirpStack(service, { as: other })
  type Callback = typeof callback
  let number = 0

  /** An uplink that one account has sent, of a device that nobody had then. */
  async function quarantine(sender: Callback, changes: object = {}) {
    number += 1
    const eui = `00AA0000000001${String(number).padStart(2, '0')}`
    const up = makeUp({ eui, ...changes })
    assert.equal((await post(service, sender, up)).status, 200)
    const [kept] = await db.query<{ organization_id: number; id: number }>(
      'select organization_id, id from quarantined_messages where device_eui = $1',
      [eui],
    )
    assert.ok(kept)
    /** Registers the device, which sends the same again. */
    const store = async (by: Callback, as: Login, registration: object = {}, again = up) => {
      await addLocalDevice(service, eui, { ...registration }, as)
      assert.equal((await post(service, by, again)).status, 200)
      const { body } = await service.call('GET', `/v1/devices/${eui}/uplink`, { as })
      assert.equal(body.data.length, 1)
    }
    return { eui, up, kept, store, count: (place: Database) => removeStored(place, [kept]) }
  }
  const vendor = { registerMethod: 'vendor' }
  const spread = asDistributed(db)

  for (const [name, place] of [
    ['', db],
    [' (as on Citus)', spread],
  ] as const) {
    test(`of the device that its account names${name}`, async () => {
      const { kept, store, count } = await quarantine(callback)
      assert.equal(await count(place), 0)
      await store(callback, owner)
      assert.equal(await removeStored(place, [{ ...kept, organization_id: 2 }]), 0)
      assert.equal(await count(place), 1)
      assert.equal(await count(place), 0)
    })

    test(`not of a device of another organization${name}`, async () => {
      const { store, count } = await quarantine(callback)
      await store(otherCallback, other)
      assert.equal(await count(place), 0)
    })

    test(`not of another device with this key${name}`, async () => {
      const { up, count, eui } = await quarantine(callback)
      const beside = await quarantine(callback)
      const { deduplicationId } = up
      await addLocalDevice(service, eui)
      await beside.store(callback, owner, {}, { ...beside.up, deduplicationId })
      assert.equal(await count(place), 0)
    })

    test(`not of a device that is now at another network, or deleted${name}`, async () => {
      const { eui, store, count } = await quarantine(callback)
      await store(callback, owner)
      await db.query(`update devices set network = 'loriot' where eui = $1`, [eui])
      assert.equal(await count(place), 0)
      await db.query(`update devices set network = 'chirpstack' where eui = $1`, [eui])
      assert.equal((await service.call('DELETE', `/v1/devices/${eui}`)).status, 204)
      assert.equal(await count(place), 0)
    })

    test(`of a device that the account of the operator serves${name}`, async () => {
      const { up, store, count } = await quarantine(vendorCallback)
      const beside = await quarantine(vendorCallback)
      const { deduplicationId } = up
      await beside.store(vendorCallback, other, vendor, { ...beside.up, deduplicationId })
      assert.equal(await count(place), 0)
      await store(vendorCallback, other, vendor)
      assert.equal(await count(place), 1)
    })
  }

  test('not of a device with an account of its own, for that of the operator', async () => {
    const theirs = await quarantine(vendorCallback)
    await theirs.store(otherCallback, other)
    for (const place of [db, spread]) assert.equal(await theirs.count(place), 0)
    const ours = await quarantine(vendorCallback)
    await ours.store(callback, owner)
    for (const place of [db, spread]) assert.equal(await ours.count(place), 0)
  })

  test('not of a device that the operator serves, for another account', async () => {
    const { store, count } = await quarantine(callback)
    await store(vendorCallback, other, vendor)
    for (const place of [db, spread]) assert.equal(await count(place), 0)
  })

  test('not of an uplink with this key at another time', async () => {
    const at = (time: string) => ({ time, rxInfo: [] })
    const { up, store, count } = await quarantine(callback, at('2026-03-01T12:00:00+00:00'))
    await store(callback, owner, {}, { ...up, ...at('2026-03-01T10:00:00+00:00') })
    for (const place of [db, spread]) assert.equal(await count(place), 0)
  })
})
