import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FarCall } from '../../../simulators/far-http.ts'
import { connectToSimulator, plannedSensor } from '../../../test/connections/thethingsnetwork.ts'
import { readContract, skipWithoutContracts } from '../../../test/network-openapi.ts'
import { isObject } from '../message-fields.ts'

/**
 * The Swagger file gives a field mask in its canonical form, a text; The Things Stack's own client
 * sends `{ paths }`, which is what its documentation shows.
 */
function withCanonicalMask(call: FarCall): FarCall {
  const { body } = call
  if (!isObject(body) || !isObject(body.field_mask)) return call
  const { paths } = body.field_mask
  return { ...call, body: { ...body, field_mask: (paths as string[]).join(',') } }
}

test('makes no call that its API description does not have', {
  skip: skipWithoutContracts,
}, async (t) => {
  const contract = readContract('thethingsstack.swagger.json', { basePath: '/api/v3' })
  const { simulator, connection } = await connectToSimulator(t)
  const { devEui } = plannedSensor
  const callback = { url: 'https://fleet.example.test/x', header: 'X-Secret', value: 's' }
  const roof = {
    gatewayEui: '00BB0000000000B1',
    name: 'Roof',
    description: 'x',
    settings: { frequency_plan: 'EU_863_870_TTN', zone_id: 'eu1' },
  }
  await connection.check()
  await connection.setCallback(callback)
  await connection.addDevice(plannedSensor)
  await connection.addDevice(plannedSensor)
  await connection.renameDevice(devEui, 'Front door')
  const payload = Buffer.from('01', 'hex')
  const id = await connection.queueDownlink({ devEui, fPort: 2, payload, confirmed: true })
  await connection.listDownlinks(devEui)
  await connection.cancelDownlink(devEui, id)
  await Array.fromAsync(connection.listDevices())
  assert.equal((await connection.readDevice(devEui, { key: true })).appKey, plannedSensor.appKey)
  await connection.gateways.add(roof)
  await connection.gateways.update({ ...roof, name: 'Mast' })
  await Array.fromAsync(connection.gateways.list())
  await connection.gateways.remove(roof.gatewayEui)
  await connection.gateways.add(roof)
  await connection.removeDevice(devEui)
  await connection.readCallback(callback)
  await connection.removeCallback(callback)
  const { calls } = simulator.http
  assert.ok(calls.length > 25)
  assert.deepEqual(calls.map(withCanonicalMask).flatMap(contract.findFaults), [])
})
