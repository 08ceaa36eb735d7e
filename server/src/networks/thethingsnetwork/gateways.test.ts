import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredGateway } from '../../../simulators/thethingsnetwork/store.ts'
import { connectToStack, failsWith, type StackBench } from '../../../test/network-connections.ts'

const gatewayEui = '00BB0000000000B1'
const gatewayId = 'eui-00bb0000000000b1'
const roof = {
  gatewayEui,
  name: 'Roof',
  description: 'north side',
  settings: { frequency_plan: 'EU_863_870_TTN', zone_id: 'eu1' },
}

function plantGateway(
  { store }: Pick<StackBench, 'store'>,
  id: string,
  owner = store.userId,
): StoredGateway {
  const record = { ids: { gateway_id: id, eui: gatewayEui }, name: 'By hand', antennas: [{}] }
  const gateway = { gatewayId: id, owner, record, isDeleted: false }
  store.gateways.set(id, gateway)
  return gateway
}

test('creates a gateway for the user of the account', async (t) => {
  const { store, connection } = await connectToStack(t)
  await connection.gateways.add(roof)
  const { owner, record } = store.gateways.get(gatewayId) ?? {}
  assert.equal(owner, 'fleet-owner')
  assert.deepEqual(record, {
    ids: { gateway_id: gatewayId, eui: gatewayEui },
    name: 'Roof',
    description: 'north side',
    frequency_plan_ids: ['EU_863_870_TTN'],
    gateway_server_address: '127.0.0.1',
    enforce_duty_cycle: true,
  })
  await connection.gateways.add({ ...roof, name: 'Said twice' })
  assert.equal(store.gateways.get(gatewayId)?.record.name, 'Said twice')
})

test('finds out from the key whose gateways they are', async (t) => {
  const { simulator, store, connection } = await connectToStack(t, { user_id: '' })
  await connection.gateways.add(roof)
  assert.ok(store.gateways.has(gatewayId))
  const ofApplication = { entity_ids: { application_ids: { application_id: 'fleet-app' } } }
  simulator.http.faults.answers['GET /api/v3/auth_info'] = {
    status: 200,
    body: { api_key: ofApplication },
  }
  await assert.rejects(
    connection.gateways.add(roof),
    failsWith('unauthorized', /key of a user or an organization/),
  )
  const ofGroup = { entity_ids: { organization_ids: { organization_id: 'us-too' } } }
  simulator.http.faults.answers['GET /api/v3/auth_info'] = {
    status: 200,
    body: { api_key: ofGroup },
  }
  await assert.rejects(
    connection.gateways.add(roof),
    failsWith('unauthorized', /no rights for organization `us-too`/),
  )
  assert.equal(simulator.http.calls.at(-1)?.path, '/api/v3/organizations/us-too/gateways')
})

test('adopts, changes and removes a gateway of its own under any id', async (t) => {
  const { simulator, store, connection } = await connectToStack(t)
  const { record } = plantGateway(simulator, 'old-roof')
  await connection.gateways.add(roof)
  assert.equal(record.name, 'Roof')
  assert.deepEqual(record.antennas, [{}])
  await connection.gateways.update({ gatewayEui, name: 'Mast' })
  assert.deepEqual([record.name, record.description], ['Mast', 'north side'])
  assert.deepEqual(await Array.fromAsync(connection.gateways.list()), [
    [{ eui: gatewayEui, name: 'Mast' }],
  ])
  await connection.gateways.remove(gatewayEui)
  assert.equal(store.gateways.get('old-roof')?.isDeleted, true)
  await connection.gateways.remove(gatewayEui)
})

test('restores a gateway that was deleted, whose id stays taken', async (t) => {
  const { store, connection } = await connectToStack(t)
  await connection.gateways.add(roof)
  await connection.gateways.remove(gatewayEui)
  await connection.gateways.add({ ...roof, name: 'Again' })
  const { isDeleted, record } = store.gateways.get(gatewayId) ?? {}
  assert.deepEqual([isDeleted, record?.name], [false, 'Again'])
})

test('purges a gateway where the key may, which frees its id', async (t) => {
  const { store, connection } = await connectToStack(t)
  store.isAdmin = true
  await connection.gateways.add(roof)
  await connection.gateways.remove(gatewayEui)
  assert.equal(store.gateways.size, 0)
})

test('leaves a gateway of somebody else alone', async (t) => {
  const { simulator, store, connection } = await connectToStack(t)
  const { record } = plantGateway(simulator, 'theirs', 'somebody')
  const taken = failsWith('refused', /already registered as `theirs`/)
  await assert.rejects(connection.gateways.add(roof), taken)
  await assert.rejects(
    connection.gateways.update(roof),
    failsWith('refused', /no gateway with EUI/),
  )
  await connection.gateways.remove(gatewayEui)
  assert.equal(record.name, 'By hand')

  // It was ours, was deleted, and somebody else has the EUI now.
  const { isDeleted } = plantGateway(simulator, gatewayId)
  assert.equal(isDeleted, false)
  await connection.gateways.remove(gatewayEui)
  await assert.rejects(connection.gateways.add(roof), taken)
  assert.equal(store.gateways.get(gatewayId)?.isDeleted, true)
})
