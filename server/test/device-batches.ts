import assert from 'node:assert/strict'
import { deviceKey, doorType, euiOf } from './fleet.ts'
import type { Login, TestService } from './service.ts'

/** For tests: items of POST /batch-device-requests, and their answers. */

export const batchUrl = '/v1/batch-device-requests'

export function creation(number: number, changes: object = {}, data: object = {}) {
  return {
    action: 'create',
    deviceName: `Device ${number}`,
    deviceId: euiOf(number),
    provisioningData: {
      network: 'chirpstack',
      registerMethod: 'vendor',
      deviceKey,
      deviceTypeId: doorType.id,
      gatewayId: null,
      joinEui: '00BB000000000001',
      appRegion: null,
      frequencyPlan: null,
      ...data,
    },
    ...changes,
  }
}

export function update(number: number, deviceName: string) {
  return { action: 'update', deviceId: euiOf(number), deviceName }
}

export function deletion(number: number) {
  return { action: 'delete', deviceId: euiOf(number) }
}

/** Sends a batch and returns its entries without their warnings. */
export async function sendBatch(service: TestService, devices: unknown, as: Login = service.owner) {
  const answer = await service.call('POST', batchUrl, { as, body: { devices } })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data.map(({ warnings: _, ...entry }: { warnings?: string[] }) => entry)
}

export function done(verb: 'added' | 'updated' | 'deleted', number: number) {
  return { status: true, message: `Device ${verb} successfully`, deviceId: euiOf(number) }
}

export function notFound(number: number) {
  return { status: false, message: 'device not found', deviceId: euiOf(number) }
}

export function refused(...errors: string[]) {
  return {
    status: false,
    message: 'Device registration failed due to the validation errors.',
    deviceId: null,
    errors,
  }
}

export const taken = refused('The device EUI has already been taken.')
export const spent = refused('The device limit of your account has been reached.')

/** Returns the calls to networks that are still queued for these devices, in order. */
export async function readOutbox(
  { services }: TestService,
  numbers: number[],
): Promise<[string, string][]> {
  const rows = await services.db.query<{ eui: string; action: string }>(
    'select eui, action from provisioning where eui = any($1) order by id',
    [numbers.map(euiOf)],
  )
  return rows.map(({ eui, action }) => [eui, action])
}
