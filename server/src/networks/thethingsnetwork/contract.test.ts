import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FarCall } from '../../../simulators/far-call.ts'
import { callbackOf, connectToStack, plannedSensor } from '../../../test/network-connections.ts'
import { readDocument, skipWithoutDocuments } from '../../../test/network-documents.ts'
import { isObject } from '../message-fields.ts'

const gateway = {
  gatewayEui: '00BB0000000000B1',
  name: 'Roof',
  description: 'x',
  settings: { frequency_plan: 'EU_863_870_TTN', zone_id: 'eu1' },
}
const { devEui } = plannedSensor
const payload = Buffer.from('01', 'hex')
const downlink = { devEui, fPort: 2, payload, confirmed: true }

test('calls The Things Stack, and is answered, as its Swagger file says', {
  skip: skipWithoutDocuments,
}, async (t) => {
  const document = readDocument(['thethingsstack.swagger.json'], {
    basePath: '/api/v3',
    namesAllMembers: true,
  })
  const { simulator, connection } = await connectToStack(t)
  await useEverything(connection)
  await beRefused({ simulator, connection })
  const { calls } = simulator.http
  assert.ok(calls.length > 40)
  assert.deepEqual(calls.map(withCanonicalMask).flatMap(document.findRequestFaults), [])
  assert.deepEqual(calls.flatMap(document.findAnswerFaults), [])
})

type Bench = Awaited<ReturnType<typeof connectToStack>>

async function useEverything(connection: Bench['connection']) {
  const callback = callbackOf('thethingsnetwork')
  await connection.check()
  await connection.setCallback(callback)
  await connection.addDevice(plannedSensor)
  await connection.addDevice(plannedSensor)
  await connection.renameDevice(devEui, 'Front door')
  const id = await connection.queueDownlink(downlink)
  await connection.listDownlinks(devEui)
  await connection.cancelDownlink(devEui, id)
  await Array.fromAsync(connection.listDevices())
  assert.equal((await connection.readDevice(devEui, { key: true })).appKey, plannedSensor.appKey)
  await connection.gateways.add(gateway)
  await connection.gateways.update({ ...gateway, name: 'Mast' })
  await Array.fromAsync(connection.gateways.list())
  await connection.gateways.remove(gateway.gatewayEui)
  await connection.gateways.add(gateway)
  await connection.removeDevice(devEui)
  await connection.readCallback(callback)
  await connection.removeCallback(callback)
  const networkKey = 'AABBCCDDEEFF00112233445566778899'
  const otaa = { version: '1.1', activation: 'otaa', deviceClass: 'C', networkKey } as const
  await connection.addDevice({ ...plannedSensor, radio: otaa })
  await connection.removeDevice(devEui)
  const abp = { ...otaa, version: '1.0', activation: 'abp', devAddr: '26011AB1' } as const
  await connection.addDevice({ ...plannedSensor, radio: abp })
  await connection.addDevice({ ...plannedSensor, radio: abp })
  await connection.removeDevice(devEui)
}

async function beRefused({ simulator, connection }: Pick<Bench, 'simulator' | 'connection'>) {
  await assert.rejects(connection.renameDevice('00AA0000000000EE', 'Nobody'))
  await connection.addDevice(plannedSensor)
  simulator.fail(devEui, true)
  await assert.rejects(connection.queueDownlink(downlink))
  simulator.fail(devEui, false)
  simulator.deny?.(['send_downlinks', 'write_devices'])
  await assert.rejects(connection.queueDownlink(downlink))
  await assert.rejects(connection.renameDevice(devEui, 'Gate'))
  simulator.throttle(0)
  await assert.rejects(Array.fromAsync(connection.listDevices()))
}

/**
 * The Swagger file gives a field mask in its canonical form, a text; The Things Stack's own client
 * sends `{ paths }`, which its documentation shows.
 */
function withCanonicalMask(call: FarCall): FarCall {
  const { body } = call
  if (!isObject(body) || !isObject(body.field_mask)) return call
  const { paths } = body.field_mask
  return { ...call, body: { ...body, field_mask: (paths as string[]).join(',') } }
}
