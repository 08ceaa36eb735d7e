import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type ActilityBench,
  callbackOf,
  connectToActility,
  doorSensor,
  actilityGateway as gateway,
} from '../../../test/network-connections.ts'
import { readDocument, skipWithoutDocuments } from '../../../test/network-documents.ts'

const callback = callbackOf('actility')
const { devEui } = doorSensor

/** Vendor extensions of the files: what only a creation requires. */
const requiredOnCreation: Record<string, readonly string[]> = {
  '/thingpark/wireless/rest/subscriptions/mine/devices': ['model', 'EUI', 'activation'],
  '/thingpark/wireless/rest/subscriptions/mine/appServers': ['name'],
  '/thingpark/wireless/rest/partners/mine/bss': ['model', 'lrrUUID'],
}

test('calls ThingPark, and is answered, as its OpenAPI files say', {
  skip: skipWithoutDocuments,
}, async (t) => {
  const bench = await connectToActility(t, { base_station_model_id: 'KERL/IBTS.1' })
  await useEverything(bench)
  await beRefused(bench)
  const parts = ['device-manager', 'network-manager', 'lrc-tunnel']
  const document = readDocument(
    parts.map((name) => `actility-${name}.openapi.yaml`),
    { fix },
  )
  const calls = bench.http.calls.filter(({ path }) => !path.startsWith('/users-auth/'))
  const operations = new Set(calls.map(({ method, route }) => `${method} ${route}`))
  assert.ok(operations.size >= 17, [...operations].join(', '))
  for (const call of calls) {
    assert.deepEqual(document.findRequestFaults(call), [], call.text)
    assert.deepEqual(document.findAnswerFaults(call), [])
    if (call.method !== 'POST') continue
    for (const name of requiredOnCreation[call.path] ?? []) {
      assert.ok((call.body as Record<string, unknown>)[name], `${name} in ${call.text}`)
    }
  }
})

/**
 * The host of a base station is its owner by default, and the tutorial's creation has none. A list of
 * devices requires a member of its devices, `motionIndicator`, which its own properties do not have.
 */
function fix(text: string): string {
  return text.replace(/^ +- host\n/gm, '').replace(/(- count\n) +- motionIndicator\n/, '$1')
}

async function useEverything({ connection, simulator, store }: ActilityBench) {
  await connection.check()
  await connection.setCallback(callback)
  simulator.spoilCallbacks('delete')
  for (const server of store.appServers.values()) server.isDeactivated = true
  await connection.setCallback(callback)
  const keys = { devAddr: '26011AB1', networkKey: 'AABBCCDDEEFF00112233445566778899' }
  const abp = { version: '1.0', activation: 'abp', deviceClass: 'A', ...keys } as const
  const later = { version: '1.1', activation: 'otaa', deviceClass: 'C', ...keys } as const
  for (const radio of [abp, later]) {
    const profile = radio === later ? 'LORA/GenericC.1.1_ETSI' : 'LORA/GenericA.1.0.3a_ETSI'
    await connection.addDevice({ ...doorSensor, profile, radio })
    await connection.addDevice({ ...doorSensor, profile, radio })
    await connection.removeDevice(devEui)
  }
  await connection.addDevice(doorSensor)
  await connection.addDevice(doorSensor)
  await connection.renameDevice(doorSensor.devEui, 'Front door')
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

async function beRefused({ connection, simulator }: ActilityBench) {
  const { devEui } = doorSensor
  const downlink = { devEui, fPort: 2, payload: Buffer.of(1), confirmed: false }
  await assert.rejects(connection.renameDevice('00AA0000000000EE', 'Nobody'))
  await assert.rejects(connection.queueDownlink(downlink))
  simulator.fail(devEui, true)
  await assert.rejects(connection.addDevice(doorSensor))
  simulator.fail(devEui, false)
  simulator.deny?.(['write_devices', 'write_gateways', 'read_gateways', 'set_callback'])
  await assert.rejects(connection.addDevice(doorSensor))
  await assert.rejects(connection.gateways.add(gateway))
  await assert.rejects(connection.setCallback(callback))
}
