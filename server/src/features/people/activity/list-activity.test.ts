import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeKey } from '../../../../test/api-keys.ts'
import { addDevice, registrationOf } from '../../../../test/fleet.ts'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { connect, startChirpStack } from '../../../../test/network.ts'
import { type Login, startTestService } from '../../../../test/service.ts'
import { until } from '../../../../test/until.ts'
import { routes } from '../../../routes.ts'
import { chainActivities } from './chain-activities.ts'
import { createRefusalCounts } from './note-refusals.ts'
import { removeOldActivities } from './remove-old-activities.ts'

const service = await startTestService({ after })

interface Line {
  at: string
  kind: string
  action: string
  subject: string | null
  name: string | null
  count: number | null
  fields: string[]
  user: { email: string }
  key: { name: string } | null
  address: string
  operation: string
  status: number | null
}

async function list(as: Login, query = '') {
  const { status, body, text } = await service.call('GET', `/v1/fleet/activity${query}`, { as })
  assert.equal(status, 200, text)
  return body as { data: Line[]; total: number; after: string | null }
}

test('tells who registered, renamed and deleted a device, by the name it had', async () => {
  const as = await foundOrganization(service, 'devices@example.test')
  const other = await joinMember(service, 'other@example.test', ['manage_devices'], as)
  await addDevice(service, 1, { deviceName: 'Front door' }, as)
  const path = '/v1/devices/00AA000000000001'
  await service.call('PATCH', path, { as: other, body: { device_name: 'Back door' } })
  assert.equal((await service.call('DELETE', path, { as: other })).status, 204)
  const { data, total } = await list(as, '?kind=device')
  const lines = data.map(({ action, subject, name, fields, user }) => [
    ...[action, subject, name, user.email],
    fields.join(),
  ])
  assert.equal(total, 3)
  assert.deepEqual(lines, [
    ['deleted', '00AA000000000001', 'Back door', 'other@example.test', ''],
    ['changed', '00AA000000000001', 'Front door', 'other@example.test', 'device_name'],
    ['registered', '00AA000000000001', 'Front door', 'devices@example.test', ''],
  ])
  assert.equal((await list(as, `?user=${other.userId}`)).total, 2)
  assert.equal((await list(as, '?kind=gateway')).total, 0)
})

test('is silent about what changes nothing, and about refused requests', async () => {
  const as = await foundOrganization(service, 'nothing@example.test')
  const body = registrationOf(2, { action: 'validate' })
  await service.call('POST', '/v1/devices', { as, body })
  await service.call('PATCH', '/v1/devices/00AA0000000000FF', { as, body: { device_name: 'x' } })
  await service.call('POST', '/v1/device-groups', { as, body: {} })
  assert.equal((await list(as)).total, 0)
})

test('a batch is one line for each action, and no line holds a secret', async (t) => {
  const as = await foundOrganization(service, 'batch@example.test')
  const simulator = await startChirpStack(t)
  await connect(service, simulator, {}, as)
  const provisioningData = {
    network: 'chirpstack',
    registerMethod: 'user_account',
    deviceKey: '00112233445566778899AABBCCDDEEFF',
    deviceTypeId: 16,
    joinEui: '0000000000000000',
  }
  const devices = ['00AA0000000000A1', '00AA0000000000A2'].map((deviceId) => ({
    ...{ action: 'create', deviceName: 'Door', deviceId, provisioningData },
  }))
  const sent = { devices: [...devices, { action: 'delete', deviceId: '00AA0000000000FF' }] }
  await service.call('POST', '/v1/batch-device-requests', { as, body: sent })
  const { data } = await list(as)
  assert.deepEqual(
    data.map(({ kind, action, count, subject }) => [kind, action, count, subject]),
    [
      ['device', 'registered', 2, null],
      ['account', 'saved', null, 'chirpstack'],
    ],
  )
  assert.ok(data[1]?.fields.includes('api_key'))
  assert.ok(!JSON.stringify(data).includes(String(simulator.account.api_key)))
})

test('goes on page by page, and refuses unknown filters', async () => {
  const as = await foundOrganization(service, 'pages@example.test')
  for (const groupName of ['A', 'B', 'C']) {
    await service.call('POST', '/v1/device-groups', { as, body: { groupName } })
  }
  const first = await list(as, '?limit=2')
  const next = await list(as, `?limit=2&after=${first.after}`)
  assert.deepEqual(
    [...first.data, ...next.data].map(({ name }) => name),
    ['C', 'B', 'A'],
  )
  assert.equal(next.after, null)
  for (const query of ['kind=sun', 'user=x', 'since=1']) {
    const { status } = await service.call('GET', `/v1/fleet/activity?${query}`, { as })
    assert.equal(status, 422, query)
  }
})

// shows 11.8.6, 11.8.7
test('tells what was refused to members and keys, and counts what repeats itself', async () => {
  const as = await foundOrganization(service, 'refusals@example.test')
  const member = await joinMember(service, 'refused@example.test', [], as)
  const groupName = 'Own'
  const { body } = await service.call('POST', '/v1/device-groups', { as, body: { groupName } })
  const expires_at = new Date(service.services.now().getTime() + 60_000).toISOString()
  const key = await makeKey(service, { group: body.data.id, expires_at }, as)
  await addDevice(service, 3, {}, as)
  const refuse = () => service.call('DELETE', '/v1/devices/00AA000000000003', { as: member })
  for (let sent = 0; sent < 5; sent += 1) assert.equal((await refuse()).status, 403)
  assert.equal((await key.call('GET', '/v1/fleet/devices/00AA000000000003')).status, 404)
  // A stranger is none of the organization's people.
  const headers = { organization: String(as.organizationId) }
  const asked = await service.call('GET', '/v1/fleet/summary', { headers })
  assert.equal(asked.status, 403)
  service.setClock(new Date(service.services.now().getTime() + 3_600_000))
  assert.equal((await key.call('GET', '/v1/fleet/summary')).status, 401)

  const refused = async () => (await list(as, '?outcome=refused')).data
  await until(async () => (await refused()).length === 4)
  const lines = (await refused()).map((line) => ({ ...line, user: line.user.email }))
  const [removal, lookUp, session] = [
    'DELETE /devices/:device_id',
    'GET /fleet/devices/:device_id',
    'GET /fleet/summary',
  ]
  assert.deepEqual(
    lines
      .map(({ operation, status, subject, count, user, key: ofKey, address, action }) =>
        [operation, status, subject, count, user, ofKey?.name, address, action].join(' '),
      )
      .sort(),
    [
      `${removal} 403 00AA000000000003  refused@example.test  127.0.0.1 refused`,
      `${removal} 403  4 refused@example.test  127.0.0.1 refused`,
      `${lookUp} 404 00AA000000000003  refusals@example.test Building control 127.0.0.1 refused`,
      `${session} 401   refusals@example.test Building control 127.0.0.1 refused`,
    ].sort(),
  )
  assert.equal((await list(as, '?outcome=done&kind=request')).total, 0)
  const [first] = lines.map(({ at }) => at).sort()
  assert.equal((await list(as, `?outcome=refused&until=${first}`)).total, 0)
  const later = await list(as, `?outcome=refused&since=${first}`)
  assert.deepEqual([later.total, later.data.length], [4, 4])
  await chainActivities(service.services)
  const { body: chain } = await service.call('GET', '/v1/fleet/activity/verification', { as })
  assert.equal(chain.data.is_whole, true)
})

test('bounds what a storm of refusals of one member costs', () => {
  const counts = createRefusalCounts()
  const refusal = { organizationId: 1, userId: 7, address: '192.0.2.7', subject: 'x', status: 403 }
  let recorded = 0
  for (let sent = 0; sent < 10_000; sent += 1) {
    const operation = `GET /devices/${sent % 50}`
    if (counts.take({ ...refusal, operation }, 1000)) recorded += 1
  }
  assert.equal(recorded, 10)
  assert.deepEqual(counts.empty(3_600_999), [])
  const more = counts.empty(3_601_000)
  assert.equal(more.length, 11)
  assert.equal(
    more.reduce((sum, { count }) => sum + count, recorded),
    10_000,
  )
  assert.deepEqual(counts.empty(9_000_000, true), [])
})

test('keeps a year', async () => {
  const as = await foundOrganization(service, 'year@example.test')
  await service.call('POST', '/v1/device-groups', { as, body: { groupName: 'A' } })
  await removeOldActivities(service.services)
  assert.equal((await list(as)).total, 1)
  const later = new Date(service.services.now().getTime() + 366 * 24 * 3600 * 1000)
  await removeOldActivities({ ...service.services, now: () => later })
  assert.equal((await list(as)).total, 0)
})

test('every route that may change something says how its change is told', () => {
  let told = 0
  for (const { method, operation, endpoint } of routes) {
    if (method === 'GET' || endpoint.kind !== 'member') {
      assert.equal(endpoint.change, undefined, operation)
    } else if (endpoint.changesNothing !== true) {
      assert.ok(endpoint.change, operation)
      told += 1
    }
  }
  assert.ok(told > 80)
})
