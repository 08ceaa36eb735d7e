import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after } from 'node:test'
import { chirpStackFiles, zipOf } from './catalogues.ts'
import { addGateway, addGroup, addLocalDevice, gatewayOf, registrationOf } from './fleet.ts'
import { tinyPlan } from './floor-plans.ts'
import { joinMember, memberPassword } from './members.ts'
import { startChirpStack } from './network.ts'
import type { ValidRequest } from './requests.ts'
import { ownerEmail, ownerPassword, type TestService } from './service.ts'
import {
  accountNowhere,
  addMovable,
  connectNowhere,
  makeDeletedDashboard,
  makeJob,
  makeLink,
  senetId,
} from './things.ts'

type Special = Record<string, Partial<ValidRequest>>

const uplinkExample = new URL('../src/networks/chirpstack/examples/up.json', import.meta.url)

/** For tests: what a request needs that its route does not say (`requests.ts`). */
export async function specialRequests(service: TestService): Promise<Special> {
  return {
    ...fleetRequests(service),
    ...(await jobRequests(service)),
    ...catalogueRequests(service),
    ...loginRequests(),
    ...(await accountRequests(service)),
    ...messageRequests(service),
    ...organizationRequests(service),
  }
}

function fleetRequests(service: TestService): Special {
  const mute = { body: { until: null } }
  let made = 500
  return {
    'POST /devices': { body: registrationOf(2, { action: 'validate' }) },
    'GET /devices/:device_id/uplinks/:uplink_id/frame': {
      stranger: { status: 404, message: 'Uplink not found' },
    },
    'POST /devices/:device_id/move': {
      body: { network: senetId, registerMethod: 'user_account' },
      prepare: async () => {
        made += 1
        return { path: `/devices/${await addMovable(service, made)}/move` }
      },
    },
    'POST /devices/:device_id/alerts/mute': mute,
    'POST /alert-rules/:rule_id/mute': mute,
    'PATCH /alert-rules/:rule_id': { body: { name: 'Renamed' } },
    'POST /alert-rules/preview': { body: { name: 'Cases', kind: 'tamper' } },
    'POST /dashboards': { body: { name: 'Cold chain', widgets: [] } },
    'POST /dashboards/data': { body: { widgets: [] } },
    'PATCH /dashboards/:dashboard_id': { body: { name: 'Renamed' } },
    'POST /dashboards/:dashboard_id/restore': {
      prepare: async () => ({ path: `/dashboards/${await makeDeletedDashboard(service)}/restore` }),
    },
    'GET /shared-dashboards/:token': {
      prepare: async () => ({ path: `/shared-dashboards/${await makeLink(service)}` }),
      status: 200,
    },
    'POST /shared-dashboards/:token/data': {
      prepare: async () => ({ path: `/shared-dashboards/${await makeLink(service)}/data` }),
      status: 200,
    },
    'GET /shared-dashboards/:token/plans/:plan': {
      prepare: async () => ({ path: `/shared-dashboards/${await makeLink(service)}/plans/0-0` }),
    },
    // It has no password.
    'POST /shared-dashboards/:token/pass': {
      prepare: async () => ({ path: `/shared-dashboards/${await makeLink(service)}/pass` }),
      status: 403,
    },
    // Without a mail server.
    'POST /reports/:report_id/send': { status: 409 },
    'PATCH /alerts/:alert_id': { body: { note: 'Ladder needed' } },
    'POST /alerts/acknowledge': { body: { ids: [] } },
    'POST /webhooks/:webhook_id/replay': { body: { dead_letters: true } },
    'POST /device-groups': { body: { groupName: 'B', selectedDevices: [], selectedGroup: null } },
    'PATCH /device-groups/:group_id': {
      body: { groupName: 'B', selectedDevices: [], selectedGroup: null },
    },
    'POST /batch-group-requests': {
      body: {
        groups: [{ action: 'create', groupName: 'A', selectedDevices: [], selectedGroup: [] }],
      },
    },
    'PATCH /fleet/groups/:group_id': { body: { name: 'C', parent_id: null } },
    'POST /fleet/groups/:group_id/devices': { body: { add: [], remove: [] } },
    'POST /gateways': { body: gatewayOf(0, { gateway_bridge: 'lora' }), status: 422 },
    'POST /gateways/:gateway_id/rotate-token': {
      prepare: async () => {
        made += 1
        const gateway = await addGateway(service, made, { gateway_bridge: 'other' })
        return { path: `/gateways/${gateway.id}/rotate-token` }
      },
    },
    // There are no plans. Other tests check subscriptions.
    'POST /subscription': { body: { plan_code: 'none' }, status: 422 },
    'DELETE /subscription': { status: 404 },
  }
}

async function jobRequests(service: TestService): Promise<Special> {
  const rows = [{ device_id: '00AA00000000DEAD', device_name: 'Nobody' }]
  const open = (rest: string) => async () => ({
    path: `/jobs/${await makeJob(service, { more: true })}${rest}`,
  })
  const device = await addLocalDevice(service, 400)
  const group = await addGroup(service, 'Configured', { selectedDevices: [device] })
  const path = `/fleet/groups/${group}/configure`
  return {
    'POST /floor-plans': { body: { name: 'Ground floor', group_id: group, image: tinyPlan } },
    'POST /fleet/groups/:group_id/configure': { path, prepare: async () => ({ path }) },
    'POST /jobs': { body: { kind: 'rename', rows } },
    'POST /jobs/:job_id/start': { prepare: open('/start') },
    'POST /jobs/:job_id/rows': { body: { first: 1, rows }, prepare: open('/rows') },
    'PATCH /jobs/:job_id/rows': { body: { rows: [{ number: 1 }] } },
  }
}

/** An archive in place of the address of the examples, which answers nobody here. */
function catalogueRequests(service: TestService): Special {
  const archive = zipOf(chirpStackFiles()).toString('base64')
  const make = async (path: string, body: object) => {
    const answer = await service.call('POST', `/v1/device-catalogue/${path}`, { body })
    assert.equal(answer.status, 201, answer.text)
    return answer.body.data.id
  }
  const makeModel = async () =>
    `${await make('sources', { name: 'Probes', archive })}.acme.cold-probe`
  const makeUpdate = async () => ({
    path: `/device-types/${await make(`${await makeModel()}/types`, {})}/catalogue-update`,
  })
  return {
    'POST /device-catalogue/sources': { body: { name: 'Probes', archive } },
    'PATCH /device-catalogue/sources/:source_id': { body: { name: 'Renamed' } },
    // What was sent as an archive is not fetched. Other tests fetch.
    'POST /device-catalogue/sources/:source_id/fetch': { status: 422 },
    // Built-in models are everybody's.
    'GET /device-catalogue/:model_id': { stranger: { status: 200 } },
    'POST /device-catalogue/:model_id/types': {
      body: {},
      prepare: async () => ({ path: `/device-catalogue/${await makeModel()}/types` }),
      stranger: { status: 422 },
    },
    'GET /device-types/:id/catalogue-update': { prepare: makeUpdate },
    'POST /device-types/:id/catalogue-update': { prepare: makeUpdate },
  }
}

const newPasskey = {
  token: 'made up',
  name: 'Phone',
  credential: {
    id: 'AAAA',
    rawId: 'AAAA',
    type: 'public-key',
    response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' },
  },
}

function loginRequests(): Special {
  const body = { email: ownerEmail, password: ownerPassword }
  // The steps lack a valid token and are refused. Other tests check them.
  const refused = { status: 422 }
  return {
    'POST /auth/login': { body },
    'POST /auth/session': { body },
    'DELETE /auth/session': {
      prepare: async () => ({
        path: '/auth/session',
        headers: { 'x-requested-with': 'console' },
      }),
    },
    // The service of these tests has no single sign-on. Other tests check it.
    'POST /auth/sign-on': { status: 404 },
    'POST /auth/sign-on/finish': { body: { query: 'code=a' }, status: 404 },
    'POST /auth/sign-on/code': {
      body: { verify_2fa: 'yes', authentication_code: '123456' },
      status: 404,
    },
    'DELETE /auth/sign-on': {
      prepare: async () => ({
        path: '/auth/sign-on',
        headers: { 'x-requested-with': 'console' },
      }),
    },
    'POST /auth/password-reset/confirm': refused,
    'POST /auth/invitation': refused,
    'POST /auth/invitation/accept': refused,
    'POST /confirm-password-access': { body: { password: memberPassword } },
    'POST /generate-qr-image': refused,
    'POST /verify-two-factor-authentication': refused,
    'POST /complete-verification': refused,
    'POST /disable-authentication': refused,
    'POST /auth/passkey/options': refused,
    // Browsers have no passkeys at the address of these tests. Other tests check them.
    'POST /user/passkeys/options': { status: 409 },
    'POST /user/passkeys': { body: newPasskey, status: 409 },
    'PATCH /user/passkeys/:passkey_id': { path: '/user/passkeys/999999', status: 404 },
    'DELETE /user/passkeys/:passkey_id': { ...refused, stranger: refused },
    // The same password is refused, so the callers keep theirs.
    'POST /user/password': {
      body: { current_password: memberPassword, password: memberPassword },
      status: 422,
    },
  }
}

async function accountRequests(service: TestService): Promise<Special> {
  const path = '/network-accounts/chirpstack'
  // The other organization connects an account of its own.
  const stranger = { status: 200 }
  const simulator = await startChirpStack({ after })
  const eui = { path: `${path}/quarantine/00AA000000000009?register_method=vendor`, status: 404 }
  const row = { kind: 'device', eui: '00AA0000000000F1', action: 'adopt', device_type: 16 }
  return {
    'PUT /network-accounts/:network': { body: accountNowhere, stranger },
    'POST /network-accounts/:network/check': { body: accountNowhere, stranger },
    'POST /network-accounts/:network/choices': { body: accountNowhere, stranger },
    'PUT /network-accounts/:network/profiles': {
      body: { profiles: [] },
      prepare: async () => {
        await connectNowhere(service, 'user_account')
        return { path: `${path}/profiles` }
      },
      stranger,
    },
    // Nothing is in the quarantine; other tests put something there.
    'GET /network-accounts/:network/quarantine/:eui': { ...eui, prepare: async () => eui },
    'DELETE /network-accounts/:network/quarantine/:eui': { ...eui, prepare: async () => eui },
    // The only request about accounts that a network must answer.
    'POST /network-accounts/:network/reconcile': {
      body: { register_method: 'vendor', rows: [row], adopt_all: { device_type: 16 } },
      prepare: async () => {
        for (const register_method of ['user_account', 'vendor']) {
          const body = { ...simulator.account, register_method }
          const answer = await service.call('PUT', `/v1${path}`, { body })
          assert.equal(answer.status, 200, answer.text)
        }
        return { path: `${path}/reconcile` }
      },
    },
    'POST /network-accounts/:network/take-over': {
      body: { register_method: 'vendor', dry_run: true },
      prepare: async () => {
        const body = { ...simulator.account, register_method: 'vendor' }
        const answer = await service.call('PUT', `/v1${path}`, { body })
        assert.equal(answer.status, 200, answer.text)
        return { path: `${path}/take-over` }
      },
    },
  }
}

/** Messages of networks and gateways. */
function messageRequests(service: TestService): Special {
  const address = '/callbacks/chirpstack/00000000-0000-4000-a000-000000000009'
  const body = JSON.parse(readFileSync(uplinkExample, 'utf8'))
  const json = { 'content-type': 'application/json' }
  const message = (rest: string): Partial<ValidRequest> => ({
    path: `${address}${rest}`,
    body,
    status: 200,
    prepare: async () => {
      const { url, header, value } = await connectNowhere(service, 'user_account')
      const path = `${new URL(url).pathname.replace('/v1', '')}${rest}`
      return { path, headers: { [header]: value, ...json } }
    },
  })
  return {
    'POST /callbacks/:network/:account': message('?event=up'),
    'POST /callbacks/:network/:account/:event': message('/up?event=up'),
    'OPTIONS /callbacks/:network/:account': { path: address, status: 204 },
    'POST /callbacks/other/:gateway': {
      path: '/callbacks/other/00000000-0000-4000-a000-000000000009',
      status: 200,
      body: { appeui: '16-ea-76-f6-ab-66-3d-80', gweui: '00-80-00-00-a0-00-0f-4d' },
      prepare: async () => {
        const { id } = await addGateway(service, 600, { gateway_bridge: 'other' })
        const { body } = await service.call('GET', `/v1/gateways/${id}`)
        const { authorisation_token: token, download_link: link } = body.gateway_configs
        const headers = { authorization: `Bearer ${token}`, ...json }
        return { path: new URL(link).pathname.replace('/v1', ''), headers }
      },
    },
  }
}

function organizationRequests(service: TestService): Special {
  let left = 0
  return {
    // Nobody grants what they do not have.
    'POST /api-keys': { body: { name: 'Nobody', permissions: [] } },
    'PATCH /api-keys/:key_id': { body: { name: 'Renamed' } },
    'PATCH /organization/users/:user_id': { body: { permissions: [] } },
    'PATCH /organization/security': { body: { require_two_factor: false } },
    'PUT /map-settings': { body: { kind: 'outline' } },
    // A member is refused; a new person would be one at the second request.
    'POST /organization/users': {
      body: { email: ownerEmail, permissions: [] },
      status: 422,
    },
    'DELETE /organization/users/me': {
      prepare: async () => {
        left += 1
        const { token } = await joinMember(service, `leaver${left}@example.test`)
        return { path: '/organization/users/me', headers: { authorization: `Bearer ${token}` } }
      },
    },
    // The owner has no pending invitation. Other tests check the answers to invitations.
    'POST /user/invitations/:id/accept': { path: '/user/invitations/999999/accept', status: 404 },
    'DELETE /user/invitations/:id': { path: '/user/invitations/999999', status: 404 },
  }
}
