import assert from 'node:assert/strict'
import { test } from 'node:test'
import { status } from '@grpc/grpc-js'
import { openConnection } from '../../src/networks/chirpstack/connection.ts'
import { NetworkError } from '../../src/networks/network-error.ts'
import { createOutside } from '../../src/networks/outside.ts'
import { connectToChirpStack, doorSensor, failsWith } from '../../test/network-connections.ts'
import { thisMachine } from '../../test/outside.ts'
import { createStoppedClock } from '../../test/stopped-clock.ts'

const unknownId = 'dddddddd-0000-4000-a000-000000000001'

for (const keyKind of ['tenant', 'admin'] as const) {
  test(`names the account field that is wrong, with the key of a ${keyKind}`, async (context) => {
    const { simulator, connection } = await connectToChirpStack(context, { keyKind })
    await connection.check()
    const wrong = [
      ['api_key', 'nonsense', 'unauthorized', /api_key/],
      ['application_id', unknownId, 'refused', /application_id/],
      ['device_profile_id', unknownId, 'refused', /device_profile_id/],
      ['tenant_id', unknownId, 'refused', /tenant_id/],
    ] as const
    for (const [field, value, kind, words] of wrong) {
      const other = openConnection({ ...simulator.account, [field]: value }, thisMachine)
      context.after(() => other.close())
      await assert.rejects(other.check(), failsWith(kind, words), field)
    }
  })
}

test('names an application and a device profile of another tenant', async (context) => {
  const { simulator, connection } = await connectToChirpStack(context, { keyKind: 'admin' })
  const { store } = simulator
  const profile = store.deviceProfiles.get(simulator.deviceProfileId)
  const application = store.applications.get(simulator.applicationId)
  assert.ok(profile && application)
  profile.tenantId = unknownId
  await assert.rejects(connection.check(), failsWith('refused', /device_profile_id/))
  application.tenantId = unknownId
  await assert.rejects(connection.check(), failsWith('refused', /application_id/))
})

// ChirpStack itself does not look at the tenant of a device's profile.
test('registers no device with a device profile that the key may not see', async (context) => {
  const { simulator } = await connectToChirpStack(context)
  const { store, deviceProfileId } = simulator
  const profile = store.deviceProfiles.get(deviceProfileId)
  assert.ok(profile)
  const foreignId = 'dddddddd-0000-4000-a000-000000000002'
  store.deviceProfiles.set(foreignId, { ...profile, id: foreignId, tenantId: unknownId })
  const values = { ...simulator.account, device_profile_id: foreignId }
  const connection = openConnection(values, thisMachine)
  context.after(() => connection.close())
  await assert.rejects(connection.addDevice(doorSensor), (error) => {
    assert.ok(error instanceof NetworkError)
    assert.deepEqual([error.kind, error.about], ['refused', 'account'])
    assert.match(error.message, /device_profile_id/)
    return true
  })
  assert.equal(store.devices.size, 0)
})

test('never shows the API key in an error', async (context) => {
  const { simulator, connection } = await connectToChirpStack(context)
  for (const code of [status.INTERNAL, status.UNAUTHENTICATED, status.INVALID_ARGUMENT]) {
    const message = `bad token ${simulator.apiKey}`
    simulator.faults.refusals['/api.DeviceService/Create'] = { code, message }
    await assert.rejects(connection.addDevice(doorSensor), (error) => {
      assert.ok(error instanceof NetworkError)
      assert.match(error.message, /bad token/)
      assert.ok(!error.message.includes(simulator.apiKey))
      return true
    })
  }
})

test('is unreachable while ChirpStack is away, slow or gone, and works again after it', async (context) => {
  const { clock } = createStoppedClock()
  const { simulator, connection } = await connectToChirpStack(context, { clock })
  simulator.faults.isAway = true
  await assert.rejects(connection.check(), failsWith('unreachable', /away/))
  simulator.faults.isAway = false
  await connection.check()

  const hasty = openConnection(simulator.account, thisMachine, { deadlineMs: 150 })
  context.after(() => hasty.close())
  simulator.faults.latencyMs = 1
  await assert.rejects(hasty.check(), failsWith('unreachable', /did not answer in time/))
  simulator.faults.latencyMs = 0
  const works = () =>
    hasty.check().then(
      () => true,
      () => false,
    )
  // On a busy machine an answer may be late again.
  while (!(await works())) {}

  const gone = openConnection({ ...simulator.account, server: 'http://127.0.0.1:1' }, thisMachine)
  context.after(() => gone.close())
  await assert.rejects(gone.check(), failsWith('unreachable', /127\.0\.0\.1:1/))
})

test('sorts the codes of gRPC into the kinds of failure', async (context) => {
  const { simulator, connection } = await connectToChirpStack(context)
  const kinds = {
    unreachable: ['UNAVAILABLE', 'ABORTED', 'INTERNAL', 'UNKNOWN'],
    slow_down: ['RESOURCE_EXHAUSTED'],
    unauthorized: ['UNAUTHENTICATED', 'PERMISSION_DENIED'],
    refused: ['INVALID_ARGUMENT', 'NOT_FOUND', 'FAILED_PRECONDITION', 'UNIMPLEMENTED'],
  } as const
  let count = 0
  for (const [kind, codes] of Object.entries(kinds)) {
    for (const code of codes) {
      const refusal = { code: status[code], message: 'so it goes' }
      simulator.faults.refusals['/api.DeviceService/Create'] = refusal
      await assert.rejects(connection.addDevice(doorSensor), (error) => {
        assert.equal((error as NetworkError).kind, kind, code)
        return true
      })
      count += 1
    }
  }
  assert.equal(count, 11)
})

test('refuses calls on a connection that was closed', async (context) => {
  const { simulator } = await connectToChirpStack(context)
  const connection = openConnection(simulator.account, thisMachine)
  await connection.check()
  connection.close()
  await assert.rejects(connection.check(), failsWith('unreachable', /closed/))
  connection.close()
})

test('adds, changes and removes gateways of its tenant only', async (context) => {
  for (const keyKind of ['tenant', 'admin'] as const) {
    const { simulator, connection } = await connectToChirpStack(context, { keyKind })
    const { gateways } = connection
    const gateway = { gatewayEui: '00BB000000000001', name: 'Roof', description: 'north' }
    const key = '00bb000000000001'
    await gateways.add(gateway)
    const record = simulator.store.gateways.get(key)
    assert.equal(record?.getDescription(), 'north')
    assert.equal(record?.getTenantId(), simulator.tenantId)
    record?.getTagsMap().set('mast', '7')

    await gateways.update({ gatewayEui: gateway.gatewayEui, name: 'Tower' })
    await gateways.add({ ...gateway, description: 'south' })
    const adopted = simulator.store.gateways.get(key)
    assert.equal(adopted?.getDescription(), 'south')
    assert.equal(adopted?.getTagsMap().get('mast'), '7')

    adopted?.setTenantId(unknownId)
    await assert.rejects(gateways.add(gateway), failsWith('refused', /another tenant/))
    await assert.rejects(gateways.update(gateway), failsWith('refused', /no gateway/))
    await gateways.remove(gateway.gatewayEui)
    assert.equal(simulator.store.gateways.size, 1)
    adopted?.setTenantId(simulator.tenantId)
    await gateways.remove(gateway.gatewayEui)
    await gateways.remove(gateway.gatewayEui)
    assert.equal(simulator.store.gateways.size, 0)
  }
})

test('reaches a server by its name, where the name may lead', async (context) => {
  const { simulator } = await connectToChirpStack(context)
  const server = simulator.server.replace('127.0.0.1', 'localhost')
  const named = openConnection({ ...simulator.account, server }, thisMachine)
  context.after(() => named.close())
  await named.check()
  const outside = {
    ...thisMachine,
    lookup: createOutside({ allowsLocal: false, listed: [] }).lookup,
  }
  const refused = openConnection({ ...simulator.account, server }, outside)
  context.after(() => refused.close())
  await assert.rejects(refused.check(), failsWith('refused', /OUTBOUND_ALLOW/))
})
