import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { addDevice, registrationOf } from './features/devices/test-devices.ts'
import {
  foundOrganization,
  joinMember,
  memberPassword,
} from './features/organizations/test-members.ts'
import { type Login, ownerEmail, ownerPassword, type TestService } from './test-service.ts'

/** For tests: one request for every line of the route table, which the owner may make. */
export interface ValidRequest {
  /** With its parameters; without the base path. */
  path: string
  body?: Record<string, unknown>
  /** The status that it is answered with. */
  status: number
  /** Makes what the request is to succeed on, once; returns what is different then. */
  prepare?(): Promise<{ path: string; headers?: Record<string, string> }>
  /** The answer to the same path when the owner of another organization asks. */
  stranger?: { status: number; message?: string }
}

/** What the requests are about. */
export interface World {
  service: TestService
  /** The owner of another organization. */
  stranger: Login
  requests: Record<string, ValidRequest>
}

const uplinkExample = new URL('./networks/chirpstack/examples/up.json', import.meta.url)
const account = {
  server: 'http://127.0.0.1:1',
  api_key: 'key',
  tenant_id: '00000000-0000-4000-a000-000000000001',
  application_id: '00000000-0000-4000-a000-000000000002',
  device_profile_id: '00000000-0000-4000-a000-000000000003',
}
const noDevice = { status: 404, message: 'device not found' }
const noGroup = { status: 404, message: 'Group not found' }
const noUser = { status: 404, message: 'User not found' }
const noAccount = { status: 404, message: 'Network account not found' }

/** Makes a device, a member and an account, and the requests about them. */
export async function createWorld(service: TestService): Promise<World> {
  const stranger = await foundOrganization(service, 'stranger@example.test')
  const { id } = await addDevice(service, 1)
  const member = await joinMember(service, 'member@example.test')
  const accounts = '/network-accounts/chirpstack'
  const connect = async (register_method: string) => {
    const body = { ...account, register_method }
    const answer = await service.call('PUT', `/v1${accounts}`, { body })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data.callback
  }
  await connect('vendor')
  // Strangers have none of these, also after their own PUT.
  const vendor = 'register_method=vendor'
  const next = countFrom(100)
  const requests: Record<string, ValidRequest> = {
    'GET /devices': { path: '/devices', status: 200 },
    'GET /devices/:device_id': { path: `/devices/${id}`, status: 200, stranger: noDevice },
    'POST /devices': {
      path: '/devices',
      body: registrationOf(3, { action: 'validate' }),
      status: 200,
    },
    'PATCH /devices/:device_id': {
      path: `/devices/${id}`,
      body: { device_name: 'Renamed' },
      status: 200,
      stranger: noDevice,
    },
    'DELETE /devices/:device_id': {
      path: `/devices/${id}`,
      status: 204,
      prepare: async () => ({ path: `/devices/${(await addDevice(service, next())).id}` }),
      stranger: noDevice,
    },
    'GET /get-device-types': { path: '/get-device-types', status: 200 },
    'GET /device-regions-networks': { path: '/device-regions-networks', status: 200 },
    'POST /batch-device-requests': {
      path: '/batch-device-requests',
      body: { devices: batchItems() },
      status: 200,
    },
    'GET /devices/:device_id/uplink': {
      path: `/devices/${id}/uplink`,
      status: 200,
      stranger: noDevice,
    },
    'GET /devices/all/uplink': { path: '/devices/all/uplink', status: 200 },
    'POST /devices/all/uplink': { path: '/devices/all/uplink', status: 200 },
    ...(await groupRequests(service)),
    'GET /subscription/check/current': { path: '/subscription/check/current', status: 200 },
    // Without plans: subscribing has its own tests.
    'POST /subscription': {
      path: '/subscription',
      body: { plan_code: 'none', customer: { first_name: 'Ada', billing_address: { zip: '1' } } },
      status: 422,
    },
    'DELETE /subscription': { path: '/subscription', status: 404 },
    'POST /auth/login': {
      path: '/auth/login',
      body: { email: ownerEmail, password: ownerPassword },
      status: 200,
    },
    'GET /auth/refresh-token': { path: '/auth/refresh-token', status: 200 },
    'GET /user/get-org-user/me': { path: '/user/get-org-user/me', status: 200 },
    'GET /logout': { path: '/logout', status: 200 },
    'POST /confirm-password-access': {
      path: '/confirm-password-access',
      body: { password: memberPassword },
      status: 200,
    },
    // Without the token of the first step: the steps themselves have their own tests.
    ...refusedSteps(),
    'GET /network-accounts': { path: '/network-accounts', status: 200 },
    'GET /network-accounts/:network': {
      path: `${accounts}?${vendor}`,
      status: 200,
      stranger: noAccount,
    },
    'PUT /network-accounts/:network': {
      path: accounts,
      body: account,
      status: 200,
      stranger: { status: 200 },
    },
    'DELETE /network-accounts/:network': {
      path: `${accounts}?${vendor}`,
      status: 204,
      prepare: () => connect('vendor').then(() => ({ path: `${accounts}?${vendor}` })),
      stranger: noAccount,
    },
    'POST /network-accounts/:network/rotate': {
      path: `${accounts}/rotate?${vendor}`,
      status: 200,
      prepare: () => connect('vendor').then(() => ({ path: `${accounts}/rotate?${vendor}` })),
      stranger: noAccount,
    },
    'POST /callbacks/:network/:account': {
      path: '/callbacks/chirpstack/00000000-0000-4000-a000-000000000009?event=up',
      prepare: async () => {
        const { url, header, value } = await connect('user_account')
        const headers = { [header]: value, 'content-type': 'application/json' }
        return { path: `${new URL(url).pathname.replace('/v1', '')}?event=up`, headers }
      },
      body: JSON.parse(readFileSync(uplinkExample, 'utf8')),
      status: 200,
    },
    'POST /organizations': {
      path: '/organizations',
      body: { name: 'Child', owner: personOf('child') },
      status: 201,
    },
    'GET /organization/users': { path: '/organization/users', status: 200 },
    'POST /organization/users': {
      path: '/organization/users',
      body: { ...personOf('member'), permissions: [] },
      status: 422,
    },
    'PATCH /organization/users/:user_id': {
      path: `/organization/users/${member.userId}`,
      body: { permissions: [] },
      status: 200,
      stranger: noUser,
    },
    'DELETE /organization/users/:user_id': {
      path: `/organization/users/${member.userId}`,
      status: 204,
      prepare: async () => {
        const { userId } = await joinMember(service, `doomed${next()}@example.test`)
        return { path: `/organization/users/${userId}` }
      },
      stranger: noUser,
    },
  }
  return { service, stranger, requests }
}

function batchItems() {
  const { deviceName, deviceId, deviceKey, deviceType } = registrationOf(4)
  const provisioningData = {
    network: 'chirpstack',
    registerMethod: 'vendor',
    deviceKey,
    deviceTypeId: deviceType,
    joinEui: '0000000000000000',
  }
  return [
    { action: 'create', deviceName, deviceId, provisioningData },
    { action: 'update', deviceName: 'Renamed', deviceId, groups: [] },
    { action: 'delete', deviceId },
  ]
}

function refusedSteps(): Record<string, ValidRequest> {
  const body = {
    token: 'x',
    auth_type: 'authenticator',
    totp2fa_secret: 'JBSWY3DPEHPK3PXP',
    one_time_password: '123456',
  }
  const paths = [
    '/generate-qr-image',
    '/verify-two-factor-authentication',
    '/complete-verification',
    '/disable-authentication',
  ]
  return Object.fromEntries(paths.map((path) => [`POST ${path}`, { path, body, status: 422 }]))
}

function personOf(name: string) {
  const email = `${name}@example.test`
  return { email, password: 'four words make sense', first_name: 'Ada', last_name: 'Member' }
}

function countFrom(start: number): () => number {
  let next = start
  return () => next++
}

async function groupRequests(service: TestService): Promise<Record<string, ValidRequest>> {
  const addGroup = async () => {
    const body = { groupName: 'Meadow', selectedDevices: [], selectedGroup: null }
    const answer = await service.call('POST', '/v1/device-groups', { body })
    assert.equal(answer.status, 200, answer.text)
    return `/device-groups/${answer.body.data.id}`
  }
  const path = await addGroup()
  const body = { groupName: 'Renamed' }
  return {
    'GET /device-groups': { path: '/device-groups', status: 200 },
    'POST /device-groups': { path: '/device-groups', body, status: 200 },
    'GET /device-groups/:group_id': { path, status: 200, stranger: noGroup },
    'PATCH /device-groups/:group_id': { path, body, status: 200, stranger: noGroup },
    'DELETE /device-groups/:group_id': {
      path,
      status: 204,
      prepare: async () => ({ path: await addGroup() }),
      stranger: noGroup,
    },
  }
}
