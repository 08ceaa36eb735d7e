import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { callWith, makeKey } from '../../../../test/api-keys.ts'
import { addLocalDevice, euiOf } from '../../../../test/fleet.ts'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { ownerEmail, startTestService } from '../../../../test/service.ts'
import { until } from '../../../../test/until.ts'

const start = new Date('2026-03-01T12:00:00.000Z')
const lines: string[] = []
const service = await startTestService(
  { after },
  { trustedProxies: ['127.0.0.1'], takeLine: (line) => lines.push(line) },
)
const { call, services } = service
const hour = 60 * 60 * 1000
const passHours = (hours: number) => service.setClock(new Date(start.getTime() + hours * hour))
await addLocalDevice(service, 1)
beforeEach(async () => {
  service.setClock(start)
  lines.length = 0
  for (const { id } of (await call('GET', '/v1/api-keys')).body.data) {
    await call('DELETE', `/v1/api-keys/${id}`)
  }
})

const device = `/v1/devices/${euiOf(1)}`
const unauthenticated = { message: 'Unauthenticated.' }

test('a key reads like a member, with the header of its organization or without', async () => {
  const key = await makeKey(service)
  assert.match(key.text, /^lfc_1_[\w-]{43}$/)
  for (const headers of [{}, { organization: '1' }]) {
    const answer = await key.call('GET', '/v1/devices?version=lite', { headers })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.body.data.length, 1)
  }
})

test('the key is shown once, and stored as a hash', async () => {
  const key = await makeKey(service)
  assert.equal(key.record.ends_with, key.text.slice(-4))
  const list = await call('GET', '/v1/api-keys')
  const shown = await call('GET', `/v1/api-keys/${key.id}`)
  assert.deepEqual(list.body.data, [shown.body.data])
  assert.ok(!list.text.includes(key.text))
  const rows = await services.db.query<{ row: string }>(
    'select api_keys::text as row from api_keys',
  )
  assert.ok(!JSON.stringify(rows).includes(key.text))
})

test('a key changes what its permissions allow', async () => {
  const reader = await makeKey(service, { name: 'Reader' })
  const body = { device_name: 'Gate' }
  const refused = await reader.call('PATCH', device, { body })
  assert.equal(refused.status, 403)
  assert.deepEqual(refused.body, {
    message: 'This API key does not have the permission manage_devices.',
  })
  const writer = await makeKey(service, { permissions: ['manage_devices'] })
  assert.equal((await writer.call('PATCH', device, { body })).status, 200)
})

test('a key is of no use at another organization', async () => {
  const stranger = await foundOrganization(service, 'stranger@example.test')
  const key = await makeKey(service)
  for (const organization of [String(stranger.organizationId), '999999', 'one']) {
    const answer = await key.call('GET', '/v1/devices', { headers: { organization } })
    assert.equal(answer.status, 403)
    assert.deepEqual(answer.body, { message: 'This API key belongs to another organization.' })
  }
  const forged = key.text.replace('lfc_1_', `lfc_${stranger.organizationId}_`)
  const answer = await callWith(service, forged)('GET', '/v1/devices')
  assert.deepEqual([answer.status, answer.body], [401, unauthenticated])
  const path = `/v1/api-keys/${key.id}`
  assert.equal((await call('GET', path, { as: stranger })).status, 404)
  assert.equal((await call('DELETE', path, { as: stranger })).status, 404)
})

test('an expired and a revoked key are refused like an unknown one', async () => {
  const key = await makeKey(service, { expires_at: '2026-03-01T13:00:00Z' })
  passHours(0.99)
  assert.equal((await key.call('GET', '/v1/devices')).status, 200)
  passHours(1)
  const expired = await key.call('GET', '/v1/devices')
  assert.deepEqual([expired.status, expired.body], [401, unauthenticated])
  assert.equal((await call('GET', `/v1/api-keys/${key.id}`)).body.data.state, 'expired')
  assert.equal((await call('DELETE', `/v1/api-keys/${key.id}`)).status, 204)
  assert.equal((await key.call('GET', '/v1/devices')).status, 401)
  assert.equal((await call('DELETE', `/v1/api-keys/${key.id}`)).status, 404)
})

test('an expired key stays expired: it is neither changed nor rotated', async () => {
  const key = await makeKey(service, { expires_at: '2026-03-01T13:00:00Z' })
  const path = `/v1/api-keys/${key.id}`
  await call('POST', `${path}/rotate`, { body: { overlap_hours: 2 } })
  const unchanged = (await call('GET', path)).body.data
  passHours(1)
  const message = 'This API key has expired and cannot be changed. Make a new one.'
  const changes = [{ expires_at: null }, { expires_at: '2027-03-01T12:00:00Z' }, { name: 'Late' }]
  for (const [method, target, bodies] of [
    ['PATCH', path, changes],
    ['POST', `${path}/rotate`, [{}, { overlap_hours: 0 }]],
  ] as const) {
    for (const body of bodies) {
      const answer = await call(method, target, { body })
      assert.deepEqual([answer.status, answer.body], [409, { message }])
    }
  }
  assert.equal((await key.call('GET', '/v1/devices')).status, 401)
  assert.deepEqual((await call('GET', path)).body.data, { ...unchanged, state: 'expired' })
})

test('after a rotation the former key is valid for the overlap, and no longer', async () => {
  const key = await makeKey(service)
  const path = `/v1/api-keys/${key.id}/rotate`
  const rotated = await call('POST', path, { body: { overlap_hours: 2 } })
  assert.equal(rotated.body.data.former_key_until, '2026-03-01T14:00:00.000000Z')
  const next = callWith(service, rotated.body.data.key)
  const read = async () =>
    Promise.all([key.call, next].map(async (send) => (await send('GET', '/v1/devices')).status))
  assert.deepEqual(await read(), [200, 200])
  passHours(2)
  assert.deepEqual(await read(), [401, 200])
  const last = await call('POST', path, { body: { overlap_hours: 0 } })
  assert.equal(last.body.data.former_key_until, null)
  assert.deepEqual(await read(), [401, 401])
  assert.equal((await callWith(service, last.body.data.key)('GET', '/v1/devices')).status, 200)
  assert.equal((await call('POST', path, { body: { overlap_hours: 169 } })).status, 422)
})

test('a key is used only from its networks', async () => {
  const key = await makeKey(service, { networks: ['192.0.2.0/24', '2001:db8::/32'] })
  const from = (address: string) =>
    key.call('GET', '/v1/devices', { headers: { 'x-forwarded-for': address } })
  for (const address of ['192.0.2.1', '::ffff:192.0.2.200', '2001:db8:1::1']) {
    assert.equal((await from(address)).status, 200, address)
  }
  const outside = await from('198.51.100.7')
  assert.equal(outside.status, 403)
  assert.deepEqual(outside.body, { message: 'This API key may not be used from 198.51.100.7.' })
  assert.equal((await from('2001:db9::1')).status, 403)
  for (const network of ['192.0.2.0/33', 'example.test', '192.0.2.1/24/8', '', 'fe80::1%eth0']) {
    const body = { name: 'Wrong', permissions: [], networks: [network] }
    const { status, body: answer } = await call('POST', '/v1/api-keys', { body })
    assert.equal(status, 422, network)
    assert.match(answer.errors['networks.0'][0], /^Each network must be an address or a range/)
  }
})

test('nobody makes, changes or rotates a key to more than they may do themselves', async () => {
  const account = await joinMember(service, 'account@example.test', ['manage_account'])
  const body = { name: 'Beyond', permissions: ['manage_devices'] }
  const grant = {
    message: 'You cannot grant the permission manage_devices, which you do not have.',
  }
  const refused = await call('POST', '/v1/api-keys', { as: account, body })
  assert.deepEqual([refused.status, refused.body], [403, grant])
  const own = await makeKey(service, { permissions: ['manage_account'] }, account)
  const changed = await call('PATCH', `/v1/api-keys/${own.id}`, { as: account, body })
  assert.deepEqual([changed.status, changed.body], [403, grant])
  const key = await makeKey(service, { permissions: ['manage_devices'] })
  const path = `/v1/api-keys/${key.id}`
  const kept = await call('PATCH', path, { as: account, body: { ...body, name: 'Renamed' } })
  assert.deepEqual([kept.status, kept.body.data.name], [200, 'Renamed'])
  const rotated = await call('POST', `${path}/rotate`, { as: account, body: {} })
  assert.deepEqual([rotated.status, rotated.body], [403, grant])
  const other = await joinMember(service, 'other@example.test', ['manage_devices'])
  assert.equal((await call('GET', '/v1/api-keys', { as: other })).status, 403)
})

test('a key goes on when who made it leaves, and says so', async () => {
  const account = await joinMember(service, 'leaves@example.test', ['manage_account'])
  const key = await makeKey(service, { permissions: ['manage_account'] }, account)
  assert.equal(key.record.created_by.is_member, true)
  await call('DELETE', `/v1/organization/users/${account.userId}`)
  assert.equal((await key.call('GET', '/v1/devices')).status, 200)
  const { created_by } = (await call('GET', `/v1/api-keys/${key.id}`)).body.data
  assert.deepEqual([created_by.email, created_by.is_member], ['leaves@example.test', false])
})

test('names everything that is wrong with a new key', async () => {
  const body = { name: ' ', permissions: ['fly'], expires_at: 'soon', networks: 'any' }
  const { status, body: answer } = await call('POST', '/v1/api-keys', { body })
  assert.equal(status, 422)
  const fields = ['name', 'permissions.0', 'networks', 'expires_at']
  assert.deepEqual(Object.keys(answer.errors).sort(), fields.sort())
  const late = { name: 'Late', permissions: [], group: 999, expires_at: '2026-03-01T12:00:00Z' }
  assert.deepEqual((await call('POST', '/v1/api-keys', { body: late })).body.errors, {
    group: ['The selected group is invalid.'],
    expires_at: ['The expires at must be a time to come.'],
  })
})

test('notes the last use in the background, once a minute at most', async () => {
  const key = await makeKey(service)
  assert.equal(key.record.last_used_at, null)
  const headers = { 'x-forwarded-for': '192.0.2.17', 'user-agent': 'meter/1' }
  const show = async () => (await call('GET', `/v1/api-keys/${key.id}`)).body.data
  await key.call('GET', '/v1/devices', { headers })
  await until(async () => (await show()).last_used_at !== null, 'the use is noted')
  const { last_used_at, last_address, last_user_agent } = await show()
  assert.deepEqual(
    [last_used_at, last_address, last_user_agent],
    ['2026-03-01T12:00:00.000000Z', '192.0.2.17', 'meter/1'],
  )
})

test('what a key changes is told with its name, also when it is revoked', async () => {
  const key = await makeKey(service, { name: 'Meter', permissions: ['manage_devices'] })
  await key.call('PATCH', device, { body: { device_name: 'By a key' } })
  await call('DELETE', `/v1/api-keys/${key.id}`)
  const { data } = (await call('GET', '/v1/fleet/activity?limit=3')).body
  const told = data.map(({ kind, action, name, key: by }: Record<string, unknown>) => [
    ...[kind, action, name, by],
  ])
  assert.deepEqual(told[0], ['api_key', 'revoked', 'Meter', null])
  assert.deepEqual(
    [told[1][0], told[1][1], told[1][3]],
    ['device', 'changed', { id: key.id, name: 'Meter' }],
  )
  assert.deepEqual(told[2], ['api_key', 'created', 'Meter', null])
})

test('the security log has each change of a key and each refusal, and never the key', async () => {
  const key = await makeKey(service, { name: 'Logged' })
  await call('PATCH', `/v1/api-keys/${key.id}`, { body: { networks: ['192.0.2.0/24'] } })
  await call('POST', `/v1/api-keys/${key.id}/rotate`, { body: { overlap_hours: 1 } })
  await key.call('GET', '/v1/devices', { headers: { 'x-forwarded-for': '198.51.100.7' } })
  await call('DELETE', `/v1/api-keys/${key.id}`)
  const events = lines.map((line) => JSON.parse(line)).filter(({ event }) => event)
  assert.deepEqual(events.map(({ event, keyId, clientIp }) => [event, keyId, clientIp]).slice(-5), [
    ['api_key_created', undefined, '127.0.0.1'],
    ['api_key_changed', undefined, '127.0.0.1'],
    ['api_key_rotated', undefined, '127.0.0.1'],
    ['refused', key.id, '198.51.100.7'],
    ['api_key_revoked', undefined, '127.0.0.1'],
  ])
  assert.ok(!lines.join('').includes(key.text.slice(6)))
})

test('requests are repeated under one Idempotency-Key only by the same key', async () => {
  const [one, other] = [
    await makeKey(service, { permissions: ['manage_groups'] }),
    await makeKey(service, { permissions: ['manage_groups'] }),
  ]
  const more = { body: { groupName: 'Once' }, headers: { 'idempotency-key': 'group' } }
  const first = await one.call('POST', '/v1/device-groups', more)
  const again = await one.call('POST', '/v1/device-groups', more)
  assert.equal(again.headers['idempotent-replayed'], 'true')
  assert.equal(again.text, first.text)
  const others = await other.call('POST', '/v1/device-groups', more)
  assert.notEqual(others.body.data.id, first.body.data.id)
})

test('the current user of a key is who made it, with the permissions of the key', async () => {
  const key = await makeKey(service, { permissions: ['manage_groups'] })
  const { body } = await key.call('GET', '/v1/user/get-org-user/me')
  assert.deepEqual([body.data.email, body.data.permissions], [ownerEmail, ['manage_groups']])
})

test('a key with the permission manage_account makes webhooks, and no keys', async () => {
  const key = await makeKey(service, { permissions: ['manage_account'] })
  const webhook = { name: 'Made by a key', url: 'http://127.0.0.1:1/', events: ['uplink'] }
  assert.equal((await key.call('POST', '/v1/webhooks', { body: webhook })).status, 201)
  const body = { name: 'Another', permissions: [] }
  assert.equal((await key.call('POST', '/v1/api-keys', { body })).status, 403)
})

test('an organization has up to 100 keys', async () => {
  for (let count = 0; count < 100; count += 1) await makeKey(service)
  const body = { name: 'One more', permissions: [] }
  const answer = await call('POST', '/v1/api-keys', { body })
  assert.equal(answer.status, 409)
  assert.deepEqual(answer.body, { message: 'The organization has 100 API keys already.' })
})
