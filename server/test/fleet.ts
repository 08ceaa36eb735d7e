import assert from 'node:assert/strict'
import type { Login, TestService } from './service.ts'

/** For tests: invented devices, told apart by a number. */

export const deviceKey = '000102030405060708090A0B0C0D0E0F'
/** What is told of a device at ChirpStack whose organization has no account there. */
export const noAccount =
  'The organization has no account at ChirpStack v4: connect one with PUT /network-accounts/chirpstack. The device stays pending until then.'
/** ChirpStack v4, and a device type that every installation has: Door/Window. */
export const chirpstackId = 10
export const doorType = { id: 16, name: 'RBS301-DWS - LoRa Door/Window' }

export function euiOf(number: number): string {
  return `00AA${number.toString(16).toUpperCase().padStart(12, '0')}`
}

/** The body of POST /devices that registers a device. */
export function registrationOf(number: number, changes: Record<string, unknown> = {}) {
  return {
    network: chirpstackId,
    deviceName: `Device ${number}`,
    deviceId: euiOf(number),
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
  number: number,
  changes: Record<string, unknown> = {},
  as: Login = service.owner,
) {
  const body = registrationOf(number, changes)
  const answer = await service.call('POST', '/v1/devices', { as, body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.device
}

/** The record of a device as it stands now. */
export async function readDevice(service: TestService, number: number, as?: Login) {
  const answer = await service.call('GET', `/v1/devices/${euiOf(number)}`, as ? { as } : {})
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}
