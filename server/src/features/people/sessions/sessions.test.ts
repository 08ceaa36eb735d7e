import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinMember, memberPassword } from '../../../../test/members.ts'
import {
  type Login,
  ownerEmail,
  ownerPassword,
  startTestService,
} from '../../../../test/service.ts'
import { until } from '../../../../test/until.ts'
import { momentOf } from '../../../http/timestamps.ts'
import { endSessionsBeyond } from './session-queries.ts'
import { createUseNotes, removeOldSessions } from './sessions.ts'

test('clears away sessions that have ended or can be exchanged no more, and no others', async (t) => {
  const service = await startTestService(t)
  const { db } = service.services
  const ended = await service.logIn(ownerEmail, ownerPassword, 1)
  await service.call('GET', '/v1/logout', { as: ended })
  const opened = service.services.now()
  service.setClock(new Date('2026-04-01T12:00:00Z'))
  const later = await service.logIn(ownerEmail, ownerPassword, 1)
  const count = async () => (await db.query('select 1 from sessions')).length

  assert.equal(await count(), 3)
  await removeOldSessions(db, service.services.now())
  assert.equal(await count(), 2)
  await removeOldSessions(db, new Date(opened.getTime() + 44 * 24 * 3600_000))
  assert.equal(await count(), 1)
  const me = await service.call('GET', '/v1/user/get-org-user/me', { as: later })
  assert.equal(me.status, 200)
})

test('of too many sessions those end that were not used for longest, of their user only', async (t) => {
  const service = await startTestService(t)
  const { db, now } = service.services
  const me = '/v1/user/get-org-user/me'
  const logins: Login[] = [await joinMember(service, 'many@example.test')]
  for (const seconds of [60, 120]) {
    service.setClock(new Date(now().getTime() + seconds * 1000))
    logins.push(await service.logIn('many@example.test', memberPassword, 1))
  }
  const [latest] = await db.query<{ user_id: number }>(
    'select user_id from sessions order by id desc limit 1',
  )
  await endSessionsBeyond(db, latest?.user_id ?? 0, 2, momentOf(now()))
  const statuses: number[] = []
  for (const as of [...logins, service.owner])
    statuses.push((await service.call('GET', me, { as })).status)
  assert.deepEqual(statuses, [401, 200, 200, 200])
  await endSessionsBeyond(db, latest?.user_id ?? 0, 0, momentOf(now()))
  assert.equal((await service.call('GET', me)).status, 200)
})

test('notes four uses at a time, each once', async (t) => {
  const { services } = await startTestService(t)
  const note = createUseNotes(services)
  const { promise: written, resolve: write } = Promise.withResolvers<void>()
  const noted: string[] = []
  const use = (used: string) =>
    note(used, () => {
      noted.push(used)
      return written
    })
  for (const used of ['a', 'a', 'b', 'c', 'd', 'e']) use(used)
  assert.deepEqual(noted, ['a', 'b', 'c', 'd'])
  write()
  await until(async () => {
    use('e')
    return noted.includes('e')
  })
})
