import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { routes } from '../src/routes.ts'
import { addDevice, addGateway, deviceKey } from './fleet.ts'
import { joinMember } from './members.ts'
import { createWorld } from './requests.ts'
import { startTestService } from './service.ts'

/** No answer to a member without permissions has a secret, for any request. */

const service = await startTestService({ after })
const { requests } = await createWorld(service)
const reader = await joinMember(service, 'reader@example.test')

/** Returns every secret that an owner can read or has entered. */
async function collectSecrets(): Promise<Map<string, string>> {
  const { id } = await addDevice(service, 900)
  const body = { groupName: 'Secret', selectedDevices: [id] }
  assert.equal((await service.call('POST', '/v1/device-groups', { body })).status, 200)
  const gateway = await addGateway(service, 900, { gateway_bridge: 'other' })
  const shown = await service.call('GET', `/v1/gateways/${gateway.id}`)
  const account = {
    server: 'http://127.0.0.1:1',
    api_key: 'the-api-key-of-the-network-account',
    tenant_id: '00000000-0000-4000-a000-000000000001',
    application_id: '00000000-0000-4000-a000-000000000002',
    device_profile_id: '00000000-0000-4000-a000-000000000003',
  }
  const path = '/v1/network-accounts/chirpstack'
  const { callback } = (await service.call('PUT', path, { body: account })).body.data
  return new Map([
    ['device key', deviceKey],
    ['gateway token', shown.body.gateway_configs.authorisation_token],
    ['callback secret', callback.value],
    ['API key', account.api_key],
    [
      `other account's callback secret`,
      (await service.call('GET', `${path}?register_method=vendor`)).body.data.callback.value,
    ],
  ])
}

// shows 10.3.26
test('what a member without permissions may ask for shows no secret', async () => {
  const secrets = await collectSecrets()
  assert.ok([...secrets.values()].every((secret) => secret.length > 30))
  const asked = routes.filter(({ method, access }) => method === 'GET' && access === 'signed-in')
  assert.ok(asked.length > 20)
  for (const { method, operation } of asked) {
    const request = requests[operation]
    assert.ok(request)
    const { text } = await service.call(method, `/v1${request.path}`, { as: reader })
    for (const [name, secret] of secrets) {
      assert.ok(!text.toLowerCase().includes(secret.toLowerCase()), `${operation}: ${name}`)
    }
  }
})

test('an answer that was kept is not repeated to who has lost the right to it', async () => {
  const manager = await joinMember(service, 'manager@example.test', ['manage_account'])
  const url = '/v1/network-accounts/chirpstack/rotate'
  const headers = { 'idempotency-key': 'rotate once' }
  const first = await service.call('POST', url, { as: manager, headers })
  assert.equal(first.status, 200, first.text)
  const again = await service.call('POST', url, { as: manager, headers })
  assert.deepEqual(again.body, first.body)
  const body = { permissions: [] }
  await service.call('PATCH', `/v1/organization/users/${manager.userId}`, { body })
  const refused = await service.call('POST', url, { as: manager, headers })
  assert.equal(refused.status, 403)
  assert.ok(!refused.text.includes(first.body.data.callback.value))
})
