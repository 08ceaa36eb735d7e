import assert from 'node:assert/strict'
import type { Login, TestService } from './service.ts'

/** For tests: invented devices, gateways and groups, and accounts at networks. */

export const deviceKey = '000102030405060708090A0B0C0D0E0F'
/** The message for a ChirpStack device whose organization has no account there. */
export const noAccount = noAccountFor('device')
export const noAccountForGateway = noAccountFor('gateway')

function noAccountFor(kind: string): string {
  return `The organization has no account at ChirpStack v4: connect one with PUT /network-accounts/chirpstack. The ${kind} stays pending until then.`
}

/** The id of ChirpStack v4, and a device type that every installation has: Door/Window. */
export const chirpstackId = 10
export const doorType = { id: 16, name: 'RBS301-DWS - LoRa Door/Window' }

export function euiOf(number: number): string {
  return `00AA${number.toString(16).toUpperCase().padStart(12, '0')}`
}

/** The body of POST /devices that registers a door sensor. A device is a number or a DevEUI. */
export function registrationOf(device: number | string, changes: Record<string, unknown> = {}) {
  return {
    network: chirpstackId,
    deviceName: `Device ${typeof device === 'number' ? device : device.slice(-4)}`,
    deviceId: typeof device === 'number' ? euiOf(device) : device,
    deviceKey,
    deviceType: doorType.id,
    registerMethod: 'user_account',
    action: 'confirm',
    ...changes,
  }
}

/** Registers a device and returns its full record. */
export async function addDevice(
  service: TestService,
  device: number | string,
  changes: Record<string, unknown> = {},
  as: Login = service.owner,
) {
  const body = registrationOf(device, changes)
  const answer = await service.call('POST', '/v1/devices', { as, body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.device
}

/** Registers a device without a call to any network, and returns its id. */
export async function addLocalDevice(
  service: TestService,
  device: number | string,
  changes: Record<string, unknown> = {},
  as: Login = service.owner,
): Promise<number> {
  return (await addDevice(service, device, { consoleOnly: true, ...changes }, as)).id
}

/** Returns the current record of a device. */
export async function readDevice(service: TestService, number: number, as?: Login) {
  const answer = await service.call('GET', `/v1/devices/${euiOf(number)}`, as ? { as } : {})
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}

export function gatewayEuiOf(number: number): string {
  return `00BB${number.toString(16).toUpperCase().padStart(12, '0')}`
}

/** The body of POST /gateways that registers a gateway at ChirpStack. */
export function gatewayOf(number: number, changes: Record<string, unknown> = {}) {
  return {
    gateway_name: `Gateway ${number}`,
    gateway_ip: '192.168.2.1',
    gateway_eui: gatewayEuiOf(number),
    gateway_bridge: 'chirpstack',
    ...changes,
  }
}

/** An item of POST /batch-gateway-requests that registers a gateway at ChirpStack. */
export function gatewayCreation(number: number, changes: Record<string, unknown> = {}) {
  return {
    action: 'create',
    gatewayName: `Gateway ${number}`,
    gatewayIp: '192.168.2.1',
    gatewayBridge: 'chirpstack',
    gatewayEui: gatewayEuiOf(number),
    appRegion: 'EU868',
    ...changes,
  }
}

/** Registers a gateway and returns its full record. */
export async function addGateway(
  service: TestService,
  number: number,
  changes: Record<string, unknown> = {},
  as: Login = service.owner,
) {
  const body = gatewayOf(number, changes)
  const answer = await service.call('POST', '/v1/gateways', { as, body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.gateway
}

/** Returns the current lite record of a gateway. */
export async function readLiteGateway(service: TestService, number: number, as = service.owner) {
  const url = `/v1/gateways?version=lite&search=${gatewayEuiOf(number)}`
  const answer = await service.call('GET', url, { as })
  assert.equal(answer.body.data.length, 1)
  return answer.body.data[0]
}

/** Makes a new group and returns its id. */
export async function addGroup(
  service: TestService,
  name: string,
  more: { selectedGroup?: number | null; selectedDevices?: number[] } = {},
  as: Login = service.owner,
): Promise<number> {
  const body = { groupName: name, ...more }
  const answer = await service.call('POST', '/v1/device-groups', { as, body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data.id
}

interface Outline {
  [name: string]: Outline
}

interface Branch {
  groupName: string
  children: Branch[]
}

/** Returns the names of the whole list, nested like the groups. */
export async function outline(service: TestService, as: Login = service.owner): Promise<Outline> {
  const answer = await service.call('GET', '/v1/device-groups', { as })
  assert.equal(answer.status, 200, answer.text)
  return outlineOf(answer.body.data)
}

function outlineOf(branches: Branch[]): Outline {
  return Object.fromEntries(
    branches.map(({ groupName, children }) => [groupName, outlineOf(children)]),
  )
}

/** Connects the organization to a network, and returns the account. */
export async function connectAccount(
  service: TestService,
  network: string,
  values: Record<string, unknown>,
  as: Login = service.owner,
) {
  const url = `/v1/network-accounts/${network}`
  const answer = await service.call('PUT', url, { as, body: values })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}
