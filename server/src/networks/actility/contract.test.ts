import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Bench,
  callback,
  gateway,
  startThingParkBench,
} from '../../../test/connections/actility.ts'
import { doorSensor } from '../../../test/network-bench.ts'
import { readContract, skipWithoutContracts } from '../../../test/network-openapi.ts'

/** Vendor extensions of the files: what only a creation requires. */
const requiredOnCreation: Record<string, readonly string[]> = {
  '/thingpark/wireless/rest/subscriptions/mine/devices': ['model', 'EUI', 'activation'],
  '/thingpark/wireless/rest/subscriptions/mine/appServers': ['name'],
  '/thingpark/wireless/rest/partners/mine/bss': ['model', 'lrrUUID'],
}

test("makes only calls that are in Actility's OpenAPI files", {
  skip: skipWithoutContracts,
}, async (t) => {
  const bench = await startThingParkBench(t, { base_station_model_id: 'KERL/IBTS.1' })
  await useEverything(bench)
  const files = ['device-manager', 'network-manager', 'lrc-tunnel']
  const contracts = files.map((name) => readContract(`actility-${name}.openapi.yaml`, { mend }))
  const calls = bench.calls.filter(({ path }) => !path.startsWith('/users-auth/'))
  const operations = new Set(calls.map(({ method, route }) => `${method} ${route}`))
  assert.ok(operations.size >= 17, [...operations].join(', '))
  for (const call of calls) {
    const found = contracts.map((contract) => contract.findFaults(call))
    const faults = found.find(([fault]) => !fault?.endsWith('is not in the contract'))
    assert.deepEqual(faults, [], call.text)
    if (call.method !== 'POST') continue
    for (const name of requiredOnCreation[call.path] ?? []) {
      assert.ok((call.body as Record<string, unknown>)[name], `${name} in ${call.text}`)
    }
  }
})

/** The host of a base station is its owner by default, and the tutorial's creation has none. */
function mend(text: string): string {
  return text.replace(/^ +- host\n/gm, '')
}

async function useEverything({ connection, simulator, thingPark }: Bench) {
  await connection.check()
  await connection.setCallback(callback)
  simulator.spoilCallbacks('delete')
  for (const server of thingPark.appServers.values()) server.isDeactivated = true
  await connection.setCallback(callback)
  await connection.addDevice(doorSensor)
  await connection.addDevice(doorSensor)
  await connection.renameDevice(doorSensor.devEui, 'Front door')
  const { devEui } = doorSensor
  const payload = Buffer.of(1, 2)
  await connection.queueDownlink({ devEui, fPort: 2, payload, confirmed: false })
  await connection.queueDownlink({ devEui, fPort: 223, payload, confirmed: true })
  await connection.flushDownlinks(devEui)
  await connection.gateways.add({ ...gateway, description: 'North side' })
  await connection.gateways.add(gateway)
  await connection.gateways.update({ gatewayEui: gateway.gatewayEui, name: 'Mast' })
  await Array.fromAsync(connection.listDevices())
  await Array.fromAsync(connection.gateways.list())
  await connection.gateways.remove(gateway.gatewayEui)
  await connection.removeDevice(devEui)
  await connection.readCallback(callback)
  await connection.removeCallback(callback)
}
