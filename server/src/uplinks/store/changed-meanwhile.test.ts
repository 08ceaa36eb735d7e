import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connectChirpStack, exampleEui, makeUp } from '../../../test/chirpstack-uplinks.ts'
import { addLocalDevice } from '../../../test/fleet.ts'
import { holdWriter, startQueue } from '../../../test/ingest-queues.ts'
import { startTestService } from '../../../test/service.ts'
import { countWrong } from '../../../test/stored-uplinks.ts'
import { until } from '../../../test/until.ts'
import type { Database } from '../../db/connect.ts'
import { DatabaseUnavailable } from '../../db/errors.ts'

const service = await startTestService({ after })
const { db } = service.services
const callback = await connectChirpStack(service)
const deviceId = Number(await addLocalDevice(service, exampleEui))

/** A process with a queue, and what happens elsewhere just before it stores a batch of several uplinks. */
const told = { meanwhile: undefined as (() => Promise<unknown>) | undefined, isLost: false }
const watched: Database = {
  ...db,
  async transaction(work) {
    const { meanwhile, isLost } = told
    if (one.ingest.depth() > 1) Object.assign(told, { meanwhile: undefined, isLost: false })
    else return db.transaction(work)
    // The batch before is committed then.
    await (await holdWriter(service))()
    await meanwhile?.()
    return db.transaction(async (tx) => {
      const result = await work(tx)
      if (isLost) throw new DatabaseUnavailable('this time')
      return result
    })
  },
}
const one = startQueue(service, callback, { db: watched })
const other = startQueue(service, callback)
after(() => Promise.all([one.app.close(), other.app.close()]))

assert.equal((await other.post()).statusCode, 200)

const makeMany = () => Array.from({ length: 20 }, () => makeUp())
const allStored = Array(20).fill(200)

/** Posts all of them while the writer is held up by another uplink, so that they are one batch. */
async function postTogether(ups: ReturnType<typeof makeUp>[]) {
  const letGo = await holdWriter(service)
  const first = one.post(makeUp())
  await until(() => one.ingest.depth() === 1)
  const answers = ups.map((up) => one.post(up))
  await until(() => one.ingest.depth() === 1 + ups.length)
  await letGo()
  assert.equal((await first).statusCode, 200)
  return (await Promise.all(answers)).map(({ statusCode }) => statusCode)
}

/** The uplinks of the device. All counters are exact, and nothing is stored twice. */
async function countRows(): Promise<number> {
  const rows = await db.query<{ key: string }>(
    `select uplinks.deduplication_key as key from uplinks where organization_id = 1 and device_id = $1`,
    [deviceId],
  )
  assert.equal(new Set(rows.map(({ key }) => key)).size, rows.length)
  const { organizations, devices } = await countWrong(db)
  assert.deepEqual([organizations, devices], [0, 0])
  return rows.length
}

/** What happens between the look-up of the devices and the transaction, and the uplinks that it adds. */
const changes: [string, () => Promise<unknown>, number][] = [
  ['another process stored an uplink', () => other.post(), 1],
  [
    'a device was changed',
    () => db.query(`update devices set name = name || '.' where id = $1`, [deviceId]),
    0,
  ],
  [
    'another counter of the organization moved',
    () => db.query('update organization_counters set quarantine_bytes = quarantine_bytes'),
    0,
  ],
]

for (const [what, meanwhile, more] of changes) {
  test(`a batch is stored once when ${what}`, async () => {
    const before = await countRows()
    Object.assign(told, { meanwhile })
    assert.deepEqual(await postTogether(makeMany()), allStored)
    assert.equal(told.meanwhile, undefined)
    assert.equal(await countRows(), before + 21 + more)
  })
}

test('an uplink that another process stored meanwhile is stored once', async () => {
  const before = await countRows()
  const repeat = makeUp()
  told.meanwhile = () => other.post(repeat)
  assert.deepEqual(await postTogether([...makeMany().slice(1), repeat]), allStored)
  assert.equal(await countRows(), before + 21)
})

test('a state that was changed meanwhile is kept', async () => {
  told.meanwhile = () =>
    db.query(
      `update device_states set status = status || '{"hardware_version": "9.9"}'
       where organization_id = 1 and device_id = $1`,
      [deviceId],
    )
  assert.deepEqual(await postTogether(makeMany()), allStored)
  const [state] = await db.query<{ status: Record<string, string> }>(
    'select status from device_states where organization_id = 1 and device_id = $1',
    [deviceId],
  )
  assert.equal(state?.status.hardware_version, '9.9')
})

test('a downlink that was handed over meanwhile is looked for', async () => {
  const checks = () => db.query('select from downlink_checks where device_id = $1', [deviceId])
  assert.equal((await checks()).length, 0)
  told.meanwhile = () =>
    db.query(
      `with queue as (
         insert into downlink_queues (organization_id, device_id, network, register_method)
         values (1, $1, 'chirpstack', 'user_account')
       )
       insert into downlinks (organization_id, device_id, user_id, section, field_values, payload,
         f_port, state, queue_item_id, handed_over_at)
       select 1, $1, min(id), 'general', '{}', '\\x01', 1, 'handed_over', 'item', now() from users`,
      [deviceId],
    )
  assert.deepEqual(await postTogether(makeMany()), allStored)
  assert.equal((await checks()).length, 1)
  await db.query('delete from downlinks')
})

test('a batch that is lost is stored again, once', async () => {
  const before = await countRows()
  told.isLost = true
  assert.deepEqual(await postTogether(makeMany()), allStored)
  assert.equal(told.isLost, false)
  assert.equal(await countRows(), before + 21)
})
