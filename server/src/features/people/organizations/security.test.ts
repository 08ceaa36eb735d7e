import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeKey } from '../../../../test/api-keys.ts'
import { enrol } from '../../../../test/authenticator.ts'
import { foundOrganization, joinMember, memberPassword } from '../../../../test/members.ts'
import { type Login, startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after }, { loginRateLimit: 1000 })
const { call } = service
const url = '/v1/organization/security'
const twoFactorRequired = {
  message: 'This organization requires two-factor authentication. Please set it up first.',
}
const sessionEnded = {
  message: 'An administrator has ended your sessions in this organization. Please log in again.',
}

function passSeconds(seconds: number): void {
  service.setClock(new Date(service.services.now().getTime() + seconds * 1000))
}

async function statusOf(as: Login): Promise<number> {
  return (await call('GET', '/v1/devices', { as })).status
}

test('members without two-factor reach only its set-up, where the organization requires it', async () => {
  const owner = await foundOrganization(service, 'strict@example.test')
  const member = await joinMember(service, 'plain@example.test', ['manage_devices'], owner)
  const key = await makeKey(service, {}, owner)
  const elsewhere = { ...(await joinMember(service, 'plain@example.test')), organizationId: 1 }
  const body = { require_two_factor: true }
  const early = await call('PATCH', url, { as: owner, body })
  assert.equal(early.status, 422)
  assert.deepEqual(early.body.errors.require_two_factor, [
    'Set up two-factor authentication for yourself first.',
  ])
  await enrol(service, owner, memberPassword)
  assert.deepEqual((await call('PATCH', url, { as: owner, body })).body, { data: body })
  assert.deepEqual((await call('GET', url, { as: owner })).body, { data: body })

  for (const [method, path] of [
    ['GET', '/devices'],
    ['POST', '/devices'],
    ['GET', '/events'],
    ['GET', '/organization'],
    ['POST', '/disable-authentication'],
  ] as const) {
    const answer = await call(method, `/v1${path}`, { as: member, body: {} })
    assert.deepEqual([answer.status, answer.body], [403, twoFactorRequired], path)
  }
  assert.equal((await call('GET', '/v1/user/get-org-user/me', { as: member })).status, 200)
  const session = await call('GET', '/v1/auth/session', { as: member })
  const required = session.body.data.organizations.map(
    ({ id, requires_two_factor }: { id: number; requires_two_factor: boolean }) => [
      ...[id, requires_two_factor],
    ],
  )
  assert.deepEqual(required, [
    [1, false],
    [owner.organizationId, true],
  ])
  assert.equal(await statusOf(elsewhere), 200)
  assert.equal(await statusOf(owner), 200)
  assert.equal((await key.call('GET', '/v1/devices')).status, 200)

  await enrol(service, member, memberPassword)
  assert.equal(await statusOf(member), 200)
})

test('an administrator ends the sessions of a member, who logs in again', async () => {
  const owner = await foundOrganization(service, 'ending@example.test')
  const admin = await joinMember(service, 'admin@example.test', ['manage_account'], owner)
  const member = await joinMember(service, 'lost@example.test', [], owner)
  const path = `/v1/organization/users/${member.userId}/sessions`
  assert.equal((await call('DELETE', path, { as: member })).status, 403)
  passSeconds(1)
  assert.equal((await call('DELETE', path, { as: admin })).status, 204)
  assert.equal(await statusOf(member), 401)
  assert.equal((await call('GET', '/v1/auth/refresh-token', { as: member })).status, 401)
  passSeconds(1)
  const again = await service.logIn(member.email, memberPassword, owner.organizationId)
  assert.equal(await statusOf(again), 200)
  const { body } = await call('GET', '/v1/fleet/activity', { as: owner })
  const [{ kind, action, name, user }] = body.data
  assert.deepEqual(
    [kind, action, name, user.email],
    ['member', 'logged out', 'lost@example.test', 'admin@example.test'],
  )
})

test('no organization logs anybody out of another', async () => {
  const one = await foundOrganization(service, 'one@example.test')
  const other = await foundOrganization(service, 'other@example.test')
  const member = await joinMember(service, 'both@example.test', [], one)
  const inOther = await joinMember(service, 'both@example.test', [], other)
  passSeconds(1)
  const path = `/v1/organization/users/${member.userId}/sessions`
  assert.equal((await call('DELETE', path, { as: one })).status, 204)
  for (const { token } of [member, inOther]) {
    assert.equal(await statusOf({ token, organizationId: other.organizationId }), 200)
    const refused = { token, organizationId: one.organizationId }
    const answer = await call('GET', '/v1/devices', { as: refused })
    assert.deepEqual([answer.status, answer.body], [403, sessionEnded])
  }
  // A renewed token is of the same session.
  const renewed = await call('GET', '/v1/auth/refresh-token', { as: member })
  assert.equal(renewed.status, 200)
  assert.equal(await statusOf({ ...member, token: renewed.body.token }), 403)
  passSeconds(1)
  assert.equal(
    await statusOf(await service.logIn(member.email, memberPassword, one.organizationId)),
    200,
  )
})
