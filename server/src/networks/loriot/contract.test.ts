import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  callbackOf,
  connectToLoriot,
  doorSensor,
  abpRadio as radio,
} from '../../../test/network-connections.ts'
import { readDocument, skipWithoutDocuments } from '../../../test/network-documents.ts'

const gateway = { gatewayEui: '00BB0000000000B1', name: 'Roof', region: 'EU868' } as const
const { devEui } = doorSensor

test('calls LORIOT, and is answered, as its OpenAPI file says', {
  skip: skipWithoutDocuments,
}, async (t) => {
  const document = readDocument(['loriot.openapi.yaml'], { fix })
  const bench = await connectToLoriot(t, { network_id: 'A0000001' })
  await useEverything(bench)
  await beRefused(bench)
  // The downlink call is in the documentation, and not in the file of the API.
  const calls = bench.http.calls.filter(({ path }) => path !== '/1/rest')
  assert.ok(calls.length > 25)
  assert.deepEqual(calls.flatMap(document.findRequestFaults), [])
  assert.deepEqual(calls.flatMap(document.findAnswerFaults), [])
})

/**
 * `card` is a number here and a text there, with a number as its example; LORIOT's own migration
 * tool sends an empty text for a gateway without a card.
 */
function fix(text: string): string {
  return text
    .replace(/(card:\n *(?:description: .*\n *)?)type: number/g, '$1type: [number, string]')
    .replace(/(card:\n(?: .*\n){2} *items:\n *)type: string/, '$1type: [number, string]')
}

type Bench = Awaited<ReturnType<typeof connectToLoriot>>

async function useEverything({ connection }: Bench) {
  const callback = { ...callbackOf('loriot'), header: 'authorization' }
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
  await connection.addDevice({ ...doorSensor, radio })
  await connection.addDevice({ ...doorSensor, radio })
  await connection.removeDevice(devEui)
}

async function beRefused({ connection, simulator }: Bench) {
  await assert.rejects(connection.renameDevice('00AA0000000000EE', 'Nobody'))
  await assert.rejects(connection.flushDownlinks('00AA0000000000EE'))
  await assert.rejects(connection.addDevice({ ...doorSensor, devEui: '00AA0000000000FF' }))
  simulator.fail(gateway.gatewayEui, true)
  await assert.rejects(connection.gateways.add(gateway))
  simulator.deny?.(['write_devices', 'read_gateways', 'set_callback'])
  await assert.rejects(connection.addDevice(doorSensor))
  await assert.rejects(Array.fromAsync(connection.gateways.list()))
  await assert.rejects(connection.setCallback({ ...callbackOf('loriot'), header: 'authorization' }))
}
