import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  callbackOf,
  connectToKerlink,
  kerlinkDevice as device,
  kerlinkGateway as gateway,
  type KerlinkBench,
  abpRadio as radio,
} from '../../../test/network-connections.ts'
import { readDocument, skipWithoutDocuments } from '../../../test/network-documents.ts'

const callback = callbackOf('kerlink')

test('calls Wanesy, and is answered, as its OpenAPI file says', {
  skip: skipWithoutDocuments,
}, async (t) => {
  const bench = await connectToKerlink(t)
  await useEverything(bench)
  await beRefused(bench)
  const document = readDocument(['kerlink-wanesy.openapi.json'], { fix })
  const operations = new Set(bench.http.calls.map(({ method, route }) => `${method} ${route}`))
  assert.ok(operations.size >= 19, [...operations].join(', '))
  for (const call of bench.http.calls) {
    const isWhole = call.method !== 'PATCH' && !call.path.endsWith('/login')
    const faults = document
      .findRequestFaults(call)
      .flatMap((fault) => fault.replace(/^.*?: /, '').split('; '))
      .filter((fault) => !isOfAnotherUse(fault, isWhole))
    assert.deepEqual(faults, [], call.text)
    assert.deepEqual(document.findAnswerFaults(call), [])
  }
})

/**
 * The file gives every use of an object the fields that its creation requires. A PATCH changes
 * what it names and keeps the rest ("GMS API"), a login has two fields, and a reference by id
 * (`cluster: { id }`) needs no more than the id.
 */
function isOfAnotherUse(fault: string, isWhole: boolean): boolean {
  const isRequired = fault.includes('must have required property')
  return isRequired && (!isWhole || fault.startsWith('/'))
}

/**
 * The patterns of the file are in one pair of brackets too many, and it names ranges of statuses by
 * their first one: `"400": { "description": "4xx | ..." }`.
 */
function fix(text: string): string {
  return text
    .replace(/"pattern": *"\[([^"]+)\]"/g, '"pattern": "^$1$"')
    .replace(/"([45])00": *\{ *"description": *"[45]xx/g, '"$1XX":{"description":"')
}

async function useEverything({ connection, http: { faults } }: KerlinkBench) {
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
  await connection.addDevice({ ...device, radio })
  await connection.addDevice({ ...device, radio })
  await connection.removeDevice(devEui)
  await connection.readCallback(callback)
  await connection.removeCallback(callback)
  assert.deepEqual(faults.answers, {})
}

async function beRefused({ connection, simulator }: KerlinkBench) {
  const { devEui } = device
  await assert.rejects(connection.renameDevice('00AA0000000000EE', 'Nobody'))
  simulator.fail(devEui, true)
  await assert.rejects(connection.addDevice(device))
  simulator.fail(devEui, false)
  simulator.deny?.(['write_devices', 'write_gateways', 'set_callback'])
  await assert.rejects(connection.addDevice(device))
  await assert.rejects(connection.gateways.add(gateway))
  await assert.rejects(connection.setCallback(callback))
  simulator.throttle(0)
  await assert.rejects(Array.fromAsync(connection.listDevices()))
}
