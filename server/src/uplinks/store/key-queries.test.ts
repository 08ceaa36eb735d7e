import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  connectChirpStack,
  makeOrganization,
  makeUp,
  post,
} from '../../../test/chirpstack-uplinks.ts'
import { addLocalDevice, euiOf } from '../../../test/fleet.ts'
import { startTestService } from '../../../test/service.ts'
import type { Uplink } from '../../networks/network-message.ts'
import { findFirstKey, findStored, uplinkKeyOf } from './key-queries.ts'

const service = await startTestService({ after })
const { db } = service.services
const callback = await connectChirpStack(service)
const deviceId = Number(await addLocalDevice(service, 1))
const up = makeUp({ eui: euiOf(1), time: '2026-03-01T12:59:59.9Z' })
await post(service, callback, up)

const device = { id: deviceId, organization_id: 1 }
const key = { deduplicationKey: up.deduplicationId, receivedAt: '2026-03-01T12:59:59.900000Z' }

async function isFound(
  change: Partial<Pick<Uplink, keyof typeof key | 'isDatedHere'>>,
  of = device,
): Promise<boolean> {
  const stored = await findStored(db, [uplinkKeyOf(of, { ...key, ...change } as Uplink)])
  return stored.has(`${of.id} ${key.deduplicationKey}`)
}

test('a repeat is found by device and key', async () => {
  assert.equal(await isFound({}), true)
  assert.equal(await isFound({}, { ...device, id: deviceId + 1 }), false)
  assert.equal(await isFound({}, { ...device, organization_id: 2 }), false)
  assert.equal(await isFound({ deduplicationKey: `${up.deduplicationId}0` }), false)
})

test('a key with the hash of another one is another uplink', async () => {
  const [alike] = await db.query<{ keys: string[] }>(
    `select array_agg(key) as keys
     from (select '10000000-0000-4000-8000-' || lpad(n::text, 12, '0') as key
       from generate_series(1, 20000) as n) as made
     group by hashtext(key) & 16777215 having count(*) > 1 order by 1 limit 1`,
  )
  const [one, other] = alike?.keys ?? []
  await post(service, callback, { ...up, deduplicationId: one })
  await post(service, callback, { ...up, deduplicationId: other })
  const { body } = await service.call('GET', `/v1/devices/${euiOf(1)}/uplink`)
  assert.equal(body.meta.total, 3)
})

test('a repeat is found when another gateway tells a time up to half an hour away', async () => {
  const times = ['12:29:59.900000', '12:30:00.000000', '13:00:00.000000', '13:29:59.900000']
  for (const time of times) {
    assert.equal(await isFound({ receivedAt: `2026-03-01T${time}Z` }), true, time)
  }
})

test('a repeat that was dated when it came is found for a week', async () => {
  const week = { receivedAt: '2026-03-08T12:59:59.000000Z', isDatedHere: true } as const
  assert.equal(await isFound(week), true)
  assert.equal(await isFound({ ...week, receivedAt: '2026-03-08T14:00:00.000000Z' }), false)
})

test('a message without a time has the key of its copy within ten minutes, of the same device', async () => {
  const other = await makeOrganization(service, 'other')
  const vendorCallback = await connectChirpStack(service, { registerMethod: 'vendor' })
  await addLocalDevice(service, 1, {}, other)
  await addLocalDevice(service, 2)
  for (const number of [3, 4]) {
    await addLocalDevice(service, number, { registerMethod: 'vendor' }, other)
  }
  const keyAt = (time: string, stem = 'stem:') => `${stem}2026-03-02T${time}.000000Z`
  const copy = { time: '2026-03-02T10:00:00Z', deduplicationId: keyAt('10:00:00') }
  for (const [number, from] of [
    [1, callback],
    [3, vendorCallback],
  ] as const) {
    const { status } = await post(service, from, makeUp({ eui: euiOf(number), ...copy }))
    assert.equal(status, 200)
  }
  const has = async (
    number: number,
    {
      time = '10:05:00',
      stem = 'stem:',
      ...sender
    }: Record<string, string | number | boolean> = {},
  ) => {
    const account = { organizationId: 1, isVendor: false, network: 'chirpstack', ...sender }
    const receivedAt = keyAt(String(time), '')
    const uplink = { devEui: euiOf(number), receivedAt, deduplicationKey: `${stem}${receivedAt}` }
    return (await findFirstKey(db, account as never, uplink as Uplink)) === copy.deduplicationId
  }
  assert.equal(await has(1), true)
  assert.equal(await has(1, { time: '10:10:00' }), true)
  for (const time of ['10:10:01', '09:59:59']) assert.equal(await has(1, { time }), false, time)
  assert.equal(await has(1, { stem: 'other:' }), false)
  assert.equal(await has(1, { organizationId: other.organizationId }), false)
  assert.equal(await has(2), false)
  const vendor = { isVendor: true }
  assert.deepEqual([await has(3, vendor), await has(4, vendor)], [true, false])
  assert.equal(await has(3, { ...vendor, network: 'loriot' }), false)
  assert.equal(await has(1, vendor), false)
  // While a device moves, the account that it moves to speaks for it too.
  const move = (method: string, network: string) =>
    db.query('update devices set other_method = $1, other_network = $2', [method, network])
  await move('vendor', 'loriot')
  for (const [number, expected] of [
    [1, true],
    [2, false],
    [3, true],
  ] as const) {
    assert.equal(await has(number, { ...vendor, network: 'loriot' }), expected)
  }
  assert.equal(await has(1, { ...vendor, network: 'senet' }), false)
  await move('user_account', 'loriot')
  assert.equal(await has(1, { ...vendor, network: 'loriot' }), false)
})
