import assert from 'node:assert/strict'
import { accountRequests } from './account-requests.ts'
import { alertRequests } from './alert-requests.ts'
import { apiKeyRequests } from './api-key-requests.ts'
import { deviceTypeRequests } from './device-types.ts'
import { addDevice, registrationOf } from './fleet.ts'
import { gatewayRequests } from './gateway-requests.ts'
import { jobRequests } from './job-requests.ts'
import { foundOrganization, memberPassword } from './members.ts'
import { moveRequests } from './move-requests.ts'
import { organizationRequests } from './organization-requests.ts'
import { type Login, ownerEmail, ownerPassword, type TestService } from './service.ts'
import { webhookRequests } from './webhook-requests.ts'

/** For tests: one request for every row of the route table. The owner has the right to make it. */
export interface ValidRequest {
  /** The path with its parameters, without the base path. */
  path: string
  body?: Record<string, unknown>
  /** The status of the answer. */
  status: number
  /** Makes once what the request needs for success. Returns the values that change. */
  prepare?(): Promise<{ path: string; headers?: Record<string, string> }>
  /** The answer to the same path for the owner of another organization. */
  stranger?: { status: number; message?: string }
}

type Requests = Record<string, ValidRequest>

interface World {
  /** By method and URL, as in the route table. */
  requests: Requests
  /** The owner of another organization. */
  stranger: Login
}

/**
 * Makes the objects of the requests: a device, a group, a member, an account, and another
 * organization.
 */
export async function createWorld(service: TestService): Promise<World> {
  const stranger = await foundOrganization(service, 'stranger@example.test')
  const requests = {
    ...(await deviceRequests(service)),
    ...(await gatewayRequests(service)),
    ...batchRequests(),
    ...(await deviceTypeRequests(service)),
    ...(await groupRequests(service)),
    ...(await jobRequests(service)),
    ...(await moveRequests(service)),
    ...billingRequests(),
    ...sessionRequests(),
    ...liveRequests(),
    ...twoFactorRequests(),
    ...(await accountRequests(service)),
    ...(await organizationRequests(service)),
    ...(await webhookRequests(service)),
    ...(await apiKeyRequests(service)),
    ...(await alertRequests(service)),
  }
  return { requests, stranger }
}

async function deviceRequests(service: TestService): Promise<Requests> {
  const { id } = await addDevice(service, 1)
  const path = `/devices/${id}`
  const stranger = { status: 404, message: 'device not found' }
  const body = registrationOf(2, { action: 'validate' })
  let next = 100
  const addDoomed = async () => {
    next += 1
    return { path: `/devices/${(await addDevice(service, next)).id}` }
  }
  return {
    'GET /devices': { path: '/devices', status: 200 },
    'GET /devices/:device_id': { path, status: 200, stranger },
    'POST /devices': { path: '/devices', body, status: 200 },
    'PATCH /devices/:device_id': { path, body: { device_name: 'New' }, status: 200, stranger },
    'DELETE /devices/:device_id': { path, status: 204, prepare: addDoomed, stranger },
    'GET /get-device-types': { path: '/get-device-types', status: 200 },
    'GET /device-regions-networks': { path: '/device-regions-networks', status: 200 },
    'GET /devices/:device_id/uplink': { path: `${path}/uplink`, status: 200, stranger },
    'GET /devices/:device_id/measurements': {
      path: `${path}/measurements`,
      status: 200,
      stranger,
    },
    'POST /frames/explain': {
      path: '/frames/explain',
      body: { device_type: 16, payload: '1a0301' },
      status: 200,
    },
    // No uplink has this id.
    'GET /devices/:device_id/uplinks/:uplink_id/frame': {
      path: `${path}/uplinks/0/frame`,
      status: 404,
      stranger: { status: 404, message: 'Uplink not found' },
    },
    'GET /devices/:device_id/radio': { path: `${path}/radio`, status: 200, stranger },
    'GET /devices/:device_id/variables': { path: `${path}/variables`, status: 200, stranger },
    'PUT /devices/:device_id/variables': {
      path: `${path}/variables`,
      body: { variables: { offset: '1' } },
      status: 200,
      stranger,
    },
    'GET /devices/:device_id/battery': { path: `${path}/battery`, status: 200, stranger },
    'GET /devices/:device_id/airtime': { path: `${path}/airtime`, status: 200, stranger },
    'GET /devices/all/uplink': { path: '/devices/all/uplink', status: 200 },
    'POST /devices/all/uplink': { path: '/devices/all/uplink', status: 200 },
    'GET /fleet/devices': { path: '/fleet/devices', status: 200 },
    'GET /fleet/devices/ids': { path: '/fleet/devices/ids', status: 200 },
    'GET /fleet/devices/export': { path: '/fleet/devices/export', status: 200 },
    'GET /fleet/devices/:device_id/arrival': {
      path: `/fleet${path}/arrival`,
      status: 200,
      stranger,
    },
    'GET /fleet/devices/:device_id': { path: `/fleet${path}`, status: 200, stranger },
    ...downlinkRequests(`${path}/configure`),
    ...downlinkListRequests(path),
  }
}

function downlinkRequests(path: string): Requests {
  const known = { status: 200, stranger: { status: 404, message: 'device not found' } }
  const body = { config_field: { islorawan: 1, config_type: 'general', supervisory_period: 129 } }
  return {
    'GET /devices/:device_id/configure/create': { path: `${path}/create`, ...known },
    'GET /devices/:device_id/configure/fields': { path: `${path}/fields`, ...known },
    'POST /devices/:device_id/configure/preview': { path: `${path}/preview`, body, ...known },
    'POST /devices/:device_id/configure': { path, body, ...known },
    'GET /devices/:device_id/configure': { path, ...known },
    'DELETE /devices/:device_id/configure/cancel': { path: `${path}/cancel`, ...known },
  }
}

function downlinkListRequests(path: string): Requests {
  const stranger = { status: 404, message: 'device not found' }
  return {
    'GET /devices/:device_id/downlinks': { path: `${path}/downlinks`, status: 200, stranger },
    'POST /devices/:device_id/downlink': {
      ...{ path: `${path}/downlink`, status: 200, stranger },
      body: { f_port: 10, payload: '0102', valid_seconds: 3600 },
    },
    // No downlink has this id.
    'DELETE /devices/:device_id/downlinks/:downlink_id': {
      path: `${path}/downlinks/0`,
      status: 404,
      stranger,
    },
    'GET /fleet/downlinks': { path: '/fleet/downlinks', status: 200 },
  }
}

function batchRequests(): Requests {
  const { deviceName, deviceId, deviceKey, deviceType } = registrationOf(4)
  const provisioningData = {
    network: 'chirpstack',
    registerMethod: 'vendor',
    deviceKey,
    deviceTypeId: deviceType,
    joinEui: '0000000000000000',
  }
  const devices = [
    { action: 'create', deviceName, deviceId, provisioningData },
    { action: 'update', deviceName: 'Renamed', deviceId, groups: [] },
    { action: 'delete', deviceId },
  ]
  const path = '/batch-device-requests'
  const groups = [{ action: 'create', groupName: 'A', selectedDevices: [], selectedGroup: [] }]
  const groupPath = '/batch-group-requests'
  return {
    [`POST ${path}`]: { path, body: { devices }, status: 200 },
    [`POST ${groupPath}`]: { path: groupPath, body: { groups }, status: 200 },
  }
}

/** These requests are refused, because there are no plans. Other tests check subscriptions. */
function billingRequests(): Requests {
  const path = '/subscription'
  const customer = { first_name: 'Ada', billing_address: { zip: '1' } }
  return {
    'GET /subscription/check/current': { path: `${path}/check/current`, status: 200 },
    'POST /subscription': { path, body: { plan_code: 'none', customer }, status: 422 },
    'DELETE /subscription': { path, status: 404 },
  }
}

function liveRequests(): Requests {
  const uplinks = '/fleet/uplinks'
  const latest = '/get-devices-summary'
  return {
    [`GET ${latest}`]: { path: latest, status: 200 },
    [`POST ${latest}`]: { path: latest, body: { devices: ['00AA000000000001'] }, status: 200 },
    'GET /fleet/summary': { path: '/fleet/summary', status: 200 },
    [`GET ${uplinks}`]: { path: uplinks, status: 200 },
    [`GET ${uplinks}/export`]: { path: `${uplinks}/export`, status: 200 },
    [`GET ${uplinks}/lines`]: { path: `${uplinks}/lines`, status: 200 },
    'GET /events': { path: '/events?follow=no', status: 200 },
  }
}

async function groupRequests(service: TestService): Promise<Requests> {
  const create = async () => {
    const answer = await service.call('POST', '/v1/device-groups', { body: { groupName: 'A' } })
    assert.equal(answer.status, 200, answer.text)
    return { path: `/device-groups/${answer.body.data.id}` }
  }
  const { path } = await create()
  const fleetPath = path.replace('device-groups', 'fleet/groups')
  const stranger = { status: 404, message: 'Group not found' }
  const body = { groupName: 'B', selectedDevices: [], selectedGroup: null }
  return {
    'GET /device-groups': { path: '/device-groups', status: 200 },
    'POST /device-groups': { path: '/device-groups', body, status: 200 },
    'GET /device-groups/:group_id': { path, status: 200, stranger },
    'PATCH /device-groups/:group_id': { path, body, status: 200, stranger },
    'DELETE /device-groups/:group_id': { path, status: 204, prepare: create, stranger },
    'GET /groups': { path: '/groups', status: 200 },
    'GET /groups/:group_id': { path: path.replace('device-', ''), status: 200, stranger },
    'GET /fleet/groups': { path: '/fleet/groups', status: 200 },
    'GET /fleet/groups/:group_id': { path: fleetPath, status: 200, stranger },
    'PATCH /fleet/groups/:group_id': {
      path: fleetPath,
      body: { name: 'C', parent_id: null },
      status: 200,
      stranger,
    },
    'POST /fleet/groups/:group_id/devices': {
      path: `${fleetPath}/devices`,
      body: { add: [], remove: [] },
      status: 200,
      stranger,
    },
  }
}

function sessionRequests(): Requests {
  const body = { email: ownerEmail, password: ownerPassword }
  return {
    'POST /auth/login': { path: '/auth/login', body, status: 200 },
    'GET /auth/refresh-token': { path: '/auth/refresh-token', status: 200 },
    'POST /auth/session': { path: '/auth/session', body, status: 200 },
    'GET /auth/session': { path: '/auth/session', status: 200 },
    'PUT /auth/session': { path: '/auth/session', status: 200 },
    'DELETE /auth/session': {
      path: '/auth/session',
      status: 204,
      prepare: async () => ({
        path: '/auth/session',
        headers: { 'x-requested-with': 'console' },
      }),
    },
    'GET /user/get-org-user/me': { path: '/user/get-org-user/me', status: 200 },
    'GET /logout': { path: '/logout', status: 200 },
    'POST /auth/password-reset': {
      path: '/auth/password-reset',
      body: { email: 'lost@example.test' },
      status: 204,
    },
    'POST /auth/password-reset/confirm': {
      path: '/auth/password-reset/confirm',
      body: { token: 'unknown', password: memberPassword },
      status: 422,
    },
    // The same password is refused, so the callers keep their password.
    'POST /user/password': {
      path: '/user/password',
      body: { current_password: memberPassword, password: memberPassword },
      status: 422,
    },
    'PATCH /user': { path: '/user', body: { time_zone: 'Europe/Lisbon' }, status: 200 },
    'GET /user/preferences': { path: '/user/preferences', status: 200 },
    'PUT /user/preferences': { path: '/user/preferences', body: { views: [] }, status: 200 },
    'PATCH /user/preferences': { path: '/user/preferences', body: { views: [] }, status: 200 },
    'GET /user/sessions': { path: '/user/sessions', status: 200 },
    'DELETE /user/sessions': { path: '/user/sessions', status: 204 },
    // A session belongs to its caller. This id belongs to no caller.
    'DELETE /user/sessions/:session_id': {
      path: '/user/sessions/0',
      status: 404,
      stranger: { status: 404, message: 'Session not found' },
    },
  }
}

/** All but the first lack a valid token and are refused. Other tests check the steps. */
function twoFactorRequests(): Requests {
  const first = '/confirm-password-access'
  const body = {
    token: 'x',
    auth_type: 'authenticator',
    totp2fa_secret: 'JBSWY3DPEHPK3PXP',
    one_time_password: '123456',
  }
  return {
    [`POST ${first}`]: { path: first, body: { password: memberPassword }, status: 200 },
    'POST /generate-qr-image': { path: '/generate-qr-image', body, status: 422 },
    'POST /verify-two-factor-authentication': {
      path: '/verify-two-factor-authentication',
      body,
      status: 422,
    },
    'POST /complete-verification': { path: '/complete-verification', body, status: 422 },
    'POST /disable-authentication': { path: '/disable-authentication', body, status: 422 },
  }
}
