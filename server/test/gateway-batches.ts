import assert from 'node:assert/strict'
import { gatewayEuiOf } from './fleet.ts'
import type { Login, TestService } from './service.ts'

/** For tests: items of POST /batch-gateway-requests, and their answers. */

export const batchUrl = '/v1/batch-gateway-requests'

export function update(gatewayId: number, gatewayName: string) {
  return { action: 'update', gatewayId, gatewayName }
}

export function deletion(gatewayId: number) {
  return { action: 'delete', gatewayId }
}

/** Sends a batch and returns its entries without their warnings. */
export async function sendBatch(
  service: TestService,
  gateways: unknown,
  as: Login = service.owner,
) {
  const answer = await service.call('POST', batchUrl, { as, body: { gateways } })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data.map(({ warnings: _, ...entry }: { warnings?: string[] }) => entry)
}

export function created(number: number, gatewayId: number) {
  return {
    status: true,
    message: 'Gateway has been created successfully.',
    gatewayEui: gatewayEuiOf(number),
    gatewayId,
    action: 'create',
  }
}

export function updated(gatewayId: number) {
  return { status: true, message: 'Gateway updated successfully.', gatewayId, action: 'update' }
}

export function deleted(gatewayId: number) {
  return { status: true, message: 'Gateway has been deleted.', gatewayId, action: 'delete' }
}

export function notFound(action: 'update' | 'delete', gatewayId: number) {
  return { status: false, message: 'Gateway not found!', gatewayId, action }
}

export function refused(action: string, errors: string[], gatewayEui?: string) {
  return {
    status: false,
    message: 'Gateway registration failed due to the validation errors.',
    ...(gatewayEui !== undefined && { gatewayEui }),
    gatewayId: null,
    action,
    errors,
  }
}

export function taken(number: number) {
  return refused('create', ['The gateway EUI has already been taken.'], gatewayEuiOf(number))
}
