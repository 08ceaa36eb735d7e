import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { routes } from '../src/routes.ts'
import { chirpStackFiles, startGitHost, writeFolder, zipOf } from './catalogues.ts'
import { connectChirpStack, makeUp, post } from './chirpstack-uplinks.ts'
import { isCluster } from './citus.ts'
import { periodOf } from './downlinks.ts'
import { addDevice, addGateway, addGroup, euiOf, gatewayOf, registrationOf } from './fleet.ts'
import { tinyPhoto, tinyPlan } from './floor-plans.ts'
import { memberPassword } from './members.ts'
import { quarterly, subscribe } from './plans.ts'
import { addAtNetwork, adoption, startFleet } from './reconciliation.ts'
import { createWorld } from './requests.ts'
import { type Login, startTestService } from './service.ts'
import { browserNowhere, channelNowhere } from './things.ts'

/**
 * A change and its record are in one transaction, so neither is there without the other: the
 * database refuses each record at COMMIT, and then nothing has changed.
 */

// The plan is for a network that no device is at.
const billingPlans = [{ ...quarterly, networks: ['loriot'] }]
const mail = {
  host: '127.0.0.1',
  port: 1,
  isSecure: false,
  login: undefined,
  from: 'a@example.test',
}
const catalogueDir = await writeFolder(chirpStackFiles())
const service = await startTestService({ after }, { billingPlans, mail, catalogueDir })
const { requests } = await createWorld(service)
const { app, call, owner } = service
const { db, provisioner, jobRunner, downlinkSender } = service.services

const gitHost = await startGitHost()
after(() => gitHost.close())

/** A catalogue of the organization. */
async function addSource(): Promise<string> {
  const archive = zipOf(chirpStackFiles()).toString('base64')
  return `/device-catalogue/sources/${await make('/device-catalogue/sources', { name: 'A', archive })}`
}

interface Change {
  path: string
  body?: object | undefined
  headers?: Record<string, string> | undefined
  as?: Login
}

const newcomer = { password: memberPassword, first_name: 'Ada', last_name: 'Member' }

async function queueDownlink(device: number) {
  await addDevice(service, device)
  const body = { config_field: periodOf(5) }
  const queued = await call('POST', `/v1/devices/${euiOf(device)}/configure`, { body })
  return queued.body.downlink_id as number
}

/** Requests that change something, where those of all tests need not. */
const changes: Record<string, () => Promise<Change>> = {
  'POST /devices': async () => ({ path: '/devices', body: registrationOf(0x5001) }),
  'DELETE /devices/:device_id/configure/cancel': async () => {
    await queueDownlink(0x5002)
    return { path: `/devices/${euiOf(0x5002)}/configure/cancel` }
  },
  'DELETE /devices/:device_id/downlinks/:downlink_id': async () => {
    const id = await queueDownlink(0x5003)
    return { path: `/devices/${euiOf(0x5003)}/downlinks/${id}` }
  },
  'POST /device-catalogue/:model_id/types': async () => ({
    path: '/device-catalogue/folder.acme.cold-probe/types',
    body: {},
  }),
  'POST /device-catalogue/sources': async () => ({
    path: '/device-catalogue/sources',
    body: { name: 'A', archive: zipOf(chirpStackFiles()).toString('base64') },
  }),
  'PATCH /device-catalogue/sources/:source_id': async () => ({
    path: await addSource(),
    body: { name: 'B' },
  }),
  'DELETE /device-catalogue/sources/:source_id': async () => ({ path: await addSource() }),
  'POST /device-catalogue/sources/:source_id/fetch': async () => {
    gitHost.push('c'.repeat(40), chirpStackFiles())
    const id = await make('/device-catalogue/sources', { name: 'A', url: gitHost.url })
    return { path: `/device-catalogue/sources/${id}/fetch` }
  },
  'POST /device-types/:id/catalogue-update': async () => ({
    path: `/device-types/${await make('/device-catalogue/folder.acme.valve/types', {})}/catalogue-update`,
  }),
  'POST /gateways': async () => ({ path: '/gateways', body: gatewayOf(0x5001) }),
  'DELETE /jobs/:job_id': async () => {
    const body = { kind: 'rename', rows: [{ device_id: euiOf(1), device_name: 'A' }], more: true }
    return { path: `/jobs/${(await call('POST', '/v1/jobs', { body })).body.data.id}` }
  },
  'POST /network-accounts/:network/reconcile': async () => {
    const { owner: as, simulator } = await startFleet(service)
    addAtNetwork(simulator, 0x20, 'Cellar')
    const path = '/network-accounts/chirpstack/reconcile'
    return { path, body: { rows: [adoption(0x20)] }, as }
  },
  'POST /network-accounts/:network/take-over': async () => {
    const { owner: as, simulator } = await startFleet(service)
    addAtNetwork(simulator, 0x21, 'Attic')
    const types = [{ profile: simulator.deviceProfileId, device_type: 16 }]
    return { path: '/network-accounts/chirpstack/take-over', body: { types }, as }
  },
  'DELETE /network-accounts/:network/quarantine/:eui': async () => {
    await post(service, await connectChirpStack(service), makeUp({ eui: euiOf(0xdead) }))
    return { path: `/network-accounts/chirpstack/quarantine/${euiOf(0xdead)}` }
  },
  'POST /webhooks/:webhook_id/waiting/:delivery_id': async () => {
    const [row] = await db.query<{ webhook_id: number; id: number }>(
      `insert into webhook_deliveries (
         organization_id, webhook_id, device_id, kind, data, happened_at, next_attempt_at, state
       )
       select organization_id, id, 0, 'device', '{}', now(), now(), 'dead' from webhooks limit 1
       returning webhook_id, id`,
    )
    return { path: `/webhooks/${row?.webhook_id}/waiting/${row?.id}` }
  },
  'POST /alerts/acknowledge': async () => {
    const [id] = requests['GET /alerts/:alert_id']?.path.match(/\d+/) ?? []
    return { path: '/alerts/acknowledge', body: { ids: [Number(id)] } }
  },
  'PATCH /alert-channels/:channel_id': async () => ({
    path: `/alert-channels/${await make('/alert-channels', channelNowhere)}`,
    body: { name: 'Renamed' },
  }),
  'DELETE /alert-channels/:channel_id': async () => ({
    path: `/alert-channels/${await make('/alert-channels', channelNowhere)}`,
  }),
  'DELETE /push-subscriptions/:subscription_id': async () => ({
    path: `/push-subscriptions/${await make('/push-subscriptions', browserNowhere)}`,
  }),
  'PUT /floor-plans/:plan_id/devices/:device_id': async () => ({
    path: await placeOnPlan(0x5004),
    body: { x: 0.5, y: 0.5 },
  }),
  'DELETE /floor-plans/:plan_id/devices/:device_id': async () => ({
    path: await placeOnPlan(0x5005),
  }),
  'PATCH /devices/:device_id/photos/:photo_id': async () => ({
    path: await photograph(0x5006),
    body: { caption: 'At the pump' },
  }),
  'DELETE /devices/:device_id/photos/:photo_id': async () => ({ path: await photograph(0x5007) }),
  'DELETE /dashboards/:dashboard_id/links/:link_id': async () => {
    const links = `/dashboards/${await make('/dashboards', { name: 'Hall', widgets: [] })}/links`
    return { path: `${links}/${await make(links, { name: 'Screen' })}` }
  },
  'PUT /floor-plans/:plan_id/gateways/:gateway_id': async () => ({
    path: await placeGatewayOnPlan(0x5016),
    body: { x: 0.5, y: 0.5 },
  }),
  'DELETE /floor-plans/:plan_id/gateways/:gateway_id': async () => ({
    path: await placeGatewayOnPlan(0x5017),
  }),
  'POST /subscription': async () => ({
    ...{ path: '/subscription', body: { plan_code: quarterly.plan_code } },
  }),
  'DELETE /subscription': async () => {
    await subscribe(service, owner)
    return { path: '/subscription' }
  },
  'POST /organization/users': async () => ({
    path: '/organization/users',
    body: { ...newcomer, email: 'new@example.test', permissions: [] },
  }),
}

const noted = [
  ['/devices/:device_id', `/devices/${euiOf(1)}`],
  ['/gateways/:gateway_id', `/gateways/${(await addGateway(service, 0x5006)).id}`],
  ['/fleet/groups/:group_id', `/fleet/groups/${await addGroup(service, 'Noted')}`],
]
for (const [url, thing] of noted) {
  const prepare = async () => ({
    path: `${thing}/notes/${await make(`${thing}/notes`, { text: 'A' })}`,
  })
  changes[`PATCH ${url}/notes/:note_id`] = async () => ({
    ...(await prepare()),
    body: { text: 'B' },
  })
  changes[`DELETE ${url}/notes/:note_id`] = prepare
}

/** Called again for the other way that a request may take. */
const furtherChanges: [string, Change][] = [
  [
    'POST /organization/users',
    { path: '/organization/users', body: { email: 'stranger@example.test', permissions: [] } },
  ],
  [
    'POST /organizations',
    { path: '/organizations', body: { name: 'X', owner: { email: 'stranger@example.test' } } },
  ],
]

/** Where a device is on a floor plan of its own. */
async function placeOnPlan(device: number): Promise<string> {
  const { id } = await addDevice(service, device)
  return placeAt(`devices/${id}`)
}

/** The same for a gateway. */
async function placeGatewayOnPlan(gateway: number): Promise<string> {
  const { id } = await addGateway(service, gateway)
  return placeAt(`gateways/${id}`)
}

async function placeAt(thing: string): Promise<string> {
  const group_id = await addGroup(service, 'Site')
  const plan = await make('/floor-plans', { name: 'Ground floor', group_id, image: tinyPlan })
  const path = `/floor-plans/${plan}/${thing}`
  await call('PUT', `/v1${path}`, { body: { x: 0, y: 0 } })
  return path
}

/** The path of a device's only photo. */
async function photograph(device: number): Promise<string> {
  const { id } = await addDevice(service, device)
  const photos = `/devices/${id}/photos`
  return `${photos}/${await make(photos, { image: tinyPhoto })}`
}

async function make(path: string, body: object): Promise<number> {
  const answer = await call('POST', `/v1${path}`, { body })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.data.id
}

async function prepare(operation: string): Promise<Change> {
  const own = changes[operation]
  if (own) return own()
  const request = requests[operation]
  assert.ok(request, operation)
  const prepared = await request.prepare?.()
  return { path: request.path, body: request.body, ...prepared }
}

/** Some processes go on in the background, and a comparison stores its report before its actions. */
const besides = ['alert_watches', 'reconciliations', 'reconciliation_differences']

const tables = await db.query<{ name: string }>(
  `select relname as name from pg_class
   where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
)
const sums = tables
  .filter(({ name }) => !besides.includes(name))
  .map(
    ({ name }) => `select '${name}' as name,
       md5(coalesce(string_agg(row::text, '' order by row::text), '')) as sum from ${name} as row`,
  )
  .join(' union all ')

async function readAll(): Promise<Map<string, string>> {
  for (const work of [provisioner, jobRunner, downlinkSender]) await work.idle()
  const rows = await db.query<{ name: string; sum: string }>(sums)
  return new Map(rows.map(({ name, sum }) => [name, sum]))
}

/** From now on each COMMIT of a record does this. */
async function setTrap(fault: string): Promise<void> {
  await db.query(
    `create or replace function meet_fault() returns trigger language plpgsql as
     $$ begin ${fault}; return null; end $$`,
  )
  await changeTrigger(
    `create constraint trigger meet_fault after insert on activities
     deferrable initially deferred
     for each row when (new.kind <> 'request') execute function meet_fault()`,
  )
}

/** Citus keeps triggers from those who could harm themselves by them. */
async function changeTrigger(statement: string): Promise<void> {
  await db.transaction(async (tx) => {
    if (isCluster()) await tx.query('set local citus.enable_unsafe_triggers to on')
    await tx.query(statement)
  })
}

/** Makes a request while each COMMIT of a record does this. Returns its status and what has changed. */
async function tryWhile(fault: string, method: string, change: Change) {
  const { token, organizationId } = change.as ?? owner
  await setTrap(fault)
  const before = await readAll()
  const answer = await app.inject({
    method: method as 'POST',
    url: `/v1${change.path}`,
    headers: {
      authorization: `Bearer ${token}`,
      organization: String(organizationId),
      ...change.headers,
    },
    ...(change.body ? { payload: change.body } : {}),
  })
  const now = await readAll()
  await changeTrigger('drop trigger meet_fault on activities')
  const changed = [...now].filter(([name, sum]) => before.get(name) !== sum)
  return { status: answer.statusCode, text: answer.body, changed: changed.map(([name]) => name) }
}

describe('nothing changes without its record', () => {
  const all = routes
    .filter(({ endpoint }) => (endpoint.change ?? 'untold') !== 'untold')
    .map(({ operation }) => [operation, undefined] as const)
  for (const [operation, further] of [...all, ...furtherChanges]) {
    test(operation, async () => {
      const [method = ''] = operation.split(' ')
      const change = further ?? (await prepare(operation))
      const result = await tryWhile("raise exception 'no record'", method, change)
      assert.deepEqual([result.status, result.changed], [500, []], result.text)
    })
  }
})

test('a connection that dies before the commit leaves neither the change nor a record', async () => {
  const change = { path: `/devices/${euiOf(1)}`, body: { device_name: 'Killed' } }
  const fault = 'perform pg_terminate_backend(pg_backend_pid())'
  const result = await tryWhile(fault, 'PATCH', change)
  assert.deepEqual([result.status, result.changed], [503, []], result.text)
  const again = await call('PATCH', `/v1${change.path}`, { body: change.body })
  assert.equal(again.body.data.device_name, 'Killed')
  const { body } = await call('GET', '/v1/fleet/activity')
  assert.deepEqual([body.data[0].action, body.data[0].fields], ['changed', ['device_name']])
})
