import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startSimulator as startStack } from '../../../../simulators/thethingsnetwork/simulator.ts'
import { addDevice, readDevice } from '../../../../test/fleet.ts'
import { foundOrganization } from '../../../../test/members.ts'
import { passTime, untilQuiet } from '../../../../test/network.ts'
import { type Login, startTestService } from '../../../../test/service.ts'

/** What becomes of an account whose key lacks some of the rights that its use needs. */

const service = await startTestService({ after })
const path = '/v1/network-accounts/thethingsnetwork'

const deviceRights = [
  'RIGHT_APPLICATION_DEVICES_READ',
  'RIGHT_APPLICATION_DEVICES_WRITE',
  'RIGHT_APPLICATION_DEVICES_WRITE_KEYS',
  'RIGHT_APPLICATION_SETTINGS_BASIC',
  'RIGHT_APPLICATION_TRAFFIC_READ',
  'RIGHT_APPLICATION_TRAFFIC_DOWN_WRITE',
]
const gatewayRights = [
  'RIGHT_USER_GATEWAYS_LIST',
  'RIGHT_USER_GATEWAYS_CREATE',
  'RIGHT_GATEWAY_SETTINGS_BASIC',
  'RIGHT_GATEWAY_DELETE',
]

async function startBench(email: string, rights: readonly string[]) {
  const as: Login = await foundOrganization(service, email)
  const stack = await startStack()
  after(() => stack.close())
  stack.store.rights = [...rights]
  const connect = async (account: Record<string, string> = stack.account) =>
    (await service.call('PUT', path, { as, body: account })).body.data
  const readAccount = async () => (await service.call('GET', path, { as })).body.data
  const addHere = async (number: number) => {
    const changes = { network: 5, deviceName: `Door ${number}`, frequencyPlan: 'EU_863_870_TTN' }
    await addDevice(service, number, changes, as)
    return readDevice(service, number, as)
  }
  return { as, stack, connect, readAccount, addHere }
}

const roof = {
  gateway_bridge: 'thethingsnetwork',
  gateway_name: 'Roof',
  gateway_eui: '00BB0000000000B1',
  gateway_ip: '192.168.2.1',
  zone_id: 'eu1',
  frequency_plan: 'EU_863_870_TTN',
}

test('gateway rights are needed with a user, named, and missing only for gateways', async () => {
  const bench = await startBench('gateways@example.test', deviceRights)
  const { as, stack, connect, readAccount, addHere } = bench
  const refused = await connect()
  assert.equal(refused.status, 'refused')
  for (const right of gatewayRights) assert.match(refused.message, new RegExp(right))

  assert.equal(stack.store.webhooks.size, 1, 'what the key may do is done')
  assert.equal((await addHere(1)).device_register_status, 'active')
  const created = await service.call('POST', '/v1/gateways', { as, body: roof })
  assert.equal(created.status, 200, created.text)
  const { id } = created.body.gateway
  const { body } = await service.call('GET', `/v1/gateways/${id}`, { as })
  assert.match(body.gateway.error_msg, /missing: RIGHT_USER_GATEWAYS_CREATE/)
  assert.equal((await addHere(2)).device_register_status, 'active')
  await passTime(service)
  const { status, message } = await readAccount()
  assert.deepEqual([status, message], ['refused', refused.message], 'until it is fixed')

  stack.store.rights = [...deviceRights, ...gatewayRights]
  const fixed = await connect()
  assert.deepEqual([fixed.status, fixed.message], ['connected', ''])
})

test('without a user the key of an application is all that devices need', async () => {
  const { stack, connect, addHere } = await startBench('devices@example.test', deviceRights)
  stack.store.keyOwner = 'application'
  const { user_id: _user, ...account } = stack.account
  const { status, message } = await connect(account)
  assert.deepEqual([status, message], ['connected', ''])
  assert.equal((await addHere(3)).device_register_status, 'active')
})

test('a right that is taken away later is told of what needs it', async () => {
  const rights = [...deviceRights, ...gatewayRights]
  const { as, stack, connect, readAccount, addHere } = await startBench(
    'later@example.test',
    rights,
  )
  assert.equal((await connect()).status, 'connected')
  stack.store.denied = ['RIGHT_APPLICATION_DEVICES_WRITE_KEYS']
  assert.match((await addHere(4)).api_error_json, /missing: RIGHT_APPLICATION_DEVICES_WRITE_KEYS/)
  stack.store.denied = ['RIGHT_GATEWAY_SETTINGS_BASIC', 'RIGHT_GATEWAY_DELETE']
  const created = await service.call('POST', '/v1/gateways', { as, body: roof })
  const gateway = `/v1/gateways/${created.body.gateway.id}`
  assert.equal(created.body.gateway.register_status, 'active', created.text)
  await service.call('PATCH', gateway, { as, body: { gateway_name: 'Mast' } })
  await untilQuiet(service)
  const { body } = await service.call('GET', gateway, { as })
  assert.match(body.gateway.error_msg, /missing: RIGHT_GATEWAY_SETTINGS_BASIC/)
  assert.equal(body.gateway.register_status, 'active')
  assert.equal((await readAccount()).status, 'connected')
})

test('names the field of a wrong key', async () => {
  const { stack, connect } = await startBench('key@example.test', deviceRights)
  const { status, message } = await connect({ ...stack.account, api_key: 'NNSXS.WRONG.KEY' })
  assert.equal(status, 'refused')
  assert.match(message, /API key not found.*\(api_key\)/)
})
