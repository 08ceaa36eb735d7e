import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import {
  connectChirpStack,
  makeNeighbour,
  makeOrganization,
  makeUp,
  readQuarantineOf,
  type TestCallback,
} from '../../../test/chirpstack-uplinks.ts'
import { isCluster } from '../../../test/citus.ts'
import { addLocalDevice } from '../../../test/fleet.ts'
import { holdWriter, startQueue } from '../../../test/ingest-queues.ts'
import { type Login, startTestService } from '../../../test/service.ts'
import { until } from '../../../test/until.ts'
import type { Database } from '../../db/connect.ts'
import { groupByPlace } from '../../db/distribution/places.ts'
import type { Uplink } from '../../networks/network-message.ts'
import { deadlineFromNow } from '../receive/receive-messages.ts'
import type { Arrival } from './arrival.ts'
import type { IngestLimits } from './ingest-queue.ts'

/** What one organization can do to the uplinks of another. */

const service = await startTestService({ after })
const { services } = service
const callback = await connectChirpStack(service)
const eui = '00AA000000000001'
await addLocalDevice(service, eui)
const neighbour = await makeNeighbour(service)
const otherCallback = await connectChirpStack(service, { as: neighbour })
const otherEui = '00AA000000000002'
await addLocalDevice(service, otherEui, {}, neighbour)

function start(limits: Partial<IngestLimits> = {}, db: Database = services.ingestDb) {
  const { ingest: queue, app } = startQueue(service, callback, { limits, db })
  const post = async ({ path, header, value }: TestCallback, up: object) => {
    const answer = await app.inject({
      method: 'POST',
      url: `${path}?event=up`,
      headers: { [header]: value, 'content-type': 'application/json' },
      payload: up,
    })
    return answer.statusCode
  }
  return { queue, app, post }
}

/** The pool, and the statements and transactions of it that failed. */
function watch(db: Database): { db: Database; failures: unknown[] } {
  const failures: unknown[] = []
  const note = <T>(work: Promise<T>) => {
    work.catch((error) => failures.push(error))
    return work
  }
  return {
    failures,
    db: {
      query: (text, values) => note(db.query(text, values)),
      transaction: (work) => note(db.transaction(work)),
      listen: db.listen,
      usage: () => db.usage(),
      close: db.close,
    },
  }
}

test('an organization that fills its part of the queue leaves the others theirs', async () => {
  const { queue, app, post } = start({ capacity: 6 })
  const letGo = await holdWriter(service)
  const sent = Array.from({ length: 20 }, () => post(callback, makeUp({ eui })))
  await until(() => queue.depth() >= 6)
  for (let round = 0; round < 5; round += 1) {
    assert.equal(await post(otherCallback, makeUp({ eui: otherEui })), 200)
  }
  await letGo()
  const answers = await Promise.all(sent)
  assert.equal(answers.filter((status) => status === 200).length, 6)
  assert.equal(answers.filter((status) => status === 503).length, 14)
  await app.close()
})

test('of large messages one of an organization is read at a time', async () => {
  const { queue, app, post } = start()
  const letGo = await holdWriter(service)
  const makeLarge = (of: string) => makeUp({ eui: of, object: 'x'.repeat(100_000) })
  const first = post(callback, makeLarge(eui))
  await until(() => queue.depth() >= 1)
  const second = post(callback, makeLarge(eui))
  assert.equal(await post(otherCallback, makeLarge(otherEui)), 200)
  assert.equal(await second, 503)
  assert.equal(queue.depth(), 1)
  await letGo()
  assert.equal(await first, 200)
  assert.equal(await post(callback, makeLarge(eui)), 200)
  await app.close()
})

test('100 large messages of an organization delay no other one, of its tenant or not', async () => {
  const { app, post } = start()
  const sibling = await makeOrganization(service, 'sibling', neighbour)
  const siblingCallback = await connectChirpStack(service, { as: sibling })
  const large = { eui: otherEui, object: 'x'.repeat(200_000) }
  const sent = Array.from({ length: 100 }, () => post(otherCallback, makeUp(large)))
  for (let round = 0; round < 5; round += 1) {
    const before = performance.now()
    assert.equal(await post(siblingCallback, makeUp({ eui: '00AA0000000000EE' })), 200)
    assert.equal(await post(callback, makeUp({ eui })), 200)
    assert.equal(await post(siblingCallback, makeUp({ ...large, eui: '00AA0000000000EE' })), 200)
    assert.ok(performance.now() - before < 2000, `${performance.now() - before} ms`)
  }
  await Promise.all(sent)
  await app.close()
})

test('who knows an address without its secret keeps no large message waiting', async () => {
  const { app, post } = start()
  const slow = new Readable({ read() {} })
  const stranger = app.inject({
    method: 'POST',
    url: callback.path,
    headers: { [callback.header]: 'a guess', 'content-type': 'application/json' },
    payload: slow,
  })
  await wait(100)
  assert.equal(await post(callback, makeUp({ eui, object: 'x'.repeat(100_000) })), 200)
  slow.push(null)
  assert.equal((await stranger).statusCode, 401)
  await app.close()
})

test('an organization that fills its part leaves those of its tenant theirs, within that of the tenant', async () => {
  const child = await makeOrganization(service, 'child', neighbour)
  const childCallback = await connectChirpStack(service, { as: child })
  const { queue, app, post } = start({ capacity: 4 })
  const letGo = await holdWriter(service, neighbour.organizationId)
  const sent = Array.from({ length: 4 }, () => post(otherCallback, makeUp({ eui: otherEui })))
  await until(() => queue.depth() >= 4)
  const ofChild = [1, 2, 3].map(() => post(childCallback, makeUp({ eui: '00AA000000000003' })))
  await until(() => queue.depth() >= 6)
  assert.equal(await Promise.race(ofChild), 503)
  await letGo()
  assert.deepEqual((await Promise.all(ofChild)).sort(), [200, 200, 503])
  assert.deepEqual(await Promise.all(sent), [200, 200, 200, 200])
  await app.close()
})

const accounts = await services.db.query<{ id: number; organization_id: number }>(
  'select id, organization_id from network_accounts order by id limit 2',
)

/** An uplink as a network may have let it through; the account is the first or the second. */
function makeArrival(at: number, devEui: string, changes: Partial<Uplink> = {}): Arrival {
  const { id, organization_id: organizationId } = accounts[at] ?? { id: 0, organization_id: 0 }
  return {
    account: {
      id,
      organizationId,
      tenantId: organizationId,
      network: 'chirpstack',
      isVendor: false,
    },
    uplink: {
      ...{ kind: 'uplink', devEui, deduplicationKey: makeUp().deduplicationId },
      ...{ receivedAt: '2026-03-01T11:00:00.000000Z', fPort: 1, fCnt: 1 },
      ...{ payload: Buffer.from('100301', 'hex'), receptions: [] },
      ...changes,
    },
    message: Buffer.from('message'),
    deadline: deadlineFromNow(),
  }
}

test('a key that no row can hold fails no statement, and is in the quarantine', async () => {
  const { db, failures } = watch(services.ingestDb)
  const { app, queue, post } = start({}, db)
  const before = (await readQuarantineOf(service, 1)).length
  const keys = ['a\u0000b', '\ud800', 'c\udc00']
  for (const deduplicationKey of keys) {
    await Promise.all([
      queue.store(makeArrival(0, eui, { deduplicationKey })),
      queue.store(makeArrival(1, otherEui)),
    ])
    const up = makeUp({ eui, deduplicationId: deduplicationKey })
    assert.equal(await post(callback, up), 200)
  }
  assert.deepEqual(failures, [])
  const kept = (await readQuarantineOf(service, 1)).slice(before)
  assert.deepEqual(
    kept.map(({ reason }) => reason),
    ['not_storable', 'not_storable', 'not_storable'],
  )
  await app.close()
})

/**
 * The first transactions of the pool are the batch and the two parts that repeat it. Each further one
 * waits until `isStored`.
 */
function holdBackHalves(db: Database, isStored: Promise<unknown>): Database {
  let begun = 0
  return {
    ...db,
    transaction: async (work) => {
      begun += 1
      if (begun > 3) await isStored
      return db.transaction(work)
    },
  }
}

test("a neighbour's rows are stored by the first repetition after a row that fails", async () => {
  const { db, failures } = watch(services.ingestDb)
  const neighbourStored = Promise.withResolvers<void>()
  const { queue, app } = start({}, holdBackHalves(db, neighbourStored.promise))
  const order: string[] = []
  const store = (what: string, arrival: Arrival) =>
    queue.store(arrival).then(() => order.push(what))
  await Promise.all([
    ...Array.from({ length: 15 }, () => store('same', makeArrival(0, eui))),
    store('faulty', makeArrival(0, eui, { receivedAt: '2026-02-31T00:00:00.000000Z' })),
    store('neighbour', makeArrival(1, otherEui)).then(() => neighbourStored.resolve()),
  ])
  assert.equal(order[0], 'neighbour')
  // The batch, the part of one organization, and the halves that have the row in them.
  assert.equal(failures.length, 1 + 1 + 4)
  await app.close()
})

for (const [what, count] of [
  ['a batch', 1],
  ['a flight', 20],
] as const) {
  test(`a counter that is held keeps a neighbour in ${what} from its answer for a moment`, async () => {
    const { db, failures } = watch(services.ingestDb)
    const { queue, app, post } = start({}, db)
    /** All of both organizations are one batch: their devices are known. */
    const store = (at: number, devEui: string) =>
      Promise.all(Array.from({ length: count }, () => queue.store(makeArrival(at, devEui))))
    for (let round = 0; round < 4; round += 1) {
      await Promise.all([store(0, eui), store(1, otherEui)])
    }
    const letGo = await holdWriter(service)
    const begun = performance.now()
    const held = store(0, eui)
    await store(1, otherEui)
    const unknown = queue.store(makeArrival(0, 'AAAA000000000001'))
    await queue.store(makeArrival(1, 'AAAA000000000002'))
    const took = performance.now() - begun
    assert.equal(await post(otherCallback, makeUp({ eui: otherEui })), 200)
    await letGo()
    await Promise.all([held, unknown])
    assert.ok(took < 2000, `${took} ms`)
    assert.ok(failures.some((error) => Object(error).code === '55P03'))
    await app.close()
  })
}

test('of a large message the quarantine keeps what explains it', async () => {
  const { app, post } = start()
  const before = (await readQuarantineOf(service, 1)).length
  const large = makeUp({ eui: '00AA0000000000FF', object: 'ö'.repeat(100_000) })
  assert.equal(await post(callback, large), 200)
  const [kept] = (await readQuarantineOf(service, 1)).slice(before)
  assert(kept)
  const bytes = Buffer.byteLength(kept.message)
  assert(bytes > 8000 && bytes <= 8192, `${bytes} bytes`)
  assert(JSON.stringify(large).startsWith(kept.message))
  await app.close()
})

/** An organization below the neighbour; on Citus its rows are on another shard. */
async function makeElsewhere(): Promise<Login> {
  for (let number = 1; ; number += 1) {
    const login = await makeOrganization(service, `elsewhere-${number}`, neighbour)
    const both = [neighbour.organizationId, login.organizationId]
    const places = await groupByPlace(services.db, both, (id) => id)
    if (places.length === (isCluster() ? 2 : 1)) return login
  }
}

test('a tenant goes on after a part of its batch was held up', async () => {
  const elsewhere = await makeElsewhere()
  const thirdCallback = await connectChirpStack(service, { as: elsewhere })
  const thirdEui = '00AA000000000004'
  await addLocalDevice(service, thirdEui, {}, elsewhere)
  const { queue, app, post } = start()
  const sendBoth = () =>
    [1, 2, 3, 4].flatMap(() => [
      post(otherCallback, makeUp({ eui: otherEui })),
      post(thirdCallback, makeUp({ eui: thirdEui })),
    ])
  await Promise.all(sendBoth())
  for (let round = 0; round < 3; round += 1) {
    const letGo = await holdWriter(service, elsewhere.organizationId)
    const held = sendBoth()
    await until(() => queue.depth() >= held.length / 2)
    const behind = sendBoth()
    await letGo()
    const answers = await Promise.all([...held, ...behind])
    assert.deepEqual([...new Set(answers)], [200])
  }
  assert.equal(queue.depth(), 0)
  await app.close()
})
