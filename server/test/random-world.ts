import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { planSchema } from '../src/features/people/billing/plans.ts'
import { openSession } from '../src/features/people/sessions/sessions.ts'
import { findCredentials } from '../src/features/people/users/user-queries.ts'
import { permissions } from '../src/http/endpoint.ts'
import type { OpenApiDocument, Operation } from '../src/http/openapi.ts'
import { unreachableAccount } from './chirpstack-uplinks.ts'
import { foundOrganization, joinMember } from './members.ts'
import { type Described, examplesOf } from './openapi.ts'
import type { RandomRequest } from './random-requests.ts'
import { type Login, ownerEmail, ownerPassword, type TestService } from './service.ts'

/** For tests: a service that has everything that the examples of the document refer to. */
interface RandomWorld {
  /** Makes the objects of requests for an operation again if earlier requests deleted them. */
  restore(method: string, path: string): Promise<void>
  /** Sends a request after its blanks are filled in. */
  send(method: string, path: string, request: RandomRequest): Promise<Answer>
}

export interface Answer {
  status: number
  headers: Record<string, unknown>
  text: string
}

/** The plan in the document's examples. It covers no network on which they register devices. */
export const examplePlan = planSchema.parse({
  plan_code: 'quarterly',
  name: 'Quarterly',
  price: 60,
  interval: 3,
  networks: ['loriot'],
})

/** The values that replace `«name»` in a request. */
type Blanks = Record<string, string | number>

export async function createRandomWorld(
  service: TestService,
  document: OpenApiDocument,
): Promise<RandomWorld> {
  const blanks: Blanks = { email: ownerEmail, password: ownerPassword }
  const stranger = await foundOrganization(service, 'stranger@example.test')
  const member = await joinMember(service, 'reader@example.test')
  await joinMember(service, drifterEmail, permissions)
  const callers = { owner: service.owner, member, stranger, nobody: undefined, unknown }
  let sent = 0
  for (const { make } of makers) Object.assign(blanks, await make(service, document))
  return {
    async restore(method, path) {
      for (const { concerns, make } of makers) {
        if (concerns.test(path)) Object.assign(blanks, await make(service, document))
      }
      if (path === '/subscription') await setSubscription(service, method === 'delete')
    },
    async send(method, path, request) {
      sent += 1
      const login = callers[request.as]
      const token = await tokenFor(service, path, login)
      const headers: Record<string, string> = {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(login ? { organization: String(login.organizationId) } : {}),
        ...(request.as === 'owner' ? secretsFor(path, blanks) : {}),
        ...request.headers,
      }
      const payload = fillPayload(request.payload, blanks, creating.test(path) ? sent : 0)
      const answer = await service.app.inject({
        method: method.toUpperCase() as 'GET',
        url: `/v1${withEnd(path, fill(request.url, blanks))}`,
        headers,
        ...(payload === undefined ? {} : { payload }),
      })
      return { status: answer.statusCode, headers: answer.headers, text: answer.body }
    },
  }
}

/** Asks a stream to end when what was missed is sent. */
function withEnd(path: string, url: string): string {
  if (path !== '/events' || /[?&]follow=/.test(url)) return url
  return `${url}${url.includes('?') ? '&' : '?'}follow=no`
}

const unknown: Login = { token: 'x'.repeat(43), organizationId: 1 }

/** These operations end the token of their request. */
const ending = ['/logout', '/auth/refresh-token', '/auth/session']
/** The user whose sessions end at random. */
const drifterEmail = 'drifter@example.test'

async function tokenFor({ services, owner }: TestService, path: string, login: Login | undefined) {
  const isAboutSessions = path.startsWith('/user/sessions')
  if (login !== owner || !(ending.includes(path) || isAboutSessions)) return login?.token
  const user = await findCredentials(services.db, isAboutSessions ? drifterEmail : ownerEmail)
  assert.ok(user)
  const client = { clientIp: '192.0.2.1', userAgent: undefined }
  return openSession(services.db, user, client, services.now())
}

function secretsFor(path: string, blanks: Blanks): Record<string, string> {
  if (path.startsWith('/callbacks/{network}/{account}')) {
    return { 'x-callback-secret': String(blanks.callbackSecret) }
  }
  if (path === '/callbacks/other/{gateway}') {
    return { authorization: `Bearer ${blanks.gatewayToken}` }
  }
  return {}
}

function fill(url: string, blanks: Blanks): string {
  return url.replaceAll(/«(\w+)»/g, (blank, name) => encodeURIComponent(blanks[name] ?? blank))
}

/**
 * In requests to these paths, the ids and addresses of the examples are new in three of four cases.
 */
const creating = /^\/(devices|gateways|organization\/users)$/

/**
 * Replaces blanks by their values, which are numbers or text, and ids of examples by existing ids.
 */
function fillPayload(payload: RandomRequest['payload'], blanks: Blanks, sent: number) {
  if (typeof payload !== 'string') return payload
  const filled = payload
    .replaceAll(/"«(\w+)»"/g, (blank, name) => JSON.stringify(blanks[name] ?? blank))
    .replaceAll('"selectedDevices":[101]', `"selectedDevices":[${blanks.device}]`)
    // No request may leave this machine.
    .replaceAll('https://chirpstack.example.com', unreachableAccount.server)
  if (sent % 4 === 0) return filled
  return filled
    .replaceAll(/"00AA0{10}[0F]1"/g, `"00CC${sent.toString(16).padStart(12, '0')}"`)
    .replaceAll('"bo@example.com"', `"bo.${sent}@example.com"`)
}

/** Makes one thing if it does not exist, and returns the values that requests may use for it. */
interface Maker {
  /** Matches the paths whose requests may delete the thing or need it. */
  concerns: RegExp
  make(service: TestService, document: OpenApiDocument): Promise<Blanks>
}

const deviceMaker: Maker = {
  concerns: /^\/(devices\/\{|callbacks|device-groups)/,
  async make(service, document) {
    const body = exampleOf(document.paths['/devices']?.post, 'confirm')
    await service.call('POST', '/v1/devices', { body })
    const { id } = await find(service, '/v1/devices', body.deviceId)
    return { device: id, deviceEui: body.deviceId }
  },
}

const gatewayMaker: Maker = {
  concerns: /^\/gateways\/\{/,
  async make(service, document) {
    const body = exampleOf(document.paths['/gateways']?.post)
    await service.call('POST', '/v1/gateways', { body })
    const { id } = await find(service, '/v1/gateways', body.gateway_eui)
    return { gateway: id, gatewayEui: body.gateway_eui }
  },
}

const otherGatewayMaker: Maker = {
  concerns: /^\/callbacks\/other/,
  async make(service, document) {
    const gateway_eui = '00AA0000000000F2'
    const example = exampleOf(document.paths['/gateways']?.post)
    const body = { ...example, gateway_bridge: 'other', gateway_eui }
    await service.call('POST', '/v1/gateways', { body })
    const { id, uuid } = await find(service, '/v1/gateways', gateway_eui)
    const { body: answer } = await service.call('GET', `/v1/gateways/${id}`)
    return { uuid, gatewayToken: answer.gateway_configs.authorisation_token }
  },
}

const accountMaker: Maker = {
  concerns: /^\/(network-accounts\/|callbacks\/\{network)/,
  async make({ call }, document) {
    const example = exampleOf(document.paths['/network-accounts/{network}']?.put)
    const body = { ...example, server: unreachableAccount.server }
    const { body: answer, text } = await call('PUT', '/v1/network-accounts/chirpstack', { body })
    const { url, value } = answer?.data?.callback ?? assert.fail(text)
    return { account: url.split('/').at(-1), callbackSecret: value }
  },
}

const groupMaker: Maker = {
  concerns: /^\/device-groups/,
  async make({ call }, document) {
    const example = exampleOf(document.paths['/device-groups']?.post)
    const body = { ...example, selectedDevices: [], selectedGroup: null }
    const { body: answer, text } = await call('POST', '/v1/device-groups', { body })
    return { group: answer?.data?.id ?? assert.fail(text) }
  },
}

const memberMaker: Maker = {
  concerns: /^\/(auth\/login|organization\/users\/)/,
  async make(service, document) {
    // A new person each time. A removed person is still a user, and would only be invited.
    const email = `member.${randomUUID()}@example.test`
    const body = { ...exampleOf(document.paths['/organization/users']?.post), email }
    await service.call('POST', '/v1/organization/users', { body })
    return { user: (await find(service, '/v1/organization/users', email)).id }
  },
}

const typeMaker: Maker = {
  concerns: /^\/device-types\/\{/,
  async make({ call }, document) {
    const body = exampleOf(document.paths['/device-types']?.post)
    const { body: answer, text } = await call('POST', '/v1/device-types', { body })
    return { type: answer?.data?.id ?? assert.fail(text) }
  },
}

/** Makes the token of the two-factor steps. */
const tokenMaker: Maker = {
  concerns: /-(qr-image|verification|authentication)$/,
  async make({ call }) {
    const body = { password: ownerPassword }
    const { body: answer, text } = await call('POST', '/v1/confirm-password-access', { body })
    return { token: answer?.token_2fa ?? assert.fail(text) }
  },
}

/** In this order: a later one may need what an earlier one makes. */
const makers = [
  ...[accountMaker, deviceMaker, gatewayMaker, otherGatewayMaker],
  ...[groupMaker, memberMaker, tokenMaker, typeMaker],
]

async function setSubscription({ call }: TestService, isWanted: boolean): Promise<void> {
  const body = { plan_code: examplePlan.plan_code }
  await call(isWanted ? 'POST' : 'DELETE', '/v1/subscription', isWanted ? { body } : {})
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into examples and answers freely
function exampleOf(operation: Operation | undefined, name?: string): Record<string, any> {
  const content = (operation?.requestBody as Described | undefined)?.content?.['application/json']
  const examples = content ? examplesOf(content) : []
  const example = examples.find(([title]) => name === undefined || title === name)
  assert.ok(example, `no example ${name ?? ''} of ${operation?.operationId}`)
  return example[1] as Record<string, never>
}

async function find({ call }: TestService, path: string, search: string) {
  const { body, text } = await call('GET', `${path}?search=${encodeURIComponent(search)}`)
  return body?.data?.[0] ?? assert.fail(`${path} has no ${search}: ${text}`)
}
