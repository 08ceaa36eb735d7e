import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { joinMember } from '../../../../test/members.ts'
import { startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const { call } = service

test('changes only the names and the time zone of the user', async () => {
  const as = await joinMember(service, 'zone@example.test')
  const body = { first_name: ' Ines ', last_name: 'Mar', time_zone: 'Europe/Lisbon' }
  const answer = await call('PATCH', '/v1/user', { as, body })
  assert.equal(answer.status, 200, answer.text)
  const { name, time_zone } = answer.body.data
  assert.deepEqual([name, time_zone], ['Ines Mar', 'Europe/Lisbon'])
  const session = await call('GET', '/v1/auth/session', { as })
  assert.deepEqual(session.body.data.user, answer.body.data)
  const owner = await call('GET', '/v1/auth/session')
  assert.equal(owner.body.data.user.time_zone, null)
})

test('leaves the times of the API in UTC', async () => {
  await call('PATCH', '/v1/user', { body: { time_zone: 'Asia/Tokyo' } })
  const { body } = await call('GET', '/v1/user/get-org-user/me')
  assert.deepEqual([body.data.timezone_format, body.data.timezone_id], ['UTC', 1])
})

test('takes null for the zone of the browser, and leaves out what is not named', async () => {
  await call('PATCH', '/v1/user', { body: { time_zone: 'UTC' } })
  const kept = await call('PATCH', '/v1/user', { body: { first_name: 'Ada' } })
  assert.deepEqual([kept.body.data.first_name, kept.body.data.time_zone], ['Ada', 'UTC'])
  const { body } = await call('PATCH', '/v1/user', { body: { time_zone: null } })
  assert.deepEqual([body.data.first_name, body.data.time_zone], ['Ada', null])
})

test('refuses what is no zone', async () => {
  for (const time_zone of ['', 'Mars/Olympus', '+02:00', 'x'.repeat(65), '../etc', 7]) {
    const answer = await call('PATCH', '/v1/user', { body: { time_zone } })
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ['time_zone']])
  }
})
