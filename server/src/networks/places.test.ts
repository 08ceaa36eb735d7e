import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  callbackOf,
  connectToActility,
  connectToChirpStack,
  connectToKerlink,
  connectToLoriot,
  connectToStack,
  doorSensor,
  kerlinkGateway,
  plannedSensor,
} from '../../test/network-connections.ts'

/** Networks that take places get them when a device or a gateway is added, and when it moves. */

const town = { latitude: 48.137, longitude: 11.575, altitude: 519.4 }
const hill = { latitude: 47.5, longitude: 11.25, altitude: null }
const roof = { gatewayEui: '7076FFFFFF053A13', name: 'Roof' }

test('ChirpStack takes the place of a gateway', async (context) => {
  const { connection, simulator } = await connectToChirpStack(context)
  const place = () => {
    const location = simulator.store.gateways.get(roof.gatewayEui.toLowerCase())?.getLocation()
    return [location?.getLatitude(), location?.getLongitude(), location?.getAltitude()]
  }
  await connection.gateways.add({ ...roof, place: town })
  assert.deepEqual(place(), [48.137, 11.575, 519.4])
  await connection.gateways.update({ ...roof, place: hill })
  await connection.gateways.update({ ...roof, name: 'Mast' })
  assert.deepEqual(place(), [47.5, 11.25, 0])
})

test('LORIOT takes the place of a gateway', async (context) => {
  const { connection, side } = await connectToLoriot(context)
  const place = () => side.gateways.get(roof.gatewayEui)?.record.location
  await connection.gateways.add({ ...roof, region: 'EU868', place: town })
  assert.deepEqual(place(), { lat: 48.137, lon: 11.575 })
  await connection.gateways.update({ ...roof, place: hill })
  await connection.gateways.update({ ...roof, name: 'Mast' })
  assert.deepEqual(place(), { lat: 47.5, lon: 11.25 })
})

test('Wanesy takes the place of a gateway', async (context) => {
  const { connection, side } = await connectToKerlink(context)
  await connection.gateways.add({ ...kerlinkGateway, place: town })
  await connection.gateways.update({ ...kerlinkGateway, place: hill })
  const { latitude, longitude, altitude } =
    side.gateways.get(kerlinkGateway.gatewayEui)?.record ?? {}
  assert.deepEqual([latitude, longitude, altitude], [47.5, 11.25, 519])
})

test('The Things Stack takes the places of gateways and devices', async (context) => {
  const { connection, store } = await connectToStack(context)
  await connection.gateways.add({ ...roof, region: 'EU868', place: town })
  await connection.gateways.update({ ...roof, place: hill })
  await connection.gateways.update({ ...roof, name: 'Mast' })
  const source = 'SOURCE_REGISTRY'
  const [gateway] = [...store.gateways.values()]
  const location = { latitude: 47.5, longitude: 11.25, source }
  assert.deepEqual(gateway?.record.antennas, [{ location }])
  const place = () => [...store.devices.values()][0]?.identity?.locations
  await connection.addDevice({ ...plannedSensor, place: town })
  const { latitude, longitude } = town
  assert.deepEqual(place(), { user: { latitude, longitude, altitude: 519, source } })
  await connection.renameDevice(doorSensor.devEui, 'Back door', hill)
  await connection.renameDevice(doorSensor.devEui, 'Side door')
  assert.deepEqual(place(), { user: location })
})

test('ThingPark takes the place of a device', async (context) => {
  const { connection, side } = await connectToActility(context)
  const place = () => {
    const { adminLat, adminLon } = side.devices.get(doorSensor.devEui)?.record ?? {}
    return [adminLat, adminLon]
  }
  await connection.setCallback(callbackOf('actility'))
  await connection.addDevice({ ...doorSensor, place: town })
  assert.deepEqual(place(), [48.137, 11.575])
  await connection.renameDevice(doorSensor.devEui, 'Back door', hill)
  await connection.renameDevice(doorSensor.devEui, 'Side door')
  assert.deepEqual(place(), [47.5, 11.25])
})
