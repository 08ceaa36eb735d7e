import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { connectChirpStack, makeUp, post } from '../../../test/chirpstack-uplinks.ts'
import { secondsAfter } from '../../../test/citus.ts'
import { addLocalDevice, euiOf } from '../../../test/fleet.ts'
import { openStream } from '../../../test/live-stream.ts'
import { foundOrganization } from '../../../test/members.ts'
import { type Login, startListening } from '../../../test/service.ts'
import { createHourCounts } from '../../features/insight/overview/uplink-hours.ts'
import { removeOldUplinks } from './retention.ts'
import { deleteOldest, deleteUplinks, listDue } from './retention-queries.ts'

const service = await startListening({ after }, { streamCheckInterval: 50 })
const { db } = service.services
const callback = await connectChirpStack(service)
const setting = '/v1/organization/retention'

interface Sent {
  id: number
  ordinal: number
  did: number
  device_id: string
}

async function get(path: string) {
  const answer = await service.call('GET', `/v1${path}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

/** Uplink number `n` of `total` is `total - n` days old. Device 3 has only early ones. */
const total = 60
const devices = new Map<number, number>()
for (const number of [1, 2, 3]) devices.set(number, await addLocalDevice(service, number))
const deviceOf = (number: number) =>
  number % 5 === 0 ? 2 : number < 20 && number % 3 === 0 ? 3 : 1
const air = '100d0017703d80'
const day = 24 * 60 * 60 * 1000
const daysAgo = (days: number) => new Date(Date.now() - days * day).toISOString()
const messages = Array.from({ length: total }, (_, at) =>
  makeUp({ eui: euiOf(deviceOf(at + 1)), hex: air, fCnt: at, time: daysAgo(total - at - 1) }),
)
for (const message of messages) {
  assert.equal((await post(service, callback, message)).status, 200)
}
/** Another organization, with three uplinks of these ordinals. */
async function foundTwin(number: number): Promise<Login> {
  const as = await foundOrganization(service, `twin${number}@example.test`)
  await addLocalDevice(service, number, {}, as)
  const twinCallback = await connectChirpStack(service, { as })
  for (let fCnt = 0; fCnt < 3; fCnt += 1)
    await post(service, twinCallback, makeUp({ eui: euiOf(number), fCnt }))
  return as
}

async function countOf(as: Login): Promise<number> {
  const { body } = await service.call('GET', '/v1/fleet/uplinks', { as })
  assert.equal(body.total, body.data.length)
  return body.total
}

/** Its uplinks stay young. */
const other = await foundTwin(4)

const stream = await openStream(service)
const endOfStream = stream.lastId() ?? ''
await stream.close()
await db.query(
  `update uplinks set received_at = ${secondsAfter('now()', '(ordinal - $1) * 86400')}
   where organization_id = 1`,
  [total],
)
const everything: Sent[] = (await get('/fleet/uplinks?limit=1000')).data
const lines = (await exportLines('/devices/all/uplink', 'POST')).slice(1)
const hours = createHourCounts()

async function exportLines(path: string, method: 'GET' | 'POST'): Promise<string[]> {
  const answer = await service.call(method, `/v1${path}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.text.split(/\r?\n/).filter((line) => line !== '')
}

/** Reads all pages of a list of the contract, and checks what each says of the whole. */
async function readPages(path: string, expected: number): Promise<number[]> {
  const ids: number[] = []
  for (let page = 1; ; page += 1) {
    const { data, meta } = await get(`${path}?page=${page}&itemsPerPage=7`)
    assert.deepEqual([meta.total, meta.last_page], [expected, Math.max(1, Math.ceil(expected / 7))])
    ids.push(...data.map(({ id }: Sent) => id))
    if (page > meta.last_page) {
      assert.deepEqual(data, [])
      return ids
    }
  }
}

/** Walks a list of the fleet by its cursors. */
async function walk(query: string, expected: number | null): Promise<number[]> {
  const ids: number[] = []
  for (let next = ''; ; ) {
    const {
      data,
      total: stated,
      after: cursor,
    } = await get(`/fleet/uplinks?limit=6${query}${next}`)
    assert.equal(stated, expected)
    ids.push(...data.map(({ id }: Sent) => id))
    if (cursor === null) return ids
    next = `&after=${cursor}`
  }
}

const idsOf = (sent: readonly Sent[]) => sent.map(({ id }) => id)

async function checkAll(kept: readonly Sent[]): Promise<void> {
  assert.deepEqual(await readPages('/devices/all/uplink', kept.length), idsOf(kept))
  assert.deepEqual(await walk('', kept.length), idsOf(kept))
  assert.deepEqual(await walk('&event_type=AIR_TEMP_HUMIDITY_SENSOR', null), idsOf(kept))
  const stored = await exportLines('/devices/all/uplink', 'POST')
  assert.deepEqual(stored.slice(1), lines.slice(0, kept.length))
  const found = await exportLines('/fleet/uplinks/lines', 'GET')
  assert.deepEqual(idsOf(found.map((line) => JSON.parse(line))), idsOf(kept))
  const { uplinks } = (await get('/fleet/summary')).data
  assert.equal(uplinks.total, kept.length)
  const counted = await hours(db, 1, new Date(Date.now() + 1000))
  const week = kept.filter(({ ordinal }) => ordinal > total - 7).length
  const inHours = counted.hours.reduce((sum, { count }) => sum + count, 0)
  assert.ok(Math.abs(inHours - week) <= (kept.length > 7 ? 1 : 0), `${inHours} in hours, ${week}`)
  for (const [number, did] of devices) await checkDevice(number, did, kept)
}

async function checkDevice(number: number, did: number, all: readonly Sent[]): Promise<void> {
  const kept = all.filter((sent) => sent.did === did)
  const path = `/devices/${euiOf(number)}`
  assert.deepEqual(await readPages(`${path}/uplink`, kept.length), idsOf(kept))
  assert.deepEqual(await walk(`&device=${did}`, kept.length), idsOf(kept))
  const { data } = await get(`/fleet/devices?search=${euiOf(number)}`)
  assert.equal(data[0].uplink_count, kept.length)
  const { first_uplink } = (await get(`/fleet/devices/${did}/arrival`)).data
  assert.equal(first_uplink === null, kept.length === 0)
  const to = new Date(Date.now() + 60_000).toISOString()
  const from = new Date(Date.now() - 70 * 86_400_000).toISOString()
  const { data: measured } = await get(`${path}/measurements?from=${from}&to=${to}&points=1`)
  const counts = measured.map((one: { points: { count: number }[] }) => one.points[0]?.count)
  assert.deepEqual(counts, kept.length === 0 ? [] : [kept.length, kept.length])
  const radio = await get(`${path}/radio?since=${from}&until=${to}`)
  assert.equal(radio.data.received, kept.length)
  for (const { id, did: owner } of everything.filter((_, at) => at % 6 === 0)) {
    const answer = await service.call('GET', `/v1${path}/uplinks/${id}/frame`)
    const isThere = owner === did && kept.some((sent) => sent.id === id)
    assert.equal(answer.status, isThere ? 200 : 404)
  }
}

async function keep(days: number | null): Promise<void> {
  const answer = await service.call('PATCH', setting, { body: { uplink_days: days } })
  assert.deepEqual([answer.status, answer.body.data], [200, { uplink_days: days }])
  assert.deepEqual((await get('/organization/retention')).data, { uplink_days: days })
}

test('keeps uplinks for ever by default', async () => {
  assert.deepEqual((await get('/organization/retention')).data, { uplink_days: null })
  await removeOldUplinks(db)
  await checkAll(everything)
})

test('keeps every list, total, page, export and cursor exact while old uplinks go', async () => {
  for (const [days, size] of [
    [59, 4],
    [50, 1],
    [41, 4],
    [23, 4],
    [7, 4],
  ] as const) {
    await keep(days)
    await removeOldUplinks(db, { size, time: 60_000 })
    await checkAll(everything.filter(({ ordinal }) => ordinal > total - days))
  }
  assert.equal(await countOf(other), 3)
  await keep(null)
  await removeOldUplinks(db)
  await checkAll(everything.slice(0, 7))
})

test('a cursor of a deleted uplink is at the end', async () => {
  assert.deepEqual(await get('/fleet/uplinks?after=o5'), {
    ...{ data: [], total: 7, after: null, scanned_to: null },
  })
})

test('tells a reader that what it missed is deleted', async () => {
  const at = (ordinal: number) => endOfStream.replace(`1.${total}.`, `1.${ordinal}.`)
  const missed = await openStream(service, { lastId: at(20) })
  assert.deepEqual(missed.of('reset'), [{ reason: 'gap' }])
  await missed.close()
  const caughtUp = await openStream(service, { lastId: at(total - 7) })
  assert.deepEqual(
    caughtUp.of('uplink').map(({ ordinal }: Sent) => ordinal),
    [54, 55, 56, 57, 58, 59, 60],
  )
  await caughtUp.close()
})

test('a repeat of what is kept is not stored twice, and new uplinks go on counting', async () => {
  for (const message of messages.slice(-7)) await post(service, callback, message)
  await checkAll(everything.slice(0, 7))
  await post(service, callback, makeUp({ eui: euiOf(3), hex: air }))
  const { data, total: stated } = await get('/fleet/uplinks?limit=1')
  assert.deepEqual([data[0].ordinal, stated], [total + 1, 8])
  const { meta } = await get(`/devices/${euiOf(3)}/uplink`)
  assert.equal(meta.total, 1)
})

test('leaves the uplinks that are left without gaps while others arrive', async () => {
  await db.query(`update uplinks set received_at = now() - interval '8 days'`)
  await keep(7)
  const arriving = Array.from({ length: 40 }, (_, at) => makeUp({ eui: euiOf(1 + (at % 3)) }))
  await Promise.all([
    removeOldUplinks(db, { size: 2, time: 60_000 }),
    removeOldUplinks(db, { size: 3, time: 60_000 }),
    ...arriving.map((message) => post(service, callback, message)),
  ])
  const { data, total: stated } = await get('/fleet/uplinks?limit=1000')
  const expected = Array.from({ length: 40 }, (_, at) => total + 41 - at)
  assert.deepEqual([stated, data.map(({ ordinal }: Sent) => ordinal)], [40, expected])
  for (const eui of [1, 2, 3].map(euiOf)) {
    const { data: own } = await get(`/devices/${eui}/uplink?itemsPerPage=100`)
    assert.equal(own.length, (await get(`/devices/${eui}/uplink`)).meta.total)
  }
})

test('deletes the uplinks of one organization only, and stops in time', async () => {
  const as = other
  assert.deepEqual((await service.call('GET', setting, { as })).body.data, { uplink_days: null })
  await service.call('PATCH', setting, { as, body: { uplink_days: 7 } })
  await keep(null)
  await db.query(`update uplinks set received_at = now() - interval '8 days'`)
  assert.deepEqual(await listDue(db), [{ id: as.organizationId, uplink_retention_days: 7 }])
  await removeOldUplinks(db)
  assert.equal((await get('/devices/all/uplink')).meta.total, 40)
  assert.equal(await countOf(other), 0)
  await keep(7)
  const young = await foundTwin(8)
  assert.deepEqual(await listDue(db), [{ id: 1, uplink_retention_days: 7 }])
  await removeOldUplinks(db, { size: 10, time: 0 })
  assert.ok((await get('/devices/all/uplink')).meta.total >= 30)
  await removeOldUplinks(db)
  assert.equal((await get('/devices/all/uplink')).meta.total, 0)
  assert.equal(await countOf(young), 3)
})

test('deletes all uplinks of an organization in portions, and none of another one', async () => {
  const [one, twin] = [await foundTwin(5), await foundTwin(6)]
  const days = { uplink_days: 7 }
  for (const as of [one, twin]) await service.call('PATCH', setting, { as, body: days })
  await db.query(
    `update uplinks set received_at = now() - interval '8 days' where organization_id = $1`,
    [one.organizationId],
  )
  assert.deepEqual(await listDue(db), [{ id: one.organizationId, uplink_retention_days: 7 }])
  const left: number[] = []
  while (left.length < 9 && (await deleteUplinks(db, one.organizationId, 2))) {
    left.push(await countOf(one))
  }
  assert.deepEqual([left, await countOf(twin)], [[1, 0], 3])
  assert.equal(await deleteUplinks(db, 99_999, 2), false)
})

test('a portion has as many uplinks as it should, and leaves as much time as it took', async () => {
  const as = await foundTwin(7)
  const { organizationId } = as
  await service.call('PATCH', setting, { as, body: { uplink_days: 7 } })
  await db.query(
    `update uplinks set received_at = now() - interval '8 days' where organization_id = $1`,
    [organizationId],
  )
  const undone = db.transaction(async (tx) => {
    const [{ count, last_ordinal } = { count: 0, last_ordinal: 0 }] = await deleteOldest(
      tx,
      organizationId,
      2,
    )
    assert.deepEqual([count, last_ordinal], [2, 2])
    throw new Error('undo')
  })
  await assert.rejects(undone, /undo/)
  let portions = 0
  const slow: typeof db = {
    ...db,
    transaction: async (work) => {
      portions += 1
      await wait(50)
      return db.transaction(work)
    },
  }
  const begun = performance.now()
  await removeOldUplinks(slow, { size: 1, time: 60_000 })
  const took = performance.now() - begun
  // The last one finds nothing.
  assert.equal(portions, 4)
  // A timer may fire 1 ms early.
  assert.ok(took >= 2 * 4 * 49, `${took} ms`)
  assert.equal(await countOf(as), 0)
})

test('refuses what is no number of days', async () => {
  for (const uplink_days of [6, 0, -1, 7.5, 36_501, '30', true, undefined]) {
    const answer = await service.call('PATCH', setting, { body: { uplink_days } })
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ['uplink_days']])
  }
})
