import assert from 'node:assert/strict'
import { foundOrganization, joinMember, memberPassword } from './members.ts'
import type { ValidRequest } from './requests.ts'
import type { TestService } from './service.ts'

/** For tests: one request for every row of the route table about organizations and members. */
export async function organizationRequests(
  service: TestService,
): Promise<Record<string, ValidRequest>> {
  const { userId } = await joinMember(service, 'member@example.test')
  const path = `/organization/users/${userId}`
  const stranger = { status: 404, message: 'User not found' }
  const personOf = (name: string) => {
    const email = `${name}@example.test`
    return { email, password: memberPassword, first_name: 'Ada', last_name: 'Member' }
  }
  let doomed = 0
  const addDoomed = async () => {
    doomed += 1
    const { userId } = await joinMember(service, `doomed${doomed}@example.test`)
    return { path: `/organization/users/${userId}` }
  }
  const addLeaver = async () => {
    doomed += 1
    const { token } = await joinMember(service, `leaver${doomed}@example.test`)
    return { path: '/organization/users/me', headers: { authorization: `Bearer ${token}` } }
  }
  const { organizationId } = await foundOrganization(service, 'below@example.test')
  const below = `/organizations/${organizationId}`
  const noOrganization = { status: 404, message: 'Organization not found' }
  const addDoomedOrganization = async () => {
    doomed += 1
    const body = { name: 'Doomed', owner: personOf(`founder${doomed}`) }
    const answer = await service.call('POST', '/v1/organizations', { body })
    return { path: `/organizations/${answer.body.data.id}` }
  }
  const child = { name: 'Child', owner: personOf('child') }
  const known = { ...personOf('member'), permissions: [] }
  const all = '/organization/users'
  return {
    'GET /organizations': { path: '/organizations', status: 200 },
    'GET /organizations/:id': { path: below, status: 200, stranger: noOrganization },
    'PATCH /organizations/:id/limits': {
      path: `${below}/limits`,
      body: { organizations: 10 },
      status: 200,
      stranger: noOrganization,
    },
    'DELETE /organizations/:id': {
      path: below,
      body: { name: 'Doomed' },
      status: 202,
      prepare: addDoomedOrganization,
      stranger: noOrganization,
    },
    'GET /organization/deletions': { path: '/organization/deletions', status: 200 },
    'POST /organizations': { path: '/organizations', body: child, status: 201 },
    'GET /organization': { path: '/organization', status: 200 },
    'PATCH /organization': { path: '/organization', body: { name: 'Renamed' }, status: 200 },
    'GET /organization/retention': { path: '/organization/retention', status: 200 },
    'PATCH /organization/retention': {
      path: '/organization/retention',
      body: { uplink_days: null },
      status: 200,
    },
    'GET /organization/security': { path: '/organization/security', status: 200 },
    'PATCH /organization/security': {
      path: '/organization/security',
      body: { require_two_factor: false },
      status: 200,
    },
    'GET /organization/users': { path: all, status: 200 },
    // A person who is already a member is refused. A new person would be a member at the second
    // request.
    'POST /organization/users': { path: all, body: known, status: 422 },
    'PATCH /organization/users/:user_id': {
      path,
      body: { permissions: [] },
      status: 200,
      stranger,
    },
    'DELETE /organization/users/me': { path: `${all}/me`, status: 204, prepare: addLeaver },
    'DELETE /organization/users/:user_id': { path, status: 204, prepare: addDoomed, stranger },
    'DELETE /organization/users/:user_id/sessions': {
      path: `${path}/sessions`,
      status: 204,
      stranger,
    },
    ...invitationRequests(service),
  }
}

function invitationRequests(service: TestService): Record<string, ValidRequest> {
  const sent = '/organization/invitations'
  const none = '/user/invitations/999999'
  const invite = async () => {
    const body = { email: 'guest@example.test', permissions: [] }
    const answer = await service.call('POST', '/v1/organization/users', { body })
    assert.equal(answer.status, 202, answer.text)
    const list = await service.call('GET', `/v1${sent}`)
    return { path: `${sent}/${list.body.data.at(-1).id}` }
  }
  return {
    'GET /organization/invitations': { path: sent, status: 200 },
    'DELETE /organization/invitations/:id': {
      path: `${sent}/999999`,
      status: 204,
      prepare: invite,
      stranger: { status: 404, message: 'Invitation not found' },
    },
    // The owner has no pending invitation. Other tests check the answers to invitations.
    'GET /user/invitations': { path: '/user/invitations', status: 200 },
    'POST /user/invitations/:id/accept': { path: `${none}/accept`, status: 404 },
    'DELETE /user/invitations/:id': { path: none, status: 404 },
  }
}
