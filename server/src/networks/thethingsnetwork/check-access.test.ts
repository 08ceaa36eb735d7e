import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectToStack, failsWith, plannedSensor } from '../../../test/network-connections.ts'
import { NetworkError } from '../network-error.ts'

/** Those that docs/networks/thethingsnetwork.md names. */
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

const { devEui } = plannedSensor
const gatewayEui = '00BB0000000000B1'
const callback = { url: 'https://fleet.example.test/x', header: 'X-Secret', value: 's' }

test('the rights that the docs name are enough for devices, and none of them is too many', async (t) => {
  const { store, connection, simulator } = await connectToStack(t, { user_id: '' })
  store.keyOwner = 'application'
  store.rights = deviceRights
  await connection.check()
  await connection.setCallback(callback)
  await connection.addDevice(plannedSensor)
  await connection.renameDevice(devEui, 'Front door')
  await simulator.settle()
  const id = await connection.queueDownlink({
    devEui,
    fPort: 2,
    payload: Buffer.alloc(1),
    confirmed: false,
  })
  assert.equal((await connection.listDownlinks(devEui)).length, 1)
  assert.equal(await connection.cancelDownlink(devEui, id), true)
  assert.equal((await Array.fromAsync(connection.listDevices())).flat().length, 1)
  await connection.removeDevice(devEui)
  await connection.removeCallback(callback)
  for (const missing of deviceRights) {
    store.rights = deviceRights.filter((right) => right !== missing)
    await assert.rejects(
      connection.check(),
      failsWith('refused', new RegExp(`lacks rights on the application fleet-app: ${missing}\\.$`)),
    )
  }
})

test('the rights that the docs name are enough for gateways, and none of them is too many', async (t) => {
  const { store, connection } = await connectToStack(t)
  store.rights = [...deviceRights, ...gatewayRights]
  await connection.check()
  await connection.gateways.add({ gatewayEui, name: 'Roof' })
  await connection.gateways.update({ gatewayEui, name: 'Mast' })
  const [listed] = await Array.fromAsync(connection.gateways.list())
  assert.deepEqual(listed, [{ eui: gatewayEui, name: 'Mast' }])
  await connection.gateways.remove(gatewayEui)
  for (const missing of gatewayRights) {
    store.rights = [...deviceRights, ...gatewayRights].filter((right) => right !== missing)
    await assert.rejects(connection.check(), (error) => {
      assert.ok(error instanceof NetworkError)
      assert.match(error.message, new RegExp(`gateways of the user fleet-owner.*: ${missing}\\.$`))
      assert.equal(error.about, 'gateway', 'devices go on')
      return true
    })
  }
})

test('names the right that a gateway needs also where the key has none at all', async (t) => {
  const { store, connection } = await connectToStack(t)
  await connection.gateways.add({ gatewayEui, name: 'Roof' })
  store.rights = [...deviceRights, ...gatewayRights.slice(0, 2)]
  await assert.rejects(
    connection.gateways.update({ gatewayEui, name: 'Mast' }),
    failsWith('unauthorized', /missing: RIGHT_GATEWAY_SETTINGS_BASIC\)/),
  )
  await assert.rejects(
    connection.gateways.remove(gatewayEui),
    failsWith('unauthorized', /missing: RIGHT_GATEWAY_DELETE\)/),
  )
})

test('a key of an organization is asked for the rights of an organization', async (t) => {
  const changes = { user_id: '', organization_id: 'fleet-team' }
  const { store, connection } = await connectToStack(t, changes)
  store.keyOwner = 'organization'
  const ofTeam = gatewayRights.map((right) => right.replace('_USER_', '_ORGANIZATION_'))
  store.rights = [...deviceRights, ...ofTeam]
  await connection.check()
  await connection.gateways.add({ gatewayEui, name: 'Roof' })
  assert.equal(store.gateways.get('eui-00bb0000000000b1')?.owner, 'fleet-team')
  store.rights = [...deviceRights, ...gatewayRights]
  await assert.rejects(
    connection.check(),
    failsWith('refused', /organization fleet-team \(organization_id\).*_GATEWAYS_LIST/),
  )
})

test('without user and organization no right on gateways is asked for', async (t) => {
  const { store, connection } = await connectToStack(t, { user_id: '' })
  store.rights = deviceRights
  await connection.check()
  await assert.rejects(Array.fromAsync(connection.gateways.list()), (error) => {
    assert.ok(error instanceof NetworkError)
    assert.deepEqual([error.kind, error.about], ['unauthorized', 'gateway'])
    assert.match(
      error.message,
      /insufficient rights for user `fleet-owner` \(missing: RIGHT_USER_GATEWAYS_LIST\)/,
    )
    return true
  })
})

test('names the field of a key that is not accepted', async (t) => {
  const { store } = await connectToStack(t)
  const [, id] = store.apiKey.split('.')
  const keys = {
    'NNSXS.OTHER.SECRET': /API key not found: api key with id `OTHER` not found \(api_key\)/,
    [`NNSXS.${id}.WRONG`]: /invalid authorization \(api_key\)/,
    'not-a-key': /invalid token \(api_key\)/,
  }
  for (const [api_key, words] of Object.entries(keys)) {
    const { connection } = await connectToStack(t, { api_key })
    await assert.rejects(connection.check(), failsWith('unauthorized', words))
    const added = connection.addDevice(plannedSensor)
    await assert.rejects(
      added,
      (error) => error instanceof NetworkError && error.about === 'account',
    )
  }
})

test('names the application that the key does not see', async (t) => {
  const { connection } = await connectToStack(t, { application_id: 'not-mine' })
  await assert.rejects(connection.check(), failsWith('refused', /no application not-mine/))
})
