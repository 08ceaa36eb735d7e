import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after } from 'node:test'
import { startChirpStack } from './network.ts'
import type { ValidRequest } from './requests.ts'
import type { TestService } from './service.ts'

const account = {
  server: 'http://127.0.0.1:1',
  api_key: 'key',
  tenant_id: '00000000-0000-4000-a000-000000000001',
  application_id: '00000000-0000-4000-a000-000000000002',
  device_profile_id: '00000000-0000-4000-a000-000000000003',
}
const uplinkExample = new URL('../src/networks/chirpstack/examples/up.json', import.meta.url)

/** For tests: one request for every row of the route table about accounts at networks. */
export async function accountRequests(service: TestService): Promise<Record<string, ValidRequest>> {
  const path = '/network-accounts/chirpstack'
  // The other organization has no vendor account, even after its own PUT.
  const vendor = `${path}?register_method=vendor`
  const rotate = `${path}/rotate?register_method=vendor`
  const connect = async (register_method: string) => {
    const body = { ...account, register_method }
    const answer = await service.call('PUT', `/v1${path}`, { body })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data.callback
  }
  const connectVendor = (path: string) => () => connect('vendor').then(() => ({ path }))
  await connect('vendor')
  const stranger = { status: 404, message: 'Network account not found' }
  return {
    'GET /network-accounts': { path: '/network-accounts', status: 200 },
    'GET /network-accounts/:network': { path: vendor, status: 200, stranger },
    'PUT /network-accounts/:network': {
      path,
      body: account,
      status: 200,
      stranger: { status: 200 },
    },
    'DELETE /network-accounts/:network': {
      path: vendor,
      status: 204,
      prepare: connectVendor(vendor),
      stranger,
    },
    'POST /network-accounts/:network/rotate': {
      path: rotate,
      status: 200,
      prepare: connectVendor(rotate),
      stranger,
    },
    'POST /network-accounts/:network/check': {
      path: `${path}/check`,
      body: account,
      status: 200,
      stranger: { status: 200 },
    },
    'GET /network-accounts/:network/profiles': {
      path: `${path}/profiles?register_method=vendor`,
      status: 200,
      prepare: connectVendor(`${path}/profiles?register_method=vendor`),
      stranger,
    },
    'PUT /network-accounts/:network/profiles': {
      path: `${path}/profiles`,
      body: { profiles: [] },
      status: 200,
      prepare: () => connect('user_account').then(() => ({ path: `${path}/profiles` })),
      // It has connected an account of its own.
      stranger: { status: 200 },
    },
    'GET /fleet/networks': { path: '/fleet/networks', status: 200 },
    'GET /fleet/billing': { path: '/fleet/billing', status: 200 },
    'GET /fleet/activity': { path: '/fleet/activity', status: 200 },
    'GET /fleet/activity/export': { path: '/fleet/activity/export', status: 200 },
    'GET /fleet/activity/lines': { path: '/fleet/activity/lines', status: 200 },
    'GET /fleet/activity/verification': { path: '/fleet/activity/verification', status: 200 },
    ...quarantineRequests(`${path}/quarantine`, connectVendor, stranger),
    'GET /network-accounts/:network/reconcile': {
      path: `${path}/reconcile?register_method=vendor`,
      status: 200,
      prepare: connectVendor(`${path}/reconcile?register_method=vendor`),
      stranger,
    },
    'POST /network-accounts/:network/reconcile': await reconcileRequest(service, path, stranger),
    'POST /callbacks/:network/:account': {
      path: '/callbacks/chirpstack/00000000-0000-4000-a000-000000000009?event=up',
      body: JSON.parse(readFileSync(uplinkExample, 'utf8')),
      status: 200,
      prepare: async () => {
        const { url, header, value } = await connect('user_account')
        const headers = { [header]: value, 'content-type': 'application/json' }
        return { path: `${new URL(url).pathname.replace('/v1', '')}?event=up`, headers }
      },
    },
    'POST /callbacks/:network/:account/:event': {
      path: '/callbacks/chirpstack/00000000-0000-4000-a000-000000000009/up?event=up',
      body: JSON.parse(readFileSync(uplinkExample, 'utf8')),
      status: 200,
      prepare: async () => {
        const { url, header, value } = await connect('user_account')
        const headers = { [header]: value, 'content-type': 'application/json' }
        return { path: `${new URL(url).pathname.replace('/v1', '')}/up?event=up`, headers }
      },
    },
    'OPTIONS /callbacks/:network/:account': {
      path: '/callbacks/chirpstack/00000000-0000-4000-a000-000000000009',
      status: 204,
    },
  }
}

/** Nothing is in the quarantine; other tests put something there. */
function quarantineRequests(
  path: string,
  connectVendor: (path: string) => NonNullable<ValidRequest['prepare']>,
  stranger: NonNullable<ValidRequest['stranger']>,
): Record<string, ValidRequest> {
  const list = `${path}?register_method=vendor`
  const eui = `${path}/00AA000000000009?register_method=vendor`
  const one = { path: eui, status: 404, prepare: connectVendor(eui), stranger }
  return {
    'GET /network-accounts/:network/quarantine': {
      path: list,
      status: 200,
      prepare: connectVendor(list),
      stranger,
    },
    'GET /network-accounts/:network/quarantine/:eui': one,
    'DELETE /network-accounts/:network/quarantine/:eui': one,
  }
}

/** The only account request that a network must answer. The network is simulated. */
async function reconcileRequest(
  service: TestService,
  account: string,
  stranger: NonNullable<ValidRequest['stranger']>,
): Promise<ValidRequest> {
  const simulator = await startChirpStack({ after })
  const path = `${account}/reconcile`
  const row = { kind: 'device', eui: '00AA0000000000F1', action: 'adopt', device_type: 16 }
  return {
    path,
    body: { register_method: 'vendor', rows: [row], adopt_all: { device_type: 16 } },
    status: 200,
    prepare: async () => {
      // Connects both accounts: a request without `register_method` is about the first one.
      for (const register_method of ['user_account', 'vendor']) {
        const body = { ...simulator.account, register_method }
        const answer = await service.call('PUT', `/v1${account}`, { body })
        assert.equal(answer.status, 200, answer.text)
      }
      return { path }
    },
    stranger,
  }
}
