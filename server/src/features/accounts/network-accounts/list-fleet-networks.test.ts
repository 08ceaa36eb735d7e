import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addDevice } from '../../../../test/fleet.ts'
import { foundOrganization } from '../../../../test/members.ts'
import { connect, startChirpStack, untilQuiet } from '../../../../test/network.ts'
import { type Login, startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const simulator = await startChirpStack({ after })

async function readNetworks(as: Login = service.owner) {
  const { status, body } = await service.call('GET', '/v1/fleet/networks', { as })
  assert.equal(status, 200)
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  const byKey = new Map<string, any>(body.data.map((one: { key: string }) => [one.key, one]))
  assert.equal(body.total, byKey.size)
  return byKey
}

test('lists every network with what it can do, connected or not', async () => {
  const networks = await readNetworks()
  assert.ok(networks.size >= 11)
  const chirpstack = networks.get('chirpstack')
  assert.deepEqual([chirpstack.accounts, chirpstack.register_methods], [[], []])
  assert.deepEqual([chirpstack.docs, chirpstack.id], ['chirpstack', 10])
  const { lorawan, profile_field } = chirpstack.capabilities
  assert.deepEqual([lorawan, profile_field], [['1.1', 'abp', 'class_c'], 'device_profile_id'])
  assert.equal(networks.get('loriot').capabilities.profile_field, null)
  assert.equal(chirpstack.capabilities.callback, 'by_service')
  assert.equal(networks.get('other').docs, null)
  assert.equal(networks.get('aws_iot_core_lora').docs, 'aws_iot_core_lora')
  assert.equal(networks.get('aws_iot_core').lora_variant, 'aws_iot_core_lora')
  assert.equal(networks.get('aws_iot_core_lora').lora_variant, null)
  assert.equal(networks.get('senet').capabilities.registration, 'by_hand')
})

test('tells the state of an account and what is at it', async () => {
  const as = await foundOrganization(service, 'counts@example.test')
  await connect(service, simulator, {}, as)
  await addDevice(service, 1, { registerMethod: 'user_account' }, as)
  await untilQuiet(service)
  const [account] = (await readNetworks(as)).get('chirpstack').accounts
  assert.equal(account.api.status, 'connected')
  assert.equal(account.mqtt, null)
  assert.equal(account.counts.devices, 1)
  assert.equal(account.counts.waiting_calls, 0)
  await connect(service, simulator, { server: 'http://127.0.0.1:1' }, as)
  await addDevice(service, 2, { registerMethod: 'user_account' }, as)
  const [away] = (await readNetworks(as)).get('chirpstack').accounts
  assert.equal(away.api.status, 'unreachable')
  assert.deepEqual([away.counts.devices, away.counts.waiting_calls], [2, 1])
})

test("shows an operator's account to others only by its status", async () => {
  const body = { ...simulator.account, server: 'http://127.0.0.1:1', register_method: 'vendor' }
  await service.call('PUT', '/v1/network-accounts/chirpstack', { body })
  const as = await foundOrganization(service, 'guest@example.test')
  const network = (await readNetworks(as)).get('chirpstack')
  assert.deepEqual(network.register_methods, ['vendor'])
  const [account] = network.accounts
  assert.deepEqual(
    [account.is_own, account.api.status, account.api.message],
    [false, 'unreachable', ''],
  )
  const [own] = (await readNetworks()).get('chirpstack').accounts
  assert.match(own.api.message, /could not be reached/)
})
