import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import {
  connectChirpStack,
  exampleEui,
  makeUp,
  post,
  readExample,
  readQuarantineOf,
} from '../../../test/chirpstack-uplinks.ts'
import { isCluster } from '../../../test/citus.ts'
import { addLocalDevice } from '../../../test/fleet.ts'
import { startTestService } from '../../../test/service.ts'
import { storeEvents } from './message-queries.ts'
import { removeOldMessages } from './retention.ts'

const service = await startTestService({ after })
const { db } = service.services

test('uplinks are kept for ever; quarantine and events for 30 days', async () => {
  const callback = await connectChirpStack(service)
  await addLocalDevice(service, exampleEui)
  await post(service, callback, makeUp())
  await post(service, callback, makeUp({ eui: 'AAAA000000000001' }))
  await post(service, callback, makeUp({ eui: 'AAAA000000000001' }))
  await post(service, callback, readExample('join'), { event: 'join' })
  await post(service, callback, readExample('status'), { event: 'status' })
  for (const table of ['uplinks', 'quarantined_messages', 'network_events']) {
    await db.query(
      `update ${table} set received_at = case id % 2
         when 0 then timestamptz '2026-01-01 12:00:00+00'
         else timestamptz '2026-01-01 12:00:01+00' end`,
    )
  }
  await removeOldMessages(db, new Date('2026-01-31T12:00:00Z'))
  assert.deepEqual(await countRows(), { uplinks: 1, quarantined: 2, events: 2 })
  await removeOldMessages(db, new Date('2026-01-31T12:00:01Z'))
  assert.deepEqual(await countRows(), { uplinks: 1, quarantined: 1, events: 1 })
  await removeOldMessages(db, new Date('2036-01-31T12:00:01Z'))
  assert.deepEqual(await countRows(), { uplinks: 1, quarantined: 0, events: 0 })
})

test('everything that is too old goes, however much it is', async () => {
  await db.query(
    `insert into network_events (organization_id, network_account_id, device_id, kind, occurred_at,
       received_at, deduplication_key, details)
     select 1, 1, 1, 'join', '2026-01-01', '2026-01-01', number, '{}'
     from generate_series(1, 20001) as number`,
  )
  await removeOldMessages(db, new Date('2026-03-01T12:00:00Z'))
  assert.deepEqual(await countRows(), { uplinks: 1, quarantined: 0, events: 0 })
})

test('of a quarantine that is too large the newest messages stay', async () => {
  const callback = await connectChirpStack(service)
  const ups = [1, 2, 3, 4, 5].map(() => makeUp({ eui: 'AAAA000000000002' }))
  for (const up of ups) await post(service, callback, up)
  await removeOldMessages(db, new Date(), { most: { messages: 3, bytes: 1_000_000 } })
  const kept = await readQuarantineOf(service, 1)
  assert.deepEqual(
    kept.map(({ message }) => message),
    ups.slice(2).map((up) => JSON.stringify(up)),
  )
})

test('events that come together are each stored once, and the newest 500 of a device stay', async () => {
  const callback = await connectChirpStack(service)
  const other = '0101010101010102'
  await addLocalDevice(service, other)
  const send = (eui: string, name: string, changes: object = {}) => {
    const published = readExample(name)
    const deviceInfo = { ...(published.deviceInfo as object), devEui: eui }
    const body = { ...published, deduplicationId: randomUUID(), deviceInfo, ...changes }
    return post(service, callback, body, { event: name })
  }
  const twice = { deduplicationId: '00000000-0000-4000-8000-0000000000aa' }
  const before = (await readQuarantineOf(service, 1)).length
  const answers = await Promise.all([
    ...Array.from({ length: 560 }, () => send(exampleEui, 'status')),
    ...Array.from({ length: 20 }, () => send(other, 'join')),
    send(other, 'join', twice),
    send(other, 'join', twice),
    send('AAAA000000000003', 'join'),
    send(other, 'status', { batteryLevel: 1, tags: {}, deviceInfo: { devEui: 'no EUI' } }),
  ])
  assert.equal(answers.pop()?.status, 400)
  assert.ok(answers.every(({ status }) => status === 200))
  assert.deepEqual(
    await db.query(
      `select devices.eui, kind, count(*) from network_events
       join devices using (organization_id)
       where devices.id = device_id group by devices.eui, kind order by devices.eui`,
    ),
    [
      { eui: exampleEui, kind: 'status', count: 500 },
      { eui: other, kind: 'join', count: 21 },
    ],
  )
  const quarantined = await readQuarantineOf(service, 1)
  assert.deepEqual(
    quarantined.slice(before).map(({ device_eui }) => device_eui),
    ['AAAA000000000003'],
  )
  const readNewest = () =>
    db.query<{ id: number; events: number }>(
      `select max(id) as id, count(*) as events from network_events where kind = 'status'`,
    )
  const [former] = await readNewest()
  await send(exampleEui, 'status')
  const [newest] = await readNewest()
  assert.ok(former && newest && newest.id > former.id)
  assert.equal(newest.events, 500)
})

async function countRows() {
  // Its counter agrees.
  await readQuarantineOf(service, 1)
  const [counts] = await db.query(
    `select (select count(*) from uplinks) as uplinks,
       (select count(*) from quarantined_messages) as quarantined,
       (select count(*) from network_events) as events`,
  )
  return counts
}

test('a further event of a device looks for the one that goes once', {
  skip: isCluster() && 'it counts the searches of this PostgreSQL',
}, async () => {
  const { path } = await connectChirpStack(service)
  const account = await service.services.callbackAccounts.find(path.split('/').at(-1) ?? '')
  assert.ok(account)
  const event = {
    ...{ deviceEui: exampleEui, kind: 'status', occurredAt: '2026-03-01T12:00:00.000000Z' },
    ...{ deduplicationKey: 'further', details: {}, message: Buffer.alloc(0) },
  }
  const searches = await db.transaction(async (tx) => {
    // As the planner joins while it knows nothing of the table.
    await tx.query('set local enable_nestloop = off')
    const [subject] = await storeEvents(tx, account, [event])
    assert.equal(subject?.is_new, true)
    const [row] = await tx.query<{ count: number }>(
      `select idx_scan + seq_scan as count from pg_stat_xact_user_tables
       where relname = 'network_events'`,
    )
    return row?.count ?? 0
  })
  assert.ok(searches > 0 && searches < 50, `${searches} searches`)
})
