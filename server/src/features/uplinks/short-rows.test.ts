import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import {
  connectChirpStack,
  exampleEui,
  makeUp,
  type TestCallback,
} from '../../../test/chirpstack-uplinks.ts'
import { addLocalDevice } from '../../../test/fleet.ts'
import { startQueue } from '../../../test/ingest-queues.ts'
import { startTestService } from '../../../test/service.ts'
import { connect } from '../../db/connect.ts'
import { layouts } from '../../sensors/index.ts'
import { eventTypes } from '../inventory/uplink-columns.ts'

const service = await startTestService({ after })
const { services, databaseUrl, call } = service
const callback: TestCallback = await connectChirpStack(service)
await addLocalDevice(service, exampleEui)

const frames = [
  ...layouts.flatMap(({ examples }) => examples.map(({ hex }) => hex)),
  '',
  'aa',
  '90ee',
]

/** Another process: what it knows of the others is its own. */
function startProcess() {
  const db = connect(databaseUrl, { max: 2 })
  const { app, post } = startQueue(service, callback, { db })
  after(async () => {
    await app.close()
    await db.close()
  })
  return async (up: ReturnType<typeof makeUp>) => {
    const answer = await post(up)
    assert.equal(answer.statusCode, 200, answer.body)
  }
}

async function countRows() {
  const [counts] = await services.db.query<Record<'full' | 'short' | 'stored', number>>(
    `select count(*) as stored,
       count(*) filter (where deduplication_key is not null and decoded_message is not null
         and event_type is not null and sensor_sequence is not null) as full,
       count(*) filter (where deduplication_id is not null and deduplication_key is null
         and decoded_message is null and event_type is null) as short
     from uplinks`,
  )
  return counts
}

async function read(path: string) {
  const { status, body, text } = await call('GET', `/v1${path}`)
  assert.equal(status, 200, text)
  return body
}

/** A day apart, so that no frame is read together with one of the other day. */
const makeDay = (day: string) => frames.map((hex) => makeUp({ hex, time: `${day}T12:00:00Z` }))
const [toFull, toShort] = [makeDay('2026-02-27'), makeDay('2026-02-28')]
const opening = () => makeUp({ hex: '100301', time: '2026-02-26T12:00:00Z' })

test('rows are full while a process of the previous release lives', async () => {
  await services.db.query(
    `insert into processes (id, alive_until, migration)
     values ($1, clock_timestamp() + interval '1 hour', 38)`,
    [randomUUID()],
  )
  const send = startProcess()
  for (const up of toFull) await send(up)
  assert.deepEqual(await countRows(), { stored: frames.length, full: frames.length, short: 0 })
})

test('they are short after it, and repeats are found among both', async () => {
  await services.db.query('delete from processes')
  const send = startProcess()
  // The first of a process is full: it asks meanwhile whether others live.
  while ((await countRows())?.short === 0) await send(opening())
  const { stored = 0 } = (await countRows()) ?? {}
  for (const up of toShort) await send(up)
  for (const up of [...toFull, ...toShort]) await send(up)
  const counts = await countRows()
  assert.equal(counts?.stored, stored + frames.length)
  assert.ok((counts?.short ?? 0) >= frames.length - 10, `${counts?.short} of ${frames.length}`)
})

test('both forms read the same', async () => {
  const { data } = await read('/devices/all/uplink?itemsPerPage=1000')
  const full = data.slice(-frames.length)
  const short = data.slice(0, frames.length)
  const contentOf = ({ id: _, event_time: __, ...uplink }: { id: number; event_time: string }) =>
    uplink
  assert.deepEqual(short.map(contentOf), full.map(contentOf))
  assert.ok(new Set(short.map((one: { event_type: string }) => one.event_type)).size > 20)

  const { text } = await call('POST', '/v1/devices/all/uplink')
  const lines = text.trimEnd().split('\r\n').slice(1)
  const withoutDay = (line: string) => line.replace(/2026-02-2./, '')
  assert.deepEqual(
    lines.slice(0, frames.length).map(withoutDay),
    lines.slice(-frames.length).map(withoutDay),
  )
})

test('both forms are found by their text and their event type', async () => {
  for (const query of ['search=CELSIUS', 'event_type=TAMPER', 'search=opened', 'search=%25']) {
    const { data } = await read(`/fleet/uplinks?limit=1000&${query}`)
    const { data: all } = await read('/fleet/uplinks?limit=1000')
    const [key, word = ''] = query.split('=').map(decodeURIComponent)
    const isFound = ({ text, event_type }: { text: string; event_type: string }) =>
      key === 'search' ? text.toLowerCase().includes(word.toLowerCase()) : event_type === word
    assert.ok(data.length >= 2, query)
    assert.deepEqual(data, all.filter(isFound), query)
  }
})

test('every event type of a built-in sensor has a number', () => {
  const events = layouts.flatMap(({ messages }) => messages.map(({ event }) => event))
  assert.deepEqual(
    events.filter((event) => !eventTypes.includes(event)),
    [],
  )
  // Stored rows have these numbers.
  const [first, , , , , , , , , , , door] = eventTypes
  assert.deepEqual([first, door, eventTypes[37]], ['UNKNOWN', 'DOOR_SENSOR', eventTypes.at(-1)])
})
