import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownerEmail, ownerPassword, startTestService } from '../../../../test/service.ts'
import { removeOldSessions } from './sessions.ts'

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
