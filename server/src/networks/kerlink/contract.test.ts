import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Bench,
  callback,
  device,
  gateway,
  startWanesyBench,
} from '../../../test/connections/kerlink.ts'
import { readContract, skipWithoutContracts } from '../../../test/network-openapi.ts'

test("makes only calls that are in Kerlink's OpenAPI file", {
  skip: skipWithoutContracts,
}, async (t) => {
  const bench = await startWanesyBench(t)
  await useEverything(bench)
  const contract = readContract('kerlink-wanesy.openapi.json', { mend })
  const operations = new Set(bench.calls.map(({ method, route }) => `${method} ${route}`))
  assert.ok(operations.size >= 19, [...operations].join(', '))
  for (const call of bench.calls) {
    const isWhole = call.method !== 'PATCH' && !call.path.endsWith('/login')
    const faults = contract
      .findFaults(call)
      .flatMap((fault) => fault.replace(/^.*?: /, '').split('; '))
      .filter((fault) => !isOfAnotherUse(fault, isWhole))
    assert.deepEqual(faults, [], call.text)
  }
})

/**
 * The file gives every use of an object the fields that its creation requires. What a PATCH names
 * is changed and the rest is kept ("GMS API"), a login has two fields, and what is meant by its id
 * alone (`cluster: { id }`) need not have more.
 */
function isOfAnotherUse(fault: string, isWhole: boolean): boolean {
  const isRequired = fault.includes('must have required property')
  return isRequired && (!isWhole || fault.startsWith('/'))
}

/** The patterns of the file are in one pair of brackets too many. */
function mend(text: string): string {
  return text.replace(/"pattern": *"\[([^"]+)\]"/g, '"pattern": "^$1$"')
}

async function useEverything({ connection, faults }: Bench) {
  await connection.check()
  await connection.setCallback(callback)
  await connection.setCallback(callback)
  await connection.addDevice(device)
  await connection.addDevice({ ...device, appKey: 'F'.repeat(32) })
  await connection.renameDevice(device.devEui, 'Front door')
  const { devEui } = device
  const payload = Buffer.of(1, 2)
  const id = await connection.queueDownlink({ devEui, fPort: 2, payload, confirmed: false })
  await connection.listDownlinks(devEui)
  await connection.cancelDownlink(devEui, id)
  const settings = { visibility: 'PUBLIC', fleet: 'Roofs', brand: '1' }
  await connection.gateways.add({ ...gateway, description: 'North side', settings })
  await connection.gateways.add(gateway)
  await Array.fromAsync(connection.listDevices())
  await Array.fromAsync(connection.gateways.list())
  await connection.gateways.remove(gateway.gatewayEui)
  await connection.removeDevice(devEui)
  await connection.readCallback(callback)
  await connection.removeCallback(callback)
  assert.deepEqual(faults.answers, {})
}
