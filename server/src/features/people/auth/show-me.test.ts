import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { foundOrganization, joinMember, memberPassword } from '../../../../test/members.ts'
import { startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const url = '/v1/user/get-org-user/me'
const member = await joinMember(service, 'Member@example.test', ['manage_groups'])
const stranger = await foundOrganization(service, 'stranger@example.test')

// shows 2.17.3, 11.3.8
test('shows an owner with all five permissions', async () => {
  const { status, body } = await service.call('GET', url)
  assert.equal(status, 200)
  assert.deepEqual(body.data.permissions, [
    'manage_account',
    'manage_widget_dashboard',
    'manage_devices',
    'manage_gateways',
    'manage_groups',
  ])
})

// shows 2.17.1, 2.17.2, 5.4.1, 11.3.12
test('shows a member with the permissions held in that organization', async () => {
  const { body } = await service.call('GET', url, { as: member })
  assert.deepEqual(body, {
    data: {
      id: member.userId,
      timezone_format: 'UTC',
      timezone_id: 1,
      name: 'Ada Member',
      email: 'Member@example.test',
      permissions: ['manage_groups'],
      must_change_password: true,
    },
  })
})

// shows 1.2.2, 5.4.1
test('shows the permissions of the organization in the header, not of another', async () => {
  await joinMember(service, 'member@example.test', [], stranger)
  const as = { ...member, organizationId: stranger.organizationId }
  const { body } = await service.call('GET', url, { as })
  assert.deepEqual(body.data.permissions, [])
})

test('answers an organization of others like one that does not exist', async () => {
  const answers = await Promise.all(
    [1, 999_999, 0, 9_999_999_999].map((organizationId) =>
      service.call('GET', url, { as: { ...stranger, organizationId } }),
    ),
  )
  for (const { status, body } of answers) {
    assert.equal(status, 403)
    assert.deepEqual(body, { message: 'You are not a member of this organization.' })
  }
})

test('asks for the Organization header, an integer', async () => {
  const { authorization } = { authorization: `Bearer ${service.owner.token}` }
  const sent = [undefined, '', 'one', '1.5', '-1', '1, 1']
  for (const organization of sent) {
    const headers = organization === undefined ? { authorization } : { authorization, organization }
    const answer = await service.call('GET', url, { as: null, headers })
    assert.equal(answer.status, 400, `${organization}`)
    assert.deepEqual(answer.body, {
      message: 'The Organization header is required and must be an integer.',
    })
  }
})

test('refuses an organization in the query that differs from the header', async () => {
  assert.equal((await service.call('GET', `${url}?organization=1`)).status, 200)
  const other = await service.call('GET', `${url}?organization=${stranger.organizationId}`)
  assert.equal(other.status, 422)
  assert.ok(other.body.errors.organization)
})

test('answers 401 to whoever is not signed in', async () => {
  const tokens = ['unknown', 'A'.repeat(43), `${service.owner.token}x`]
  for (const token of tokens) {
    const answer = await service.call('GET', url, { as: { token, organizationId: 1 } })
    assert.equal(answer.status, 401)
    assert.deepEqual(answer.body, { message: 'Unauthenticated.' })
  }
  assert.equal((await service.call('GET', url, { as: null })).status, 401)
  assert.equal(
    (await service.call('GET', url, { as: null, headers: { organization: '1' } })).status,
    401,
  )
})

test('takes the scheme of the token in any case', async () => {
  const headers = { authorization: `bearer ${service.owner.token}`, organization: '1' }
  assert.equal((await service.call('GET', url, { as: null, headers })).status, 200)
})

test('shuts out a member at once whose membership has ended', async () => {
  const leaver = await joinMember(service, 'leaver@example.test')
  await service.call('DELETE', `/v1/organization/users/${leaver.userId}`)
  assert.equal((await service.call('GET', url, { as: leaver })).status, 403)
  const again = await service.call('POST', '/v1/auth/login', {
    as: null,
    body: { email: leaver.email, password: memberPassword },
  })
  assert.equal(again.status, 200)
  assert.deepEqual(again.body.organizations, [])
})
