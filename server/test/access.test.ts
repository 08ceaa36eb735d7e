import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { type Permission, permissions } from '../src/http/endpoint.ts'
import { endpointList } from './endpoint-list.ts'
import { joinMember } from './members.ts'
import { createWorld } from './requests.ts'
import { type Login, ownerEmail, ownerPassword, startTestService } from './service.ts'

/**
 * Sends every request of the route table with every kind of login, permitted and not permitted, as
 * docs/endpoints.txt says.
 */

const service = await startTestService({ after })
const { requests, stranger } = await createWorld(service)
const { call, owner } = service

const byName = new Map(endpointList.map((listed) => [listed.operation, listed]))

// shows 1.1.1
test('every route has a request here, and every request a route', () => {
  assert.deepEqual(Object.keys(requests).sort(), [...byName.keys()].sort())
})

const unauthenticated = { message: 'Unauthenticated.' }
const noMember = { message: 'You are not a member of this organization.' }
const badHeader = { message: 'The Organization header is required and must be an integer.' }

const badTokens: Record<string, Record<string, string>> = {
  'no token': {},
  'no scheme': { authorization: owner.token },
  'another scheme': { authorization: `Basic ${owner.token}` },
  'an empty token': { authorization: 'Bearer ' },
  'two tokens': { authorization: `Bearer ${owner.token} ${owner.token}` },
  'a malformed token': { authorization: 'Bearer ???' },
  'a token of 10,000 characters': { authorization: `Bearer ${'x'.repeat(10_000)}` },
  'an unknown token': { authorization: `Bearer ${'x'.repeat(owner.token.length)}` },
}

const badOrganizations: Record<string, string | undefined> = {
  'no Organization': undefined,
  'an empty Organization': '',
  'a word as Organization': 'one',
  'a fraction as Organization': '1.5',
  'two Organizations': '1, 1',
  'a negative Organization': '-1',
  'an escape as Organization': '%00',
}

/** No permission is enough for these. */
const forOwners = ['DELETE /organizations/:id']

const foreignOrganizations: Record<string, string> = {
  'the organization of others': String(stranger.organizationId),
  'an organization that nobody has': '999999',
  'the organization 0': '0',
  'an organization beyond the database': '99999999999999999999',
}

/** Members with only one permission, or with all permissions except one. */
const holders = new Map<string, Login>()
async function holderOf(name: string, held: readonly Permission[]): Promise<Login> {
  const known = holders.get(name)
  if (known) return known
  const login = await joinMember(service, `${name}@example.test`, held)
  holders.set(name, login)
  return login
}

for (const [name, { method, url, access: listed }] of byName) {
  const access = listed as Permission | 'public' | 'refresh' | 'token' | 'signed-in'
  const request = () => {
    const found = requests[name]
    assert.ok(found, 'a route without a request')
    return { ...found, path: `/v1${found.path}` }
  }
  const send = (headers: Record<string, string>) =>
    call(method, request().path, { as: null, headers, body: request().body })
  const succeed = async (as: Login | null) => {
    const { path, prepare, body, status } = request()
    const prepared = await prepare?.()
    const { headers = {} } = prepared ?? {}
    const target = prepared ? `/v1${prepared.path}` : path
    const answer = await call(method, target, { as, body, headers })
    assert.equal(answer.status, status, answer.text)
  }

  describe(name, () => {
    if (access === 'public') {
      // shows 1.2.1, 11.2.2
      test('is open to everybody', () => succeed(null))
      return
    }

    for (const [what, headers] of Object.entries(badTokens)) {
      // shows 1.2.1, 10.3.1
      test(`is closed to ${what}`, async () => {
        for (const organization of [{ organization: '1' }, {}]) {
          const answer = await send({ ...headers, ...organization })
          assert.deepEqual([answer.status, answer.body], [401, unauthenticated])
          assert.equal(answer.headers['www-authenticate'], 'Bearer')
        }
      })
    }

    if (access === 'refresh' || access === 'token') {
      // shows 5.3.1, 10.3.3
      test('takes a token, and no organization', async () => {
        const { token } = await service.logIn(ownerEmail, ownerPassword, 1)
        const answer = await send({ authorization: `Bearer ${token}` })
        assert.equal(answer.status, request().status, answer.text)
      })
      return
    }

    const authorization = `Bearer ${owner.token}`
    for (const [what, organization] of Object.entries(badOrganizations)) {
      // shows 1.2.2, 10.3.3, 10.3.4
      test(`refuses ${what}`, async () => {
        const header = organization === undefined ? {} : { organization }
        const answer = await send({ authorization, ...header })
        assert.deepEqual([answer.status, answer.body], [400, badHeader])
      })
    }
    for (const [what, organization] of Object.entries(foreignOrganizations)) {
      // shows 5.1.1, 10.3.5
      test(`is closed to ${what}`, async () => {
        const answer = await send({ authorization, organization })
        assert.deepEqual([answer.status, answer.body], [403, noMember])
      })
    }
    // shows 4.1.3, 10.3.6
    test('refuses another organization in the query than in the header', async () => {
      const { path, body } = request()
      for (const organization of [stranger.organizationId, '', 'x', '1&organization=1']) {
        const query = `${path.includes('?') ? '&' : '?'}organization=${organization}`
        const answer = await call(method, path + query, { body })
        assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ['organization']])
      }
    })

    const { stranger: expected } = requests[name] ?? {}
    if (url.includes(':')) {
      // shows 5.1.1
      test('is about only the own organization', async () => {
        assert.ok(expected, 'a route with an id, but no answer to strangers')
        const { path, body } = request()
        const answer = await call(method, path, { as: stranger, body })
        assert.equal(answer.status, expected.status, answer.text)
        if (expected.message) assert.deepEqual(answer.body, { message: expected.message })
      })
    }

    if (access === 'signed-in') {
      // shows 1.1.2, 9.1.1, 10.3.7
      test('is open to a member without any permission', async () => {
        await succeed(await holderOf('nothing', []))
      })
      return
    }
    if (forOwners.includes(name)) {
      test('is open only to an owner', async () => {
        const as = await holderOf(`only-${access}`, [access])
        const { path, body } = request()
        assert.equal((await call(method, path, { as, body })).status, 403)
        await succeed(owner)
      })
    } else {
      test(`is open to a member with ${access}`, async () => {
        await succeed(await holderOf(`only-${access}`, [access]))
      })
    }
    // shows 10.3.14
    test(`is closed to a member who has all but ${access}`, async () => {
      const others = permissions.filter((permission) => permission !== access)
      const as = await holderOf(`without-${access}`, others)
      const { path, body } = request()
      const answer = await call(method, path, { as, body })
      assert.equal(answer.status, 403, answer.text)
      assert.deepEqual(answer.body, { message: `You do not have the permission ${access}.` })
    })
  })
}
