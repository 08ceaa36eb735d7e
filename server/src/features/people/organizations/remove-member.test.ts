import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const url = (userId: unknown) => `/v1/organization/users/${userId}`

// shows 11.3.7
test('ends the membership at once, and only that', async () => {
  const child = await foundOrganization(service, 'both@example.test')
  const both = await joinMember(service, 'both@example.test')
  const answer = await service.call('DELETE', url(both.userId))
  assert.equal(answer.status, 204)
  assert.equal(answer.text, '')
  assert.equal((await service.call('GET', '/v1/organization/users', { as: both })).status, 403)
  assert.equal((await service.call('GET', '/v1/organization/users', { as: child })).status, 200)
  assert.equal((await service.call('DELETE', url(both.userId))).status, 404)
  // Of members who own nothing, too.
  const [here, neighbour] = [
    await joinMember(service, 'plain@example.test'),
    await joinMember(service, 'next@example.test'),
  ]
  const there = await joinMember(service, 'plain@example.test', [], child)
  assert.equal((await service.call('DELETE', url(here.userId))).status, 204)
  const statuses: number[] = []
  for (const as of [here, there, neighbour])
    statuses.push((await service.call('GET', '/v1/user/get-org-user/me', { as })).status)
  assert.deepEqual(statuses, [403, 200, 200])
})

test('lets who was removed be added again', async () => {
  const member = await joinMember(service, 'again@example.test', ['manage_groups'])
  await service.call('DELETE', url(member.userId))
  const again = await joinMember(service, 'again@example.test')
  assert.equal(again.userId, member.userId)
})

test('does not remove the owner', async () => {
  const manager = await joinMember(service, 'manager@example.test', ['manage_account'])
  for (const as of [manager, service.owner]) {
    const answer = await service.call('DELETE', url(1), { as })
    assert.equal(answer.status, 403)
    assert.deepEqual(answer.body, { message: 'The owner of the organization cannot be removed.' })
  }
})

test('lets a manager leave', async () => {
  const manager = await joinMember(service, 'leaving@example.test', ['manage_account'])
  assert.equal((await service.call('DELETE', url(manager.userId), { as: manager })).status, 204)
  assert.equal((await service.call('DELETE', url(manager.userId), { as: manager })).status, 403)
})

test('answers people who are no members like people who do not exist', async () => {
  const stranger = await foundOrganization(service, 'stranger@example.test')
  for (const userId of [stranger.userId, 999_999, 'abc', 99_999_999_999]) {
    const answer = await service.call('DELETE', url(userId))
    assert.equal(answer.status, 404, `${userId}`)
    assert.deepEqual(answer.body, { message: 'User not found' })
  }
  assert.equal((await service.call('GET', '/v1/organization/users', { as: stranger })).status, 200)
})

test('needs manage_account', async () => {
  const member = await joinMember(service, 'writer@example.test', ['manage_devices'])
  assert.equal((await service.call('DELETE', url(member.userId), { as: member })).status, 403)
  assert.equal((await service.call('DELETE', url(member.userId), { as: null })).status, 401)
})
