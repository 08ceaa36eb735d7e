import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addDevice } from '../../../../test/fleet.ts'
import { startTestService } from '../../../../test/service.ts'
import { until } from '../../../../test/until.ts'
import { announce, type Change, readAnnouncement } from './announce.ts'

const service = await startTestService({ after })
const { services, call } = service

/** The changes that are told from now on, with the ids as text. */
function followChanges(): Change[] {
  const heard: Change[] = []
  const line = services.signals.follow((topic) => {
    const announced = topic === undefined ? undefined : readAnnouncement(topic)
    if (announced) heard.push(announced.change)
  })
  after(() => line.end())
  return heard
}

test('tells of a device that is registered, changed and deleted', async () => {
  const heard = followChanges()
  await until(isListening)
  const { id } = await addDevice(service, 1)
  await until(() => heard.length > 0)
  for (const [method, body] of [
    ['PATCH', { device_name: 'Back door' }],
    ['DELETE', undefined],
  ] as const) {
    heard.length = 0
    await call(method, `/v1/devices/${id}`, { body })
    await until(() => heard.some((change) => change.kind === 'device' && change.id === String(id)))
  }
})

test('tells of many changes as one', async () => {
  const heard = followChanges()
  await until(isListening)
  const changes = Array.from({ length: 51 }, (_, id) => ({ kind: 'device' as const, id }))
  // Announcements are not repeated, so one that comes while nobody listens yet is lost.
  await until(async () => {
    announce(services, 1, ...changes)
    return heard.length > 0
  })
  for (const change of heard) assert.deepEqual(change, { kind: 'device' })
})

test('hears again after the connection to the database was lost', async () => {
  const heard = followChanges()
  await until(isListening)
  await services.db.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where query like 'listen %' and datname = current_database()`,
  )
  await until(async () => {
    announce(services, 1, { kind: 'job', id: 'x' })
    return heard.length > 0
  })
  // The lost connection holds no place in the pool: otherwise each restart of PostgreSQL takes one.
  await until(() => services.db.usage().used === 1)
})

async function isListening(): Promise<boolean> {
  const rows = await services.db.query(
    `select from pg_stat_activity where query like 'listen %' and datname = current_database()`,
  )
  return rows.length > 0
}
