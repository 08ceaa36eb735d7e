import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { status } from '@grpc/grpc-js'
import { startSimulator as startKerlink } from '../../../../simulators/kerlink/simulator.ts'
import { addDevice, addGateway, connectAccount, gatewayEuiOf } from '../../../../test/fleet.ts'
import { foundOrganization } from '../../../../test/members.ts'
import { connect, startChirpStack } from '../../../../test/network.ts'
import { startTestService, type TestService } from '../../../../test/service.ts'
import { until } from '../../../../test/until.ts'

async function startBoth(t: TestContext) {
  const simulator = await startChirpStack(t)
  const service = await startTestService(t)
  t.after(() => service.services.provisioner.close())
  const names = () =>
    Object.fromEntries(
      [...simulator.store.gateways].map(([eui, gateway]) => [eui.toUpperCase(), gateway.getName()]),
    )
  return { simulator, service, names }
}

async function read(service: TestService, number: number) {
  return (await service.call('GET', `/v1/gateways/${gatewayEuiOf(number)}`)).body.gateway
}

async function settle(service: TestService): Promise<void> {
  await service.services.provisioner.idle()
  service.setClock(new Date(service.services.now().getTime() + 10 * 60_000))
  service.services.provisioner.wake()
  await until(
    async () => (await service.services.db.query('select id from provisioning')).length === 0,
  )
}

// shows 3.1.8
test('registers, renames and removes a gateway at its network', async (t) => {
  const { simulator, service, names } = await startBoth(t)
  await connect(service, simulator)
  const gateway = await addGateway(service, 1, { description: 'On the roof' })
  assert.equal(gateway.register_status, 'active')
  assert.deepEqual(names(), { [gatewayEuiOf(1)]: 'Gateway 1' })
  const [record] = simulator.store.gateways.values()
  assert.equal(record?.getDescription(), 'On the roof')

  await service.call('PATCH', `/v1/gateways/${gateway.id}`, { body: { gateway_name: 'Tower' } })
  await settle(service)
  assert.deepEqual(names(), { [gatewayEuiOf(1)]: 'Tower' })
  await service.call('DELETE', `/v1/gateways/${gateway.id}`)
  await settle(service)
  assert.deepEqual(names(), {})
})

test('a network gets the region of a gateway', async (t) => {
  const kerlink = await startKerlink()
  t.after(() => kerlink.close())
  const service = await startTestService(t)
  await connectAccount(service, 'kerlink', kerlink.account)
  const changes = { gateway_bridge: 'kerlink', region: 'US915', visibility: 'PRIVATE' }
  const { register_status, error_msg } = await addGateway(service, 1, changes)
  assert.deepEqual([register_status, error_msg], ['active', null])
  const [gateway] = kerlink.side.gateways.values()
  assert.equal(gateway?.record.region, 'US915')
})

// shows 10.2.18
test('a gateway registered before there is an account becomes active with it', async (t) => {
  const { simulator, service, names } = await startBoth(t)
  assert.equal((await addGateway(service, 1)).register_status, 'pending')
  await connect(service, simulator)
  await until(async () => (await read(service, 1)).register_status === 'active')
  assert.deepEqual(names(), { [gatewayEuiOf(1)]: 'Gateway 1' })
})

// shows 2.10.4
test('a refusal stands with the gateway in the words of the network, until it is fixed', async (t) => {
  const { simulator, service, names } = await startBoth(t)
  await connect(service, simulator)
  const refusal = { code: status.FAILED_PRECONDITION, message: 'max. gateway count exceeded' }
  simulator.faults.refusals['/api.GatewayService/Create'] = refusal
  const gateway = await addGateway(service, 1)
  assert.equal(gateway.register_status, 'register_error')
  assert.match(gateway.error_msg, /max\. gateway count exceeded/)

  simulator.faults.refusals = {}
  const body = { gateway_name: 'Gateway 1' }
  await service.call('PATCH', `/v1/gateways/${gateway.id}`, { body })
  await settle(service)
  const { register_status, error_msg } = await read(service, 1)
  assert.deepEqual([register_status, error_msg], ['active', null])
  assert.deepEqual(names(), { [gatewayEuiOf(1)]: 'Gateway 1' })
})

test('an outage leaves the gateway pending, and the call is made after it', async (t) => {
  const { simulator, service, names } = await startBoth(t)
  await connect(service, simulator)
  simulator.faults.isAway = true
  assert.equal((await addGateway(service, 1)).register_status, 'pending')
  simulator.faults.isAway = false
  await settle(service)
  assert.equal((await read(service, 1)).register_status, 'active')
  assert.deepEqual(names(), { [gatewayEuiOf(1)]: 'Gateway 1' })
})

test('a gateway deleted before its network heard of it leaves nothing to tell', async (t) => {
  const { service } = await startBoth(t)
  const { id } = await addGateway(service, 1)
  await service.call('DELETE', `/v1/gateways/${id}`)
  assert.deepEqual(await service.services.db.query('select id from provisioning'), [])
  assert.equal((await addGateway(service, 1)).register_status, 'pending')
})

test('a device and a gateway with one EUI do not wait for each other', async (t) => {
  const { simulator, service } = await startBoth(t)
  await connect(service, simulator)
  simulator.faults.refusals['/api.DeviceService/Create'] = {
    code: status.UNAVAILABLE,
    message: 'later',
  }
  const device = await addDevice(service, gatewayEuiOf(1))
  assert.equal(device.device_register_status, 'pending')
  assert.equal((await addGateway(service, 1)).register_status, 'active')
})

test('a gateway never goes through the account of the operator', async (t) => {
  const { simulator, service, names } = await startBoth(t)
  await connect(service, simulator, { register_method: 'vendor' })
  const other = await foundOrganization(service, 'bo@example.test')
  const gateway = await addGateway(service, 1, {}, other)
  assert.equal(gateway.register_status, 'pending')
  service.services.provisioner.wake()
  await service.services.provisioner.provisionGatewayNow(gateway.id)
  assert.deepEqual(names(), {})
  assert.equal((await addGateway(service, 1)).register_status, 'active')
  await connect(service, simulator, {}, other)
  await until(async () => {
    const answer = await service.call('GET', `/v1/gateways/${gateway.id}`, { as: other })
    return answer.body.gateway.register_status === 'active'
  })
})
