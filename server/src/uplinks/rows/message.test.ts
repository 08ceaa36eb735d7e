import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  connectChirpStack,
  exampleEui,
  makeUp,
  post,
  type TestCallback,
} from '../../../test/chirpstack-uplinks.ts'
import { addLocalDevice } from '../../../test/fleet.ts'
import { startTestService } from '../../../test/service.ts'
import { eventTypes } from '../../sensors/event-types.ts'
import { layouts } from '../../sensors/index.ts'

const service = await startTestService({ after })
const { services, call } = service
const callback: TestCallback = await connectChirpStack(service)
await addLocalDevice(service, exampleEui)

const frames = [
  ...layouts.flatMap(({ examples }) => examples.map(({ hex }) => hex)),
  '',
  'aa',
  '90ee',
]

async function send(up: ReturnType<typeof makeUp>) {
  const { status, text } = await post(service, callback, up)
  assert.equal(status, 200, text)
}

async function read(path: string) {
  const { status, body, text } = await call('GET', `/v1${path}`)
  assert.equal(status, 200, text)
  return body
}

const day = frames.map((hex) => makeUp({ hex, time: '2026-02-28T12:00:00Z' }))

test('messages that the payload tells are not stored', async () => {
  for (const up of [...day, ...day]) await send(up)
  const [counts] = await services.db.query<Record<'stored' | 'left', number>>(
    `select count(*) as stored, count(*) filter (where decoded_message is null) as left from uplinks`,
  )
  assert.equal(counts?.stored, frames.length)
  assert.ok((counts?.left ?? 0) >= frames.length - 10, `${counts?.left} of ${frames.length}`)
})

test('uplinks are found by their text and their event type', async () => {
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

test('the database has every event type of a built-in sensor', async () => {
  const rows = await services.db.query<{ name: string }>(
    'select unnest(enum_range(null::uplink_event))::text as name',
  )
  const names = rows.map(({ name }) => name)
  assert.deepEqual(names, eventTypes)
  const events = layouts.flatMap(({ messages }) => messages.map(({ event }) => event))
  assert.deepEqual(
    events.filter((event) => !names.includes(event)),
    [],
  )
})
