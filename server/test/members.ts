import assert from 'node:assert/strict'
import type { Permission } from '../src/http/endpoint.ts'
import type { Login, TestService } from './service.ts'

/** For tests: a member of organization 1, or of a new organization, made through the API. */
export interface TestMember extends Login {
  userId: number
  email: string
}

export const memberPassword = 'four words make sense'

/** Makes a person join the organization of `as` with these permissions, and logs the person in. */
export async function joinMember(
  service: TestService,
  email: string,
  permissions: readonly Permission[] = [],
  as: Login = service.owner,
): Promise<TestMember> {
  const person = { email, password: memberPassword, first_name: 'Ada', last_name: 'Member' }
  const body = { ...person, permissions }
  const answer = await service.call('POST', '/v1/organization/users', { as, body })
  const login = await service.logIn(email, memberPassword, as.organizationId)
  if (answer.status !== 201) {
    assert.equal(answer.status, 202, answer.text)
    await acceptLatest(service, login)
  }
  const me = await service.call('GET', '/v1/user/get-org-user/me', { as: login })
  return { ...login, userId: me.body.data.id, email }
}

/** Accepts the latest pending invitation of a user. Returns the organization. */
export async function acceptLatest(service: TestService, as: Login) {
  const list = await service.call('GET', '/v1/user/invitations', { as })
  const { id } = list.body.data.at(-1)
  const answer = await service.call('POST', `/v1/user/invitations/${id}/accept`, { as })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}

/**
 * Makes an organization below that of `as` with its own owner, and logs the owner in. Below
 * organization 1 it is a tenant; below another it belongs to the tenant of that.
 */
export async function foundOrganization(
  service: TestService,
  ownerEmail: string,
  as: Login = service.owner,
): Promise<TestMember> {
  const owner = {
    email: ownerEmail,
    password: memberPassword,
    first_name: 'Bo',
    last_name: 'Owner',
  }
  const body = { name: `Organization of ${ownerEmail}`, owner }
  const answer = await service.call('POST', '/v1/organizations', { as, body })
  assert.equal(answer.status, 201, answer.text)
  const login = await service.logIn(ownerEmail, memberPassword, answer.body.data.id)
  return { ...login, userId: answer.body.data.account.user_id, email: ownerEmail }
}
