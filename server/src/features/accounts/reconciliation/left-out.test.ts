import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { status } from '@grpc/grpc-js'
import { startSimulator as startStack } from '../../../../simulators/thethingsnetwork/simulator.ts'
import { addDevice, doorType, euiOf, gatewayEuiOf, readDevice } from '../../../../test/fleet.ts'
import { foundOrganization } from '../../../../test/members.ts'
import {
  addAtNetwork,
  addGatewayAtNetwork,
  noDifference,
  readReport,
  reconcile,
  reconcileUrl,
  startFleet,
} from '../../../../test/reconciliation.ts'
import { type Login, startTestService } from '../../../../test/service.ts'

/** What the network does not list to the account is left out, and said so. */

const service = await startTestService({ after })

const stackPath = '/v1/network-accounts/thethingsnetwork'

async function ask(as: Login, body: Record<string, unknown> = {}) {
  const answer = await service.call('POST', `${stackPath}/reconcile`, { as, body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}

// shows 11.7.22
test('the key of an application compares and adopts its devices, without its gateways', async () => {
  const owner = await foundOrganization(service, 'stack@example.test')
  const stack = await startStack()
  after(() => stack.close())
  const { user_id, ...ofApplication } = stack.account
  const connect = async (body: Record<string, string>) => {
    const answer = await service.call('PUT', stackPath, { as: owner, body })
    assert.equal(answer.body.data.status, 'connected', answer.text)
  }
  await connect(stack.account)
  const gateway = {
    gateway_bridge: 'thethingsnetwork',
    gateway_name: 'Roof',
    gateway_eui: gatewayEuiOf(1),
    gateway_ip: '192.168.2.1',
    zone_id: 'eu1',
    frequency_plan: 'EU_863_870_TTN',
  }
  const created = await service.call('POST', '/v1/gateways', { as: owner, body: gateway })
  assert.equal(created.body.gateway.register_status, 'active', created.text)

  stack.store.keyOwner = 'application'
  stack.store.rights = [
    'RIGHT_APPLICATION_DEVICES_READ',
    'RIGHT_APPLICATION_DEVICES_WRITE',
    'RIGHT_APPLICATION_DEVICES_WRITE_KEYS',
    'RIGHT_APPLICATION_SETTINGS_BASIC',
    'RIGHT_APPLICATION_TRAFFIC_READ',
    'RIGHT_APPLICATION_TRAFFIC_DOWN_WRITE',
  ]
  await connect(ofApplication)
  stack.addDevice(euiOf(1), 'Cellar')
  const report = await ask(owner)
  assert.deepEqual(report.compares, ['device'])
  const [leftOut, ...others] = report.left_out
  assert.deepEqual([leftOut.kind, leftOut.part, others], ['gateway', 'list', []])
  assert.match(leftOut.reason, /key \(api_key\) is one of an application.* user_id/s)
  assert.deepEqual(report.totals.gateway, noDifference)
  assert.deepEqual(
    report.rows.map((row: Record<string, unknown>) => [row.kind, row.eui, row.difference]),
    [['device', euiOf(1), 'only_at_network']],
  )
  const adopted = await ask(owner, { adopt_all: { device_type: doorType.id } })
  assert.deepEqual([adopted.outcome, adopted.left_out], [{ done: 1, refused: 0 }, [leftOut]])
  assert.equal((await readDevice(service, 1, owner)).device_name, 'Cellar')
  const later = await service.call('GET', `${stackPath}/reconcile`, { as: owner })
  assert.deepEqual([later.body.data.compares, later.body.data.left_out], [['device'], [leftOut]])

  stack.store.keyOwner = 'user'
  stack.store.rights = ['RIGHT_ALL']
  await connect({ ...ofApplication, user_id: user_id ?? '' })
  const whole = await ask(owner)
  assert.deepEqual([whole.compares, whole.left_out], [['device', 'gateway'], []])
})

// shows 11.7.22
test('a kind that the network does not list is left out, and both are a failure', async () => {
  const { owner, simulator } = await startFleet(service)
  await addDevice(service, 0x10, {}, owner)
  addAtNetwork(simulator, 0x11, 'Cellar')
  addGatewayAtNetwork(simulator, 1, 'Roof')
  const deny = (name: string) => {
    const refusal = { code: status.PERMISSION_DENIED, message: `no ${name}s for you` }
    simulator.faults.refusals[`/api.${name}Service/List`] = refusal
  }
  deny('Device')
  const gateways = await reconcile(service, {}, owner)
  assert.deepEqual(gateways.compares, ['gateway'])
  assert.equal(gateways.left_out[0].kind, 'device')
  assert.match(gateways.left_out[0].reason, /no Devices for you/)
  assert.deepEqual(gateways.totals, {
    device: noDifference,
    gateway: { ...noDifference, only_at_network: 1 },
  })
  const asked = { rows: [{ kind: 'device', eui: euiOf(0x11), action: 'ignore' }] }
  const [refused] = (await reconcile(service, asked, owner)).rows
  assert.match(refused.result.message, /^No devices are compared\. .*no Devices for you/)
  deny('Gateway')
  const answer = await service.call('POST', reconcileUrl, { as: owner, body: {} })
  assert.equal(answer.status, 422, answer.text)
  assert.match(answer.body.message, /no Devices for you/)
  const kept = await readReport(service, '', owner)
  assert.match(kept.failure, /no Devices for you/)
  assert.deepEqual({ ...kept, failure: '' }, gateways)
  delete simulator.faults.refusals['/api.DeviceService/List']
  const devices = await reconcile(service, {}, owner)
  assert.deepEqual([devices.compares, devices.totals.gateway], [['device'], noDifference])
  assert.equal(devices.totals.device.only_at_network, 1)
})
