import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  connectChirpStack,
  exampleEui,
  makeOrganization,
  makeUp,
  post,
  readExample,
} from '../../../test/chirpstack-uplinks.ts'
import { addLocalDevice } from '../../../test/fleet.ts'
import { startTestService } from '../../../test/service.ts'
import type { Queryable } from '../../db/connect.ts'
import { removeOldest } from './quarantine-queries.ts'

/** What organizations may have in the quarantine and of their networks' events, as it is written. */

const service = await startTestService({ after })
const { db } = service.services
const tenant = await makeOrganization(service, 'tenant')
const tenantId = tenant.organizationId
const callback = await connectChirpStack(service, { as: tenant })
await addLocalDevice(service, exampleEui, {}, tenant)
const child = await makeOrganization(service, 'child', tenant)
const stranger = await makeOrganization(service, 'stranger')

/** Fills quarantines as so many messages of so many bytes had filled them. */
async function fill(
  organizationId: number,
  messages: number,
  bytes: number,
  tx: Queryable = db,
): Promise<void> {
  await tx.query(
    `with kept as (
       insert into quarantined_messages (
         organization_id, network_account_id, reason, detail, device_eui, deduplication_key, message
       )
       select $1::bigint, -1, 'unknown_device', '', '', $1::bigint || ' ' || number,
         convert_to(repeat('x', $3::integer), 'UTF8')
       from generate_series(1, $2::integer) as number
       returning 1
     )
     update organization_counters
     set quarantine_count = quarantine_count + (select count(*) from kept),
       quarantine_bytes = quarantine_bytes + (select count(*) from kept) * $3::integer
     where organization_id = $1`,
    [organizationId, messages, bytes],
  )
}

interface Kept {
  organization_id: number
  count: number
  bytes: number
}

/** The same while the table is analysed, whose statistics then count none of these messages. */
async function fillUnseen(organizationId: number, messages: number, bytes: number): Promise<void> {
  await db.transaction(async (tx) => {
    await fill(organizationId, messages, bytes, tx)
    await db.query('analyze quarantined_messages')
  })
}

/** What is there, which the counters must agree with. */
async function readKept(): Promise<Map<number, Kept>> {
  const rows = await db.query<Kept & { quarantine_count: number; quarantine_bytes: number }>(
    `select organization_id, count(id), quarantine_count, quarantine_bytes,
       coalesce(sum(octet_length(message) + coalesce(octet_length(uplink), 0)), 0)::bigint as bytes
     from organization_counters left join quarantined_messages using (organization_id)
     group by organization_id`,
  )
  for (const row of rows) {
    assert.deepEqual([row.quarantine_count, row.quarantine_bytes], [row.count, row.bytes])
  }
  return new Map(rows.map((row) => [row.organization_id, row]))
}

const sendUnknown = async () => {
  const { status } = await post(service, callback, makeUp({ eui: 'AAAA000000000001' }))
  assert.equal(status, 200)
}

test('messages beyond the bound of the tenant push out its oldest, where there are most', async () => {
  await fill(tenantId, 40_000, 10)
  await fill(child.organizationId, 60_000, 10)
  await fill(stranger.organizationId, 1000, 10)
  await sendUnknown()
  const kept = await readKept()
  const ofTenant = (kept.get(tenantId)?.count ?? 0) + (kept.get(child.organizationId)?.count ?? 0)
  assert(ofTenant <= 100_000 && ofTenant > 98_000, `${ofTenant} messages`)
  assert.equal(kept.get(tenantId)?.count, 40_001)
  assert.equal(kept.get(stranger.organizationId)?.count, 1000)
  const [oldest] = await db.query<{ key: string }>(
    `select deduplication_key as key from quarantined_messages
     where organization_id = $1 order by id limit 1`,
    [child.organizationId],
  )
  const removed = 100_001 - ofTenant
  assert.equal(oldest?.key, `${child.organizationId} ${removed + 1}`)
})

test('bytes beyond the bound of the tenant push out its oldest', async () => {
  await db.query('truncate quarantined_messages')
  await db.query('update organization_counters set quarantine_count = 0, quarantine_bytes = 0')
  await fillUnseen(child.organizationId, 17_000, 8000)
  await sendUnknown()
  const kept = await readKept()
  const bytes = (kept.get(tenantId)?.bytes ?? 0) + (kept.get(child.organizationId)?.bytes ?? 0)
  assert(bytes <= 128 * 1024 * 1024 && bytes > 125 * 1024 * 1024, `${bytes} bytes`)
  assert.equal(kept.get(tenantId)?.count, 1)
})

test('of an event the details that are too long are left out', async () => {
  const deviceInfo = { devEui: exampleEui.toLowerCase() }
  const log = { ...readExample('log'), deviceInfo, code: 'LONG', description: 'x'.repeat(4000) }
  assert.equal((await post(service, callback, log, { event: 'log' })).status, 200)
  const [event] = await db.query<{ details: Record<string, unknown> }>(
    "select details from network_events where details ->> 'code' = 'LONG'",
  )
  assert.equal(event?.details.description, undefined)
})

test('of a device the newest events are kept', async () => {
  const [device] = await db.query<{ id: number }>('select id from devices')
  await db.query(
    `insert into network_events (organization_id, network_account_id, device_id, kind, occurred_at,
       deduplication_key, details)
     select $2, 1, $1, 'join', '2026-03-01', number, '{}' from generate_series(1, 600) as number`,
    [device?.id, tenantId],
  )
  const deviceInfo = { devEui: exampleEui.toLowerCase() }
  const join = { ...readExample('join'), deviceInfo }
  for (const _ of [1, 2]) {
    assert.equal((await post(service, callback, join, { event: 'join' })).status, 200)
  }
  const [kept] = await db.query(
    `select count(*), count(*) filter (where details <> '{}') as news from network_events
     where device_id = $1 and kind = 'join'`,
    [device?.id],
  )
  assert.deepEqual(kept, { count: 500, news: 1 })
})

test('what was released does not give way to newer messages: it becomes uplinks', async () => {
  await db.query('truncate quarantined_messages')
  await db.query('update organization_counters set quarantine_count = 0, quarantine_bytes = 0')
  const { organizationId } = stranger
  await fill(organizationId, 20, 10)
  const keys = async (condition = 'true') => {
    const rows = await db.query<{ id: number; key: string }>(
      `select id, split_part(deduplication_key, ' ', 2) as key from quarantined_messages
       where organization_id = $1 and ${condition} order by id`,
      [organizationId],
    )
    return rows.map(({ key }) => Number(key))
  }
  await db.query(
    `update quarantined_messages set is_released = true
     where organization_id = $1 and split_part(deduplication_key, ' ', 2)::integer <= 5`,
    [organizationId],
  )
  const excess = { organization_id: organizationId, messages: 5, bytes: 0 }
  assert.equal(await removeOldest(db, excess), 5)
  assert.deepEqual(await keys('is_released'), [1, 2, 3, 4, 5])
  assert.deepEqual(await keys('not is_released'), [11, 12, 13, 14, 15, 16, 17, 18, 19, 20])
  assert.equal(await removeOldest(db, { ...excess, messages: 0, bytes: 25 }), 3)
  assert.equal((await keys('not is_released'))[0], 14)
  assert.equal(await removeOldest(db, { ...excess, messages: 0, bytes: 20 }), 2)
})
