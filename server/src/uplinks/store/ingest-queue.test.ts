import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  connectChirpStack,
  exampleEui,
  makeUp,
  readQuarantineOf,
} from '../../../test/chirpstack-uplinks.ts'
import { addLocalDevice } from '../../../test/fleet.ts'
import { holdWriter, startQueue } from '../../../test/ingest-queues.ts'
import { foundOrganization } from '../../../test/members.ts'
import { startTestService } from '../../../test/service.ts'
import { until } from '../../../test/until.ts'
import { connect, type Database } from '../../db/connect.ts'
import { DatabaseUnavailable } from '../../db/errors.ts'
import type { IngestLimits } from './ingest-queue.ts'
import { readStates } from './writer-queries.ts'

const service = await startTestService({ after })
const { services } = service
const callback = await connectChirpStack(service)
await addLocalDevice(service, exampleEui)

/** A queue of these limits, and how to post to it. */
function startWithLimits(limits: Partial<IngestLimits>, db = services.db) {
  return startQueue(service, callback, { limits, db })
}

async function readKeys(): Promise<Set<string>> {
  const rows = await services.db.query<{ key: string }>(
    `select uplinks.deduplication_key as key from uplinks`,
  )
  return new Set(rows.map(({ key }) => key))
}

for (const [what, limits] of Object.entries({
  messages: { capacity: 8, batchSize: 3 },
  bytes: { capacityBytes: 8 * JSON.stringify(makeUp()).length, batchSize: 3 },
})) {
  // shows 11.2.3
  test(`a queue full of ${what} answers 503, and what it acknowledged is stored`, async () => {
    const { app, ingest, post } = startWithLimits(limits)
    const letGo = await holdWriter(service)
    const ups = Array.from({ length: 30 }, () => makeUp())
    let refused = 0
    const sent = ups.map(async (up) => {
      const answer = await post(up)
      if (answer.statusCode === 503) refused += 1
      return answer
    })
    await until(() => refused >= 22)
    assert.equal(ingest.depth(), 8)
    const waited = ingest.oldestWait()
    assert.ok(waited > 0 && waited < 60, `${waited} s`)
    await letGo()
    const answers = await Promise.all(sent)
    const keys = await readKeys()
    for (const [index, { statusCode, headers }] of answers.entries()) {
      const key = ups[index]?.deduplicationId ?? ''
      assert.equal(keys.has(key), statusCode === 200)
      if (statusCode === 200) continue
      assert.equal(statusCode, 503)
      assert.equal(headers['retry-after'], '2')
    }
    assert.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 8)
    assert.deepEqual([ingest.depth(), ingest.oldestWait(), ingest.refusals()], [0, 0, 22])
    assert.equal((await post()).statusCode, 200)
    const { counts, count, seconds } = ingest.commitTimes()
    assert.ok(count >= 3 && seconds > 0, `${count} commits in ${seconds} s`)
    assert.deepEqual(
      counts,
      [...counts].sort((a, b) => a - b),
    )
    assert.ok((counts.at(-1) ?? 0) <= count)
    await app.close()
  })
}

test('a queue more than half full holds senders back, the longer the fuller it is', async () => {
  const { app, ingest, post } = startWithLimits({ capacity: 4, longestDelay: 200 })
  const letGo = await holdWriter(service)
  const sent = [post(), post(), post()]
  await until(() => ingest.depth() >= 3)
  const start = performance.now()
  const last = post()
  // It has its place, and with it its delay.
  await until(() => ingest.depth() >= 4)
  await letGo()
  assert.equal((await last).statusCode, 200)
  // Three of four places taken: half of the longest delay; a timer may fire 1 ms early.
  assert(performance.now() - start >= 99)
  for (const { statusCode } of await Promise.all(sent)) assert.equal(statusCode, 200)
  await app.close()
})

test('a full queue refuses at once, so that nothing waits beyond its bounds', async () => {
  const { app, ingest, post } = startWithLimits({ capacity: 2, longestDelay: 60 * 60 * 1000 })
  const letGo = await holdWriter(service)
  const sent = [post(), post()]
  await until(() => ingest.depth() >= 2)
  assert.equal((await post()).statusCode, 503)
  await letGo()
  for (const { statusCode } of await Promise.all(sent)) assert.equal(statusCode, 200)
  await app.close()
})

test('a closed queue has written what it accepted, and accepts no more', async () => {
  const { app, ingest, post } = startWithLimits({ batchSize: 2 })
  const letGo = await holdWriter(service)
  const ups = Array.from({ length: 7 }, () => makeUp())
  const sent = Promise.all(ups.map((up) => post(up)))
  await until(() => ingest.depth() >= ups.length)
  const closed = ingest.close()
  await letGo()
  await closed
  assert.equal(ingest.depth(), 0)
  const keys = await readKeys()
  assert(ups.every(({ deduplicationId }) => keys.has(deduplicationId)))
  assert((await sent).every(({ statusCode }) => statusCode === 200))
  assert.equal((await post()).statusCode, 503)
  await app.close()
})

test('the uplinks of an organization wait for no writer of another one', async () => {
  const { organizationId } = await foundOrganization(service, 'other@example.test')
  const { app, post } = startWithLimits({})
  const letGo = await holdWriter(service, organizationId)
  assert.equal((await post()).statusCode, 200)
  await letGo()
  await app.close()
})

test('processes that store the same uplinks at once store each once, without a gap', async () => {
  const processes = [1, 2, 3].map(() => startWithLimits({ batchSize: 7 }))
  const strangerEui = 'AAAA000000000001'
  const eui = (number: number) => (number % 4 === 0 ? strangerEui : exampleEui)
  const ups = Array.from({ length: 80 }, (_, number) => makeUp({ eui: eui(number) }))
  const before = await readKeys()
  const answers = await Promise.all(
    ups.flatMap((up, index) => {
      const rotated = [...processes.slice(index % 3), ...processes.slice(0, index % 3)]
      return rotated.map(({ post }) => post(up))
    }),
  )
  assert(answers.every(({ statusCode }) => statusCode === 200))
  const known = ups.filter((_, number) => eui(number) === exampleEui)
  const keys = await readKeys()
  assert.equal(keys.size, before.size + known.length)
  assert(known.every(({ deduplicationId }) => keys.has(deduplicationId)))
  const [ordinals] = await services.db.query(
    `select count(*)::int as uplinks, max(ordinal) as latest, max(device_ordinal) as of_device
     from uplinks`,
  )
  assert.deepEqual(ordinals, { uplinks: keys.size, latest: keys.size, of_device: keys.size })
  assert.equal((await readQuarantineOf(service, 1)).length, ups.length - known.length)
  for (const { app } of processes) await app.close()
})

/** The state of the device, and whether its own ordinals have a gap. */
async function readState() {
  const [state] = await services.db.query<{
    status: Record<string, string>
    count: number
    isDense: boolean
  }>(
    `select status, uplink_count as count, uplink_count = (
       select count(*) from uplinks
       where organization_id = 1 and uplinks.device_id = device_states.device_id
     ) and uplink_count = (
       select max(device_ordinal) from uplinks
       where organization_id = 1 and uplinks.device_id = device_states.device_id
     ) as "isDense"
     from device_states
     join devices on devices.organization_id = 1 and devices.id = device_states.device_id
     where device_states.organization_id = 1 and devices.eui = $1`,
    [exampleEui],
  )
  assert(state)
  return state
}

const at = (second: number) => ({
  time: new Date(Date.UTC(2026, 1, 28, 12, 0, second)).toISOString(),
})

test('a remembered state gives way to what another process, a failure or a statement left', async () => {
  let isFailing = false
  const failing: Database = {
    ...services.db,
    transaction: (work) =>
      services.db.transaction(async (tx) => {
        const result = await work(tx)
        if (!isFailing) return result
        isFailing = false
        throw new DatabaseUnavailable('this time')
      }),
  }
  const [one, other] = [startWithLimits({}, failing), startWithLimits({})]
  const send = async (to: typeof one, hex: string, second: number) => {
    assert.equal((await to.post(makeUp({ hex, ...at(second) }))).statusCode, 200)
  }
  const before = await readState()
  await send(one, '100011278850703c', 1)
  await send(other, '11011e0128', 2)
  await send(one, '120301', 3)
  const { status } = await readState()
  assert.equal(status.hardware_version, '2.7')
  assert.equal(status.battery, '2.8V')
  isFailing = true
  await send(one, '1601000030', 4)
  assert.equal(isFailing, false)
  await send(one, '120300', 5)
  await services.db.query(
    `update device_states set status = status || '{"hardware_version": "9.9"}'
     from devices where devices.organization_id = 1 and device_states.organization_id = 1
       and devices.id = device_states.device_id and devices.eui = $1`,
    [exampleEui],
  )
  await send(one, '120301', 6)
  const last = await readState()
  assert.equal(last.status.hardware_version, '9.9')
  assert.equal(last.status.battery, '3.0V')
  assert.deepEqual([last.count, last.isDense], [before.count + 6, true])
  for (const { app } of [one, other]) await app.close()
})

test('without a database nothing is acknowledged, and the sender is told in time to repeat', async () => {
  const nobody = connect('postgres://127.0.0.1:1/none')
  const { app, post } = startWithLimits({}, nobody)
  const begun = performance.now()
  const answers = await Promise.all([post(), post(), post()])
  for (const { statusCode, headers } of answers) {
    assert.equal(statusCode, 503)
    assert.equal(headers['retry-after'], '2')
  }
  const took = performance.now() - begun
  // The networks give up after 5 s.
  assert(took >= 3999 && took < 5000, `answered after ${took} ms`)
  await app.close()
  await nobody.close()
})

test('an uplink costs a look at the queue of its device only where the network holds a downlink', async () => {
  const texts: string[] = []
  const noting: Database = {
    ...services.db,
    transaction: (work) =>
      services.db.transaction((tx) =>
        work({
          send: tx.send,
          query: (text, values) => {
            texts.push(text)
            return tx.query(text, values)
          },
        }),
      ),
  }
  const otherEui = '00AA000000000002'
  await addLocalDevice(service, otherEui)
  await services.db.query(
    `insert into downlinks (organization_id, device_id, user_id, section, field_values, payload,
       f_port, state)
     select 1, devices.id, devices.user_id, 'general', '{}', '\\x01', 1,
       case eui when $1 then 'handed_over' else 'queued' end
     from devices where organization_id = 1`,
    [exampleEui],
  )
  const { app, post } = startWithLimits({}, noting)
  for (const [eui, isLookedAt] of [
    [otherEui, false],
    [exampleEui, true],
  ] as const) {
    texts.length = 0
    assert.equal((await post(makeUp({ eui }))).statusCode, 200)
    assert.equal(texts.filter((text) => text.includes('downlink_checks')).length > 0, isLookedAt)
  }
  await app.close()
})

test('reads the states of the given devices only, each with the version of its own device', async () => {
  const devices = await services.db.query<{ id: number; organization_id: number; version: string }>(
    'select id, organization_id, xmin::text as version from devices order by id',
  )
  assert.ok(devices.length > 1)
  const versionsOf = async (given: typeof devices) =>
    [...(await readStates(services.db, given))].map(([id, { version }]) => [id, version]).sort()
  for (const given of [devices, devices.slice(0, 1)]) {
    const expected = given.map(({ id, version }) => [id, version]).sort()
    assert.deepEqual(await versionsOf(given), expected)
  }
})
