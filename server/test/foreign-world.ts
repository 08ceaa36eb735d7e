import assert from 'node:assert/strict'
import { chirpStackFiles, zipOf } from './catalogues.ts'
import { connectChirpStack, makeOrganization, makeUp, post } from './chirpstack-uplinks.ts'
import { addType } from './device-types.ts'
import { periodOf } from './downlinks.ts'
import { addDevice, addGateway, addGroup, addLocalDevice, euiOf, gatewayEuiOf } from './fleet.ts'
import { tinyPhoto, tinyPlan } from './floor-plans.ts'
import type { ForeignKind } from './id-meanings.ts'
import { joinMember } from './members.ts'
import { type Login, ownerEmail, type TestService } from './service.ts'
import { browserNowhere, channelNowhere, senetId } from './things.ts'

/** For tests: another organization that has one of everything, whose ids nobody else may use. */

/** Ids that nobody has. */
export const unknownIds = { number: 6_999_999, eui: '00FF00000000DEAD', name: 'Nobody' } as const

type Ids = readonly (string | number)[]

export interface ForeignWorld {
  /** What the other organization has of a kind. */
  foreign(kind: ForeignKind): Ids
  /** What the caller's own organization has, outside the group of limited callers. */
  outside(kind: ForeignKind): Ids
  /** All rows of the other organization. */
  snapshot: { before: Map<string, string>; read(): Promise<Map<string, string>> }
}

export async function makeForeignWorld(service: TestService, as: Login): Promise<ForeignWorld> {
  const { db } = service.services
  // So that no number stands anywhere else in an answer.
  const sequences = await db.query<{ name: string }>(
    `select sequencename as name from pg_sequences where schemaname = 'public'`,
  )
  for (const [index, { name }] of sequences.entries()) {
    await db.query('select setval($1::text::regclass, $2)', [name, 7_000_000 + index * 1000])
  }
  const all = await makeAll(service, as)
  const device = euiOf(0x7f01)
  const own: Partial<Record<ForeignKind, Ids>> = {
    device: [await addLocalDevice(service, device), device],
    deviceEui: [device],
    group: [await addGroup(service, 'Outside')],
  }
  const read = () => readRows(service, as.organizationId)
  return {
    foreign: (kind) => all[kind],
    outside: (kind) => own[kind] ?? [],
    snapshot: { before: await read(), read },
  }
}

async function makeAll(service: TestService, as: Login) {
  const { call } = service
  const device = await addDevice(service, 0x7001, {}, as)
  const gateway = await addGateway(service, 0x7001, {}, as)
  const group = await addGroup(service, 'Foreign', { selectedDevices: [device.id] }, as)
  const make = async (path: string, body: object) => {
    const answer = await call('POST', `/v1${path}`, { as, body })
    assert.ok(answer.status < 300, answer.text)
    return answer.body.data.id as number
  }
  const webhook = await make('/webhooks', {
    name: 'F',
    url: 'http://127.0.0.1:1/',
    events: ['uplink'],
  })
  const rule = await make('/alert-rules', { name: 'F', kind: 'registration_error' })
  const me = (await call('GET', '/v1/user/get-org-user/me', { as })).body.data.id
  const report = await make('/reports', {
    ...{ name: 'F', period: 'weekly', recipients: [me] },
    series: [{ group, quantity: 'air.temperature' }],
  })
  const dashboard = await make('/dashboards', { name: 'F', widgets: [] })
  const link = await make(`/dashboards/${dashboard}/links`, { name: 'F' })
  const channel = await make('/alert-channels', channelNowhere)
  const subscription = await make('/push-subscriptions', browserNowhere)
  const plan = await make('/floor-plans', { name: 'F', group_id: group, image: tinyPlan })
  const note = await make(`/devices/${device.id}/notes`, { text: 'F' })
  const archive = zipOf(chirpStackFiles()).toString('base64')
  const catalogue = await make('/device-catalogue/sources', { name: 'F', archive })
  const photo = await make(`/devices/${device.id}/photos`, { image: tinyPhoto })
  const rows = [{ device_id: euiOf(0x7001), device_name: 'F' }]
  const job = await make('/jobs', { kind: 'rename', rows, more: true })
  const moving = await addLocalDevice(service, 0x7002, {}, as)
  const target = { network: senetId, registerMethod: 'user_account' }
  const move = await make(`/devices/${moving}/move`, target)
  const apiKey = await make('/api-keys', { name: 'F', permissions: [] })
  const queued = await call('POST', `/v1/devices/${device.id}/configure`, {
    as,
    body: { config_field: periodOf(5) },
  })
  const { userId } = await joinMember(service, 'foreign@example.test', [], as)
  await call('POST', '/v1/organization/users', { as, body: { email: ownerEmail, permissions: [] } })
  const invitations = await call('GET', '/v1/organization/invitations', { as })
  const sessions = await call('GET', '/v1/user/sessions', { as })
  const callback = await connectChirpStack(service, { as })
  await post(service, callback, makeUp({ eui: euiOf(0x7001) }))
  await post(service, callback, makeUp({ eui: euiOf(0x7003) }))
  const uplinks = await call('GET', `/v1/devices/${device.id}/uplink`, { as })
  assert.equal(uplinks.body.data.length, 1)
  const { body: account } = await call('PUT', '/v1/network-accounts/loriot', {
    as,
    body: {
      server: 'eu1.loriot.io',
      api_key: 'F',
      application_id: 'BE7A0000',
      account_name: 'Foreign',
    },
  })
  assert.equal(account.data?.account_name ?? 'Foreign', 'Foreign')
  return {
    ...{ device: [device.id, euiOf(0x7001)], deviceEui: [euiOf(0x7001), euiOf(0x7003)] },
    ...{ gateway: [gateway.id, gatewayEuiOf(0x7001)], gatewayEui: [gatewayEuiOf(0x7001)] },
    ...{ group: [group], webhook: [webhook], rule: [rule], job: [job], move: [move] },
    ...{ dashboard: [dashboard], link: [link], report: [report], plan: [plan] },
    ...{ photo: [photo], note: [note], catalogue: [catalogue] },
    channel: [channel],
    subscription: [subscription],
    ...{ apiKey: [apiKey], member: [userId], account: ['Foreign'] },
    organization: [(await makeOrganization(service, 'below', as)).organizationId],
    type: [(await addType(service, {}, as)).id],
    downlink: [queued.body.downlink_id],
    invitation: [invitations.body.data.at(-1).id],
    session: [sessions.body.data.at(-1).id],
    passkey: [await insertPasskey(service, userId)],
    uplink: [uplinks.body.data[0].id],
    delivery: [await insertDelivery(service, as, webhook)],
    alert: [await insertAlert(service, as, rule)],
  } satisfies Record<ForeignKind, Ids>
}

async function insertDelivery({ services }: TestService, as: Login, webhook: number) {
  const [row] = await services.db.query<{ id: number }>(
    `insert into webhook_deliveries (
       organization_id, webhook_id, device_id, kind, data, happened_at, next_attempt_at, state
     )
     values ($1, $2, 0, 'device', '{}', now(), now(), 'dead')
     returning id`,
    [as.organizationId, webhook],
  )
  return row?.id ?? 0
}

async function insertPasskey({ services }: TestService, userId: number) {
  const [row] = await services.db.query<{ id: number }>(
    `insert into passkeys (user_id, name, credential_id, public_key, counter, transports, created_at)
     values ($1, 'Foreign', '\\x01', '\\x02', 0, '{}', now())
     returning id`,
    [userId],
  )
  return row?.id ?? 0
}

async function insertAlert({ services }: TestService, as: Login, rule: number) {
  const [row] = await services.db.query<{ id: number }>(
    `insert into alerts (
       organization_id, rule_id, kind, device_id, state, began_at, changed_at, opened_at, closed_at
     )
     select $1, $2, 'registration_error', min(id), 'closed', now(), now(), now(), now()
     from devices where organization_id = $1
     returning id`,
    [as.organizationId, rule],
  )
  return row?.id ?? 0
}

/** A sum of the rows of each table, without what goes on in the background. */
async function readRows({ services }: TestService, organizationId: number) {
  const { db } = services
  const tables = await db.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'organization_id'
       and table_name not in ('alert_watches', 'network_accounts', 'provisioning')`,
  )
  const sums = tables.map(
    ({ name }) => `select '${name}' as name,
      md5(string_agg(row::text, '' order by row::text)) as sum
      from ${name} as row where organization_id = $1`,
  )
  const rows = await db.query<{ name: string; sum: string | null }>(sums.join(' union all '), [
    organizationId,
  ])
  return new Map(rows.map(({ name, sum }) => [name, sum ?? '']))
}
