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
import { keyOf } from '../inventory/uplink-columns.ts'

const service = await startTestService({ after })
const { db } = service.services
const callback = await connectChirpStack(service)
const deviceId = Number(await addLocalDevice(service, exampleEui))

/** A process with a queue, whose flights are told. */
function startProcess() {
  /** In their order: sent, and then whether it was committed. */
  const flights: ('sent' | 'stored' | 'failed')[] = []
  const told = {
    flights,
    /** Done once, when the next transaction but so many begins. */
    meanwhile: undefined as { after: number; work(): Promise<unknown> } | undefined,
    /** Done in the next flight, after its uplinks are sent. */
    inFlight: undefined as (() => void) | undefined,
  }
  const watched: Database = {
    ...db,
    async transaction(work) {
      const { meanwhile } = told
      if (meanwhile) {
        meanwhile.after -= 1
        if (meanwhile.after < 0) told.meanwhile = undefined
        if (meanwhile.after < 0) {
          // The batch before is committed then.
          await (await holdWriter(service))()
          await meanwhile.work()
        }
      }
      let isFlight = false
      const done = db.transaction(async (tx) => {
        const { send } = tx
        tx.send = (text, values) => {
          isFlight ||= text.includes('what was remembered')
          send(text, values)
        }
        const result = await work(tx)
        if (isFlight) flights.push('sent')
        const { inFlight } = told
        if (isFlight) told.inFlight = undefined
        if (isFlight) inFlight?.()
        return result
      })
      done.then(
        () => isFlight && flights.push('stored'),
        () => isFlight && flights.push('failed'),
      )
      return done
    },
  }
  return Object.assign(told, startQueue(service, callback, { db: watched }))
}

type Process = ReturnType<typeof startProcess>

/** Posts all of them while the writer is held up by the first, so that the others are one batch. */
async function postTogether({ ingest, post }: Process, ups: ReturnType<typeof makeUp>[]) {
  const letGo = await holdWriter(service)
  const answers = [post(makeUp())]
  await until(() => ingest.depth() === 1)
  answers.push(...ups.map(post))
  await until(() => ingest.depth() === 1 + ups.length)
  await letGo()
  return (await Promise.all(answers)).map(({ statusCode }) => statusCode)
}

const makeMany = (changes = {}) => Array.from({ length: 20 }, () => makeUp(changes))
const all = (status: number, count = 21) => Array(count).fill(status)

/** A process whose next batch of some size is sent in one flight. */
async function startFlying(): Promise<Process> {
  const one = startProcess()
  for (let batch = 0; batch < 3; batch += 1) {
    assert.deepEqual(await postTogether(one, makeMany()), all(200))
  }
  assert.deepEqual(one.flights.slice(-2), ['sent', 'stored'])
  one.flights.length = 0
  return one
}

interface Row {
  key: string
  status: Record<string, string>
}

/** The uplinks of the device in their order. All counters are exact, and nothing is stored twice. */
async function readRows(): Promise<Row[]> {
  const rows = await db.query<Row>(
    `select ${keyOf('uplinks')} as key, states.status
     from uplinks
     join device_states as states on states.organization_id = uplinks.organization_id
       and states.device_id = uplinks.device_id
     where uplinks.organization_id = 1 and uplinks.device_id = $1
     order by uplinks.device_ordinal`,
    [deviceId],
  )
  assert.equal(new Set(rows.map(({ key }) => key)).size, rows.length)
  const { organizations, devices, blocks } = await countWrong(db)
  assert.deepEqual([organizations, devices, blocks], [0, 0, 0])
  return rows
}

const other = startQueue(service, callback)

/** What happens between the batch before and the flight. */
const changes: [string, () => Promise<unknown>, { more: number; flights: string[] }][] = [
  [
    'another process stored an uplink',
    () => other.post(),
    { more: 1, flights: ['sent', 'failed'] },
  ],
  [
    'a statement changed a state',
    () =>
      db.query(
        `update device_states set status = status || '{"hardware_version": "9.9"}'
         where organization_id = 1 and device_id = $1`,
        [deviceId],
      ),
    { more: 0, flights: ['sent', 'failed'] },
  ],
  [
    'a device was changed',
    () => db.query(`update devices set name = name || '.' where id = $1`, [deviceId]),
    { more: 0, flights: ['sent', 'failed'] },
  ],
  [
    'another counter of the organization moved',
    () => db.query('update organization_counters set quarantine_bytes = quarantine_bytes'),
    { more: 0, flights: ['sent', 'stored'] },
  ],
]

for (const [what, work, { more, flights }] of changes) {
  test(`a batch in one flight is stored once when ${what}`, async () => {
    const one = await startFlying()
    const before = await readRows()
    one.meanwhile = { after: 1, work }
    assert.deepEqual(await postTogether(one, makeMany({ hex: '120301' })), all(200))
    assert.deepEqual(one.flights, flights)
    const rows = await readRows()
    assert.equal(rows.length, before.length + 21 + more)
    if (what.includes('state')) assert.equal(rows[0]?.status.hardware_version, '9.9')
    await one.app.close()
  })
}

test('a repeat in a flight is stored once, and the flight behind it keeps its place', async () => {
  const one = await startFlying()
  const before = await readRows()
  const repeat = makeUp()
  assert.equal((await other.post(repeat)).statusCode, 200)
  // The counter is remembered again.
  assert.deepEqual(await postTogether(one, makeMany()), all(200))
  assert.deepEqual(await postTogether(one, makeMany()), all(200))
  one.flights.length = 0
  const [first, second] = [[...makeMany().slice(1), repeat], makeMany()]
  const held: (() => Promise<void>)[] = []
  one.meanwhile = { after: 1, work: async () => held.push(await holdWriter(service)) }
  let last: Promise<number[]> | undefined
  one.inFlight = () => {
    last = Promise.all(second.map((up) => one.post(up).then(({ statusCode }) => statusCode)))
  }
  const answers = postTogether(one, first)
  await until(() => one.flights.length === 2)
  for (const letGo of held) await letGo()
  assert.deepEqual(await answers, all(200))
  assert.deepEqual(await last, all(200, 20))
  assert.deepEqual(one.flights, ['sent', 'sent', 'failed', 'failed'])
  const rows = await readRows()
  assert.equal(rows.length, before.length + 1 + 2 * 21 + 1 + 19 + 20)
  const isOf = (ups: typeof first) => {
    const keys = new Set(ups.map(({ deduplicationId }) => deduplicationId))
    return rows.flatMap(({ key }, index) => (keys.has(key) ? [index] : []))
  }
  assert.ok(Math.max(...isOf(first)) < Math.min(...isOf(second)))
  await one.app.close()
})

test('a downlink that was handed over meanwhile is looked for', async () => {
  const one = await startFlying()
  const checks = () => db.query('select from downlink_checks where device_id = $1', [deviceId])
  assert.equal((await checks()).length, 0)
  const handOver = () =>
    db.query(
      `with queue as (
         insert into downlink_queues (organization_id, device_id, network, register_method)
         values (1, $1, 'chirpstack', 'user_account')
       )
       insert into downlinks (organization_id, device_id, user_id, section, field_values, payload,
         f_port, state, queue_item_id, handed_over_at)
       select 1, $1, min(id), 'general', '{}', '\x01', 1, 'handed_over', 'item', now() from users`,
      [deviceId],
    )
  one.meanwhile = { after: 1, work: handOver }
  assert.deepEqual(await postTogether(one, makeMany()), all(200))
  assert.deepEqual(one.flights, ['sent', 'failed'])
  assert.equal((await checks()).length, 1)
  await db.query('delete from downlinks')
  await readRows()
  await one.app.close()
})

test('a flight that is lost is made again, and stored once', async () => {
  const one = await startFlying()
  const before = await readRows()
  one.inFlight = () => {
    throw new DatabaseUnavailable('this time')
  }
  assert.deepEqual(await postTogether(one, makeMany()), all(200))
  assert.deepEqual(one.flights, ['sent', 'failed'])
  assert.equal((await readRows()).length, before.length + 21)
  await one.app.close()
})

test('a secret that is withdrawn meanwhile proves nothing', async () => {
  const one = await startFlying()
  const before = await readRows()
  one.meanwhile = {
    after: 1,
    work: () => db.query(`update network_accounts set callback_hash = sha256('another')`),
  }
  const [first, ...rest] = await postTogether(one, makeMany())
  assert.deepEqual([first, rest], [200, all(401, 20)])
  assert.deepEqual(one.flights, ['sent', 'failed'])
  assert.equal((await readRows()).length, before.length + 1)
  await one.app.close()
})
