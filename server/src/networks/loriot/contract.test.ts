import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectToSimulator } from '../../../test/connections/loriot.ts'
import { doorSensor } from '../../../test/network-bench.ts'
import { readContract, skipWithoutContracts } from '../../../test/network-openapi.ts'

test('makes the calls that LORIOT documents', { skip: skipWithoutContracts }, async (t) => {
  const contract = readContract('loriot.openapi.yaml', {
    // LORIOT's own migration tool sends an empty text for a gateway without a card.
    mend: (text) => text.replace(/(card:\n *)type: number/, '$1'),
  })
  const { connection, http } = await connectToSimulator(t, { network_id: 'A0000001' })
  const { devEui } = doorSensor
  const callback = { url: 'https://us.example.test/', header: 'authorization', value: 'v' }
  const gateway = { gatewayEui: '00BB0000000000B1', name: 'Roof', region: 'EU868' } as const
  await connection.check()
  await connection.addDevice(doorSensor)
  await connection.addDevice({ ...doorSensor, name: 'Gate' })
  await connection.renameDevice(devEui, 'Front door')
  await connection.queueDownlink({ devEui, fPort: 2, payload: Buffer.from([1]), confirmed: false })
  await connection.readSession(devEui)
  await connection.flushDownlinks(devEui)
  await connection.gateways.add(gateway)
  await connection.gateways.update({ ...gateway, name: 'Mast' })
  const linux = { brand: 'linux', concentrator: 'sx1301_ref', bus: 'USB' }
  await connection.gateways.add({ gatewayEui: '00BB00FFFF0000B2', name: 'x', settings: linux })
  await Array.fromAsync(connection.listDevices())
  await Array.fromAsync(connection.gateways.list())
  await connection.setCallback(callback)
  await connection.readCallback(callback)
  await connection.removeCallback(callback)
  await connection.gateways.remove(gateway.gatewayEui)
  await connection.removeDevice(devEui)
  // The downlink call is of the documentation, and not in the file of the API.
  const calls = http.calls.filter(({ path }) => path !== '/1/rest')
  assert.ok(calls.length > 20)
  assert.deepEqual(
    calls.flatMap((call) => contract.findFaults(call)),
    [],
  )
})
