import assert from 'node:assert/strict'
import { after } from 'node:test'
import devicePb from '@chirpstack/chirpstack-api/api/device_pb.js'
import gatewayPb from '@chirpstack/chirpstack-api/api/gateway_pb.js'
import type { ChirpStackSimulator } from '../simulators/chirpstack/simulator.ts'
import { createSensor } from '../simulators/sensor-frames.ts'
import { doorType, euiOf, gatewayEuiOf } from './fleet.ts'
import { foundOrganization } from './members.ts'
import { connect, startChirpStack } from './network.ts'
import type { Login, TestService } from './service.ts'

/** For tests: a ChirpStack whose owner changes things in its own console. */

export const reconcileUrl = '/v1/network-accounts/chirpstack/reconcile'

let organizations = 0
/** Makes an organization with its own ChirpStack, and returns the owner. */
export async function startFleet(service: TestService) {
  organizations += 1
  const owner = await foundOrganization(service, `fleet${organizations}@example.test`)
  const simulator = await startChirpStack({ after })
  await connect(service, simulator, {}, owner)
  return { owner, simulator }
}

export async function countDevices(service: TestService, as: Login): Promise<number> {
  const { body } = await service.call('GET', '/v1/devices', { as })
  return body.meta.total
}

export function addAtNetwork(simulator: ChirpStackSimulator, number: number, name: string): void {
  const devEui = euiOf(number).toLowerCase()
  const record = new devicePb.Device()
  record.setDevEui(devEui)
  record.setName(name)
  record.setApplicationId(simulator.applicationId)
  record.setDeviceProfileId(simulator.deviceProfileId)
  simulator.devices.set(devEui, { record, queue: [], sensor: createSensor('door') })
}

export function removeAtNetwork(simulator: ChirpStackSimulator, number: number): void {
  assert.ok(simulator.devices.delete(euiOf(number).toLowerCase()))
}

export function renameAtNetwork(simulator: ChirpStackSimulator, number: number, name: string) {
  const device = simulator.devices.get(euiOf(number).toLowerCase())
  assert.ok(device)
  device.record.setName(name)
}

/**
 * Changes a key as the owner does in ChirpStack's own console. Without `key`, it removes the key.
 */
export function changeKeyAtNetwork(simulator: ChirpStackSimulator, number: number, key?: string) {
  const device = simulator.devices.get(euiOf(number).toLowerCase())
  assert.ok(device)
  delete device.keys
  if (key === undefined) return
  device.keys = new devicePb.DeviceKeys()
  device.keys.setDevEui(euiOf(number).toLowerCase())
  device.keys.setNwkKey(key.toLowerCase())
}

export function addGatewayAtNetwork(simulator: ChirpStackSimulator, number: number, name: string) {
  const gateway = new gatewayPb.Gateway()
  gateway.setGatewayId(gatewayEuiOf(number).toLowerCase())
  gateway.setName(name)
  gateway.setTenantId(simulator.tenantId)
  simulator.store.gateways.set(gateway.getGatewayId(), gateway)
}

/** Sends a request and returns its report. */
export async function reconcile(
  service: TestService,
  body: Record<string, unknown> = {},
  as: Login = service.owner,
) {
  const answer = await service.call('POST', reconcileUrl, { as, body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}

export async function readReport(service: TestService, query = '', as: Login = service.owner) {
  const answer = await service.call('GET', `${reconcileUrl}${query}`, { as })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}

/** A row about a device. */
export function row(number: number, action: string, changes: Record<string, unknown> = {}) {
  return { kind: 'device', eui: euiOf(number), action, ...changes }
}

export function adoption(number: number, changes: Record<string, unknown> = {}) {
  return row(number, 'adopt', { device_type: doorType.id, ...changes })
}

export const noDifference = {
  only_at_network: 0,
  only_here: 0,
  name_differs: 0,
  key_differs: 0,
  join_eui_differs: 0,
  lorawan_differs: 0,
  incomplete: 0,
  ignored: 0,
}
