import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { jobs } from '../src/jobs.ts'
import { connectChirpStack, makeUp, post } from './chirpstack-uplinks.ts'
import { periodOf } from './downlinks.ts'
import { addDevice, addGateway, addGroup, euiOf, gatewayEuiOf } from './fleet.ts'
import { tinyPlan } from './floor-plans.ts'
import { makeForeignWorld } from './foreign-world.ts'
import { quarterly, subscribe } from './plans.ts'
import { createWorld } from './requests.ts'
import { ownerEmail, ownerPassword, startTestService } from './service.ts'

/** No table grows for ever: each has an age or a number that bounds it, or a reason here. */

const billingPlans = [{ ...quarterly, networks: ['loriot'] }]
const service = await startTestService({ after }, { billingPlans })
const { call, owner, services } = service
const { db } = services

/** A row for each thing that somebody has, and gone with it. */
const own = (thing: string) => ({ reason: `one for each ${thing}` })
const made = (limit: string) => ({ reason: `what members have made: ${limit}` })

/**
 * `job` deletes old rows: those that `isOld` finds, when `age` has set their columns, or those of the rows of
 * `of` that they belong to.
 */
type Bound = { reason: string } | { job: string; age: string; of?: string; isOld?: string }

const closed = `state = 'failed', closed_at = $1`
const done = `state = 'done', finished_at = $1, created_at = $1`

const bounds: Record<string, Bound> = {
  activities: { job: 'remove old activities', age: 'happened_at = $1' },
  activity_chains: own('organization'),
  alert_actions: {
    job: 'remove old alerts',
    of: 'alerts',
    age: `state = 'closed', closed_at = $1`,
  },
  alert_channels: made('100 in an organization'),
  alert_digests: { job: 'remove old alerts', age: 'written_at = $1' },
  alert_messages: { job: 'remove old alerts', age: 'created_at = $1' },
  alert_mutes: own('device'),
  alert_rules: {
    job: 'remove old alerts',
    age: 'deleted_at = $1, is_active = false',
    isOld: 'id not in (select rule_id from alerts)',
  },
  alert_watches: own('organization'),
  alerts: { job: 'remove old alerts', age: `state = 'closed', closed_at = $1` },
  api_keys: made('100 in an organization'),
  callback_withdrawals: { job: 'remove old withdrawals', age: 'created_at = $1' },
  catalogue_models: made('5,000 of a source'),
  catalogue_sources: made('20 in an organization'),
  decoding_runs: own('device type'),
  floor_plans: made('100 in an organization'),
  plan_gateways: made('100 on a floor plan'),
  plan_positions: made('500 on a floor plan'),
  dashboards: { job: 'remove old dashboards', age: 'deleted_at = $1' },
  dashboard_links: { job: 'remove old links', age: 'expires_at = $1' },
  daily_rollups: { reason: 'gone with their uplinks (uplinks/rollups/roll-up.test.ts)' },
  daily_states: { reason: 'gone with their uplinks (uplinks/rollups/roll-up.test.ts)' },
  device_groups: made('trees of 100 levels, which the devices of the quota are in'),
  device_moves: {
    job: 'remove old moves',
    age: `state = 'done', finished_at = $1, due_at = null`,
  },
  notes: made('10,000 in an organization'),
  device_photos: made('10 of a device, 5,000 in an organization'),
  device_rhythms: own('device'),
  device_states: own('device'),
  device_types: made('with up to 256 KiB of codec'),
  devices: {
    job: 'remove deleted devices',
    age: 'deleted_at = $1',
    isOld: 'id not in (select device_id from uplinks)',
  },
  sign_on_identities: own('user and provider'),
  downlink_checks: own('device'),
  downlink_history: { job: 'remove old downlinks', of: 'downlinks', age: closed },
  downlink_queues: own('device'),
  downlinks: { job: 'remove old downlinks', age: closed },
  ending_broker_sessions: { reason: 'given up after some tries (brokers/ending-sessions.test.ts)' },
  frame_memories: own('device'),
  gateway_hours: { reason: 'eight days of hours (gateways/gateway-hours.ts)' },
  gateway_outages: { job: 'remove old outages', age: 'ended_at = $1' },
  gateway_states: own('gateway'),
  gateways: { job: 'remove deleted gateways', age: 'deleted_at = $1' },
  group_trees: own('organization'),
  grouped_devices: { reason: 'the devices of the quota in groups' },
  hourly_rollups: { reason: 'gone with their uplinks (uplinks/rollups/roll-up.test.ts)' },
  idempotency_keys: {
    job: 'remove old keys',
    age: 'expires_at = $1, claimed_until = $1',
  },
  invitations: { job: 'remove old invitations', age: 'expires_at = $1' },
  job_rows: { job: 'remove old jobs', of: 'jobs', age: done },
  jobs: { job: 'remove old jobs', age: done },
  login_failures: {
    job: 'remove old sessions',
    age: 'window_started_at = $1, blocked_until = $1',
  },
  map_settings: { reason: 'one' },
  members: made('invited one by one'),
  network_accounts: made('20 at each network'),
  network_events: { job: 'remove old messages', age: 'received_at = $1' },
  organization_deletions: {
    job: 'remove old deletions',
    age: `state = 'done', finished_at = $1`,
  },
  organization_counters: own('organization'),
  organization_totals: own('organization'),
  organizations: made('the limit of the tenant'),
  passkey_challenges: { job: 'remove old two-factor set-ups', age: 'expires_at = $1' },
  passkeys: { reason: 'ten for each user' },
  password_resets: { job: 'remove old password resets', age: 'expires_at = $1' },
  processes: { reason: 'dead ones are removed after an hour (db/presence.ts)' },
  provisioning: { reason: 'two calls for each device and gateway, tombstones included' },
  push_keys: { reason: 'one' },
  push_subscriptions: { reason: 'ten for each user' },
  quarantined_messages: { job: 'remove old messages', age: 'received_at = $1' },
  reconciliation_differences: { reason: 'replaced by the next comparison' },
  reconciliation_ignores: { reason: 'what the network of an account lists' },
  reconciliations: own('account'),
  recovery_codes: { reason: 'ten for each user' },
  reports: made('50 in an organization'),
  request_counts: { job: 'remove old counts', age: 'started_at = 0' },
  rollup_changes: { reason: 'one for each hour of a device, until it is rolled up again' },
  rollup_cursors: own('organization'),
  schema_migrations: { reason: 'one for each migration' },
  seal_proofs: { reason: 'one for each key that has sealed' },
  // Before the sessions, with which they go too.
  two_factor_tokens: { job: 'remove old two-factor set-ups', age: 'expires_at = $1' },
  sessions: { job: 'remove old sessions', age: 'refreshable_until = $1' },
  subscriptions: {
    job: 'remove old subscriptions',
    age: 'ended_at = $1',
    isOld: 'id <> (select max(id) from subscriptions)',
  },
  two_factors: own('user'),
  uplinks: { reason: 'as long as the organization keeps them (uplinks/retention.test.ts)' },
  user_preferences: own('user'),
  users: { reason: 'people, who may belong to several organizations' },
  webhook_announcements: { reason: 'one for each device and webhook' },
  webhook_attempts: { job: 'remove old deliveries', age: 'attempted_at = $1' },
  webhook_deliveries: {
    job: 'remove old deliveries',
    age: `happened_at = $1, state = 'delivered'`,
  },
  webhooks: made('20 in an organization'),
}

async function run(name: string): Promise<void> {
  const job = jobs.find(([known]) => known === name)
  assert.ok(job, `no job ${name}`)
  await job[2](services, () => false)
}

test('every table has a bound or a reason', async () => {
  const tables = await db.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
     order by relname`,
  )
  assert.deepEqual(
    tables.map(({ name }) => name),
    Object.keys(bounds).toSorted(),
  )
})

async function count(table: string, condition = 'true'): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*) from ${table} where ${condition}`,
  )
  return row?.count ?? 0
}

describe('what is old is deleted', async () => {
  const { stranger } = await createWorld(service)
  await makeForeignWorld(service, stranger)
  await fill()
  const old = new Date('2020-01-01T00:00:00Z')
  for (const [table, bound] of Object.entries(bounds)) {
    if ('reason' in bound) continue
    const { job, age, of = table, isOld } = bound
    // Before any job has run: one may delete what belongs to several tables.
    const found = await count(table, isOld)
    test(`${table}: ${job}`, async () => {
      assert.ok(found > 0, 'there is no row')
      await db.query(`update ${of} set ${age}`, age.includes('$1') ? [old] : [])
      await run(job)
      assert.equal(await count(table, isOld), 0)
    })
  }
})

const rows = [
  `insert into request_counts (subject, started_at, count) values ('x', 0, 1)`,
  `insert into alert_digests (organization_id, rule_id, due_at)
   select organization_id, id, now() from alert_rules where organization_id = 1 limit 1`,
  `insert into alert_actions (organization_id, alert_id, place, at, rule_id, type, state, created_at)
   select organization_id, id, 0, 'open', rule_id, 'webhook', 'done', now() from alerts limit 1`,
  `insert into alert_messages (
     organization_id, key, user_id, subject, body, next_attempt_at, created_at
   ) values (1, 'x', 1, '', '', now(), now())`,
  `insert into passkey_challenges (token_hash, user_id, challenge, expires_at)
   values ('x', 1, '', now())`,
  `insert into callback_withdrawals (
     organization_id, account_id, network, place, sealed_callback, created_at, next_try_at
   ) values (1, 1, 'chirpstack', '', '', now(), now())`,
  `insert into gateway_outages (organization_id, gateway_id, began_at)
   select organization_id, id, now() from gateways limit 1`,
  `insert into network_events (
     organization_id, network_account_id, device_id, kind, occurred_at, deduplication_key, details
   ) values (1, 1, 1, 'join', now(), 'x', '{}')`,
  `insert into organization_deletions (
     organization_id, name, state, organizations, devices, uplinks, organizations_left, devices_left,
     uplinks_left, created_at
   ) values (99, 'x', 'deleting', 0, 0, 0, 0, 0, 0, now())`,
  `insert into password_resets (token_hash, user_id, expires_at) values ('x', 1, now())`,
  `insert into webhook_attempts (
     organization_id, webhook_id, kind, attempted_at, is_delivered, duration_ms
   ) select organization_id, id, 'device', now(), true, 1 from webhooks limit 1`,
]

/** Adds rows to the tables that the requests of all tests leave empty. */
async function fill(): Promise<void> {
  const callback = await connectChirpStack(service)
  await addDevice(service, 0x8001)
  await addGateway(service, 0x8001)
  await post(service, callback, makeUp({ eui: euiOf(0x8001) }))
  await post(service, callback, makeUp({ eui: euiOf(0x8002) }))
  const body = { config_field: periodOf(5) }
  await call('POST', `/v1/devices/${euiOf(0x8001)}/configure`, { body })
  const headers = { 'idempotency-key': 'a' }
  await call('POST', '/v1/device-groups', { body: { groupName: 'A' }, headers })
  await call('POST', '/v1/auth/login', { as: null, body: { email: 'x@y.test', password: 'wrong' } })
  await call('POST', '/v1/confirm-password-access', { body: { password: ownerPassword } })
  await subscribe(service, owner)
  await call('DELETE', '/v1/subscription')
  await subscribe(service, owner)
  await call('POST', '/v1/alert-rules', { body: { name: 'Unused', kind: 'registration_error' } })
  const unused = await call('POST', '/v1/dashboards', { body: { name: 'Unused', widgets: [] } })
  const linksPath = `/v1/dashboards/${unused.body.data.id}/links`
  await call('POST', linksPath, { body: { name: 'Unused' } })
  const plan = { name: 'A', group_id: await addGroup(service, 'B'), image: tinyPlan }
  const { body: made } = await call('POST', '/v1/floor-plans', { body: plan })
  const path = `/v1/floor-plans/${made.data.id}/devices/${euiOf(0x8001)}`
  await call('PUT', path, { body: { x: 0.5, y: 0.5 } })
  const gatewayPath = `/v1/floor-plans/${made.data.id}/gateways/${gatewayEuiOf(0x8001)}`
  await call('PUT', gatewayPath, { body: { x: 0.5, y: 0.5 } })
  for (const statement of rows) await db.query(statement)
}

test('a user has up to 1,000 sessions: the one that was not used for longest ends first', async () => {
  const first = await service.logIn(ownerEmail, ownerPassword, 1)
  await db.query(
    `insert into sessions (user_id, token_hash, created_at, expires_at, refreshable_until, last_used_at)
     select user_id, sha256(number::text::bytea), created_at, expires_at, refreshable_until,
       last_used_at + interval '1 second'
     from (select * from sessions order by id desc limit 1) as newest,
       generate_series(1, 1000) as number`,
  )
  await service.logIn(ownerEmail, ownerPassword, 1)
  const [row] = await db.query<{ count: number }>(
    'select count(*) from sessions where user_id = 1 and ended_at is null',
  )
  assert.equal(row?.count, 1000)
  assert.equal((await call('GET', '/v1/devices', { as: first })).status, 401)
})
