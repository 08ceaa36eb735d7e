import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startSimulator as startStack } from '../../../../simulators/thethingsnetwork/simulator.ts'
import { thingsNetworkFiles, zipOf } from '../../../../test/catalogues.ts'
import { doorType, euiOf } from '../../../../test/fleet.ts'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { plantStackDevice } from '../../../../test/network-connections.ts'
import { addAtNetwork, changeKeyAtNetwork, startFleet } from '../../../../test/reconciliation.ts'
import { type Login, startTestService } from '../../../../test/service.ts'
import { guessType } from './fleet-offer.ts'

const service = await startTestService({ after })
const path = '/v1/network-accounts/chirpstack/take-over'
const key = '00112233445566778899AABBCCDDEEFF'

const take = (as: Login, body: object) => service.call('POST', path, { as, body })

test('a look says what the network has, and changes nothing', async () => {
  const { owner, simulator } = await startFleet(service)
  addAtNetwork(simulator, 1, 'Cellar')
  addAtNetwork(simulator, 2, 'Attic')
  const { status, body } = await take(owner, { dry_run: true })
  assert.equal(status, 200, JSON.stringify(body))
  const { devices, applications, profiles, names, outcome } = body.data
  assert.deepEqual([devices, names, outcome], [2, ['Cellar', 'Attic'], undefined])
  assert.deepEqual(applications, [{ name: 'Simulated application', devices: 2 }])
  const profile = { id: simulator.deviceProfileId, name: 'Simulated device profile', devices: 2 }
  assert.deepEqual(profiles, [{ ...profile, device_type: null, model: null, codec: null }])
  const { body: list } = await service.call('GET', '/v1/devices', { as: owner })
  assert.equal(list.meta.total, 0)
})

test('devices come with name, type, group and key, and a second time nothing is left', async () => {
  const { owner, simulator } = await startFleet(service)
  addAtNetwork(simulator, 1, 'Cellar')
  addAtNetwork(simulator, 2, 'Attic')
  changeKeyAtNetwork(simulator, 1, key)
  const types = [{ profile: simulator.deviceProfileId, device_type: doorType.id }]
  const asked = { types, group_by: 'application' }
  const { status, body } = await take(owner, asked)
  assert.equal(status, 200, JSON.stringify(body))
  const counts = { devices: 2, gateways: 0, groups: 1, refused: 0 }
  assert.deepEqual(body.data.outcome, { ...counts, refusals: [] })
  const { body: list } = await service.call('GET', '/v1/fleet/devices', { as: owner })
  assert.match(JSON.stringify(list.data), /Cellar.*Simulated application/)
  const rows = await service.services.db.query<{ sealed: boolean }>(
    `select sealed_key is not null as sealed from devices
     where organization_id = $1 and eui = $2`,
    [owner.organizationId, euiOf(1)],
  )
  assert.deepEqual(rows, [{ sealed: true }])
  const again = await take(owner, asked)
  assert.deepEqual(again.body.data.outcome, { ...counts, devices: 0, groups: 0, refusals: [] })
})

test('a model that The Things Stack names is found in the catalogue, and then has a type', async (t) => {
  const owner = await foundOrganization(service, 'models@example.test')
  const stack = await startStack()
  t.after(() => stack.close())
  const call = (method: string, path: string, body: object) =>
    service.call(method, `/v1${path}`, { as: owner, body })
  await call('PUT', '/network-accounts/thethingsnetwork', stack.account)
  const version_ids = { brand_id: 'borealis', model_id: 'rain-gauge' }
  plantStackDevice(stack, 'gauge', { ids: { dev_eui: '00000000000001F4' }, version_ids })
  const look = async () => {
    const looked = await call('POST', '/network-accounts/thethingsnetwork/take-over', {
      dry_run: true,
    })
    assert.equal(looked.status, 200, looked.text)
    return looked.body.data.profiles
  }
  const profile = {
    id: 'borealis/rain-gauge',
    name: 'borealis rain-gauge',
    devices: 1,
    codec: null,
  }
  assert.deepEqual(await look(), [{ ...profile, device_type: null, model: null }])

  const archive = zipOf(thingsNetworkFiles).toString('base64')
  const added = await call('POST', '/device-catalogue/sources', { name: 'Repository', archive })
  const model = `${added.body.data.id}.borealis.rain-gauge`
  assert.deepEqual(await look(), [{ ...profile, device_type: null, model }])
  const made = await call('POST', `/device-catalogue/${model}/types`, {})
  assert.deepEqual(await look(), [{ ...profile, device_type: made.body.data.id, model }])
})

test('a type that is not there is refused before anything is done', async () => {
  const { owner, simulator } = await startFleet(service)
  const types = [{ profile: simulator.deviceProfileId, device_type: 999_999 }]
  const { status, body } = await take(owner, { types })
  assert.deepEqual([status, Object.keys(body.errors)], [422, ['types.0.device_type']])
})

test('groups take the right to manage groups', async () => {
  const as = await joinMember(service, 'taker@example.test', ['manage_account', 'manage_devices'])
  const { status, body } = await take(as, { group_by: 'application' })
  assert.deepEqual([status, body.message], [403, 'You do not have the permission manage_groups.'])
})

test('a profile points to a type by its name or part number, if only one fits', () => {
  const own = {
    ...{ id: 100_001, type_name: 'Freezer probe', part_number: 'FP-1' },
    ...{ payload_format: 'ts013' as const, created_at: '', updated_at: '' },
  }
  assert.equal(guessType('freezer-probe', [own] as never), 100_001)
  assert.equal(guessType('RBS301-DWS EU868', []), doorType.id)
  assert.equal(guessType('', []), undefined)
  assert.equal(guessType('Simulated device profile', []), undefined)
})
