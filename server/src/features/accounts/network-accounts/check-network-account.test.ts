import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startSimulator as startStack } from '../../../../simulators/thethingsnetwork/simulator.ts'
import { startBroker } from '../../../../test/broker.ts'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { connect, startChirpStack } from '../../../../test/network.ts'
import { type Login, startTestService } from '../../../../test/service.ts'
import type { Check } from './check-words.ts'

const service = await startTestService({ after })
const simulator = await startChirpStack({ after })
const stack = await startStack()
after(() => stack.close())

const path = '/v1/network-accounts/chirpstack/check'

async function check(body: unknown = {}, as: Login = service.owner, at = path) {
  const answer = await service.call('POST', at, { as, body })
  assert.equal(answer.status, 200, answer.text)
  const checks: Check[] = answer.body.data.checks
  const byName = Object.fromEntries(checks.map((one) => [one.name, one]))
  return { ok: answer.body.data.ok as boolean, checks, byName }
}

test('tries values before they are saved, and stores nothing of them', async () => {
  const { ok, checks } = await check(simulator.account)
  assert.equal(ok, true)
  assert.deepEqual(
    checks.map(({ name, ok }) => [name, ok]),
    [
      ['reachable', true],
      ['credentials', true],
      ['list_devices', true],
      ['list_gateways', true],
      ['callback', null],
    ],
  )
  assert.equal((await service.call('GET', '/v1/network-accounts/chirpstack')).status, 404)
  assert.equal(simulator.devices.size, 0)
})

test('tells a wrong key and its field, and a network that is out of reach', async () => {
  const wrong = await check({ ...simulator.account, api_key: 'wrong' })
  assert.equal(wrong.ok, false)
  assert.equal(wrong.byName.reachable?.ok, true)
  const { credentials } = wrong.byName
  assert.equal(credentials?.ok, false)
  assert.deepEqual(credentials?.fields, ['api_key', 'tenant_id'])
  assert.match(credentials?.what_to_do ?? '', /API key/)
  const away = await check({ ...simulator.account, server: 'http://127.0.0.1:1' })
  assert.equal(away.byName.reachable?.ok, false)
  assert.deepEqual(away.byName.reachable?.fields, ['server'])
  assert.equal(away.byName.credentials?.ok, null)
})

test('names each right that a key of The Things Stack lacks, by what it is for', async () => {
  stack.store.rights = [
    'RIGHT_APPLICATION_DEVICES_READ',
    'RIGHT_APPLICATION_SETTINGS_BASIC',
    'RIGHT_APPLICATION_TRAFFIC_READ',
    'RIGHT_USER_GATEWAYS_LIST',
  ]
  const at = '/v1/network-accounts/thethingsnetwork/check'
  const { ok, byName } = await check(stack.account, service.owner, at)
  assert.equal(ok, false)
  assert.equal(byName.credentials?.ok, true)
  assert.equal(byName.list_devices?.ok, true)
  assert.match(
    byName.create_devices?.message ?? '',
    /DEVICES_WRITE, RIGHT_APPLICATION_DEVICES_WRITE_KEYS/,
  )
  assert.match(byName.downlinks?.message ?? '', /RIGHT_APPLICATION_TRAFFIC_DOWN_WRITE/)
  assert.match(byName.create_gateways?.message ?? '', /RIGHT_USER_GATEWAYS_CREATE/)
  assert.equal(byName.list_gateways?.ok, true)
  stack.store.rights = ['RIGHT_ALL']
  assert.equal((await check(stack.account, service.owner, at)).ok, true)
})

test('tries the stored account without a body, and sets its status', async () => {
  const as = await foundOrganization(service, 'stored@example.test')
  const none = await service.call('POST', path, { as, body: {} })
  assert.deepEqual([none.status, none.body], [404, { message: 'Network account not found' }])
  const away = { server: 'http://127.0.0.1:1' }
  assert.equal((await connect(service, simulator, away, as)).status, 'unreachable')
  assert.equal((await check({}, as)).byName.reachable?.ok, false)
  assert.equal((await connect(service, simulator, {}, as)).status, 'connected')
  const { ok, byName } = await check({}, as)
  assert.equal(ok, true)
  assert.equal(byName.callback?.ok, true)
})

test('keeps a stored secret that is left out, but sends it to no other server', async () => {
  const as = await foundOrganization(service, 'secret@example.test')
  await connect(service, simulator, {}, as)
  const { api_key: _key, ...open } = simulator.account
  assert.equal((await check(open, as)).ok, true)
  const body = { ...open, server: 'http://127.0.0.1:9' }
  const moved = await service.call('POST', path, { as, body })
  assert.equal(moved.status, 422)
  assert.deepEqual(moved.body.errors, { api_key: ['The API key field is required.'] })
})

test('tries the login at an MQTT broker', async (t) => {
  const { source } = await startBroker(t, { logins: { fleet: 'secret' } })
  const mqtt = { mqtt_url: source.url, mqtt_username: 'fleet', mqtt_password: 'secret' }
  assert.equal((await check({ ...simulator.account, ...mqtt })).byName.mqtt?.ok, true)
  const wrong = { ...simulator.account, ...mqtt, mqtt_password: 'other' }
  const { ok, byName } = await check(wrong)
  assert.equal(ok, false)
  assert.match(byName.mqtt?.message ?? '', /refused the login/)
  assert.equal(byName.credentials?.ok, true)
})

test('refuses a member without the permission, and vendor accounts of others', async () => {
  const as = await joinMember(service, 'reader@example.test', ['manage_devices'])
  const refused = await service.call('POST', path, { as, body: simulator.account })
  assert.equal(refused.status, 403)
  const stranger = await foundOrganization(service, 'vendor@example.test')
  const body = { ...simulator.account, register_method: 'vendor' }
  assert.equal((await service.call('POST', path, { as: stranger, body })).status, 403)
})
