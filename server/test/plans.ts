import assert from 'node:assert/strict'
import { planSchema } from '../src/features/people/billing/plans.ts'
import { registrationOf } from './fleet.ts'
import type { Login, TestService } from './service.ts'

/** For tests: a plan only for ChirpStack's devices, and registrations on two networks. */

export const quarterly = planSchema.parse({
  plan_code: 'quarterly',
  name: 'Quarterly',
  description: 'Monitoring, every three months',
  price: 60,
  interval: 3,
  interval_unit: 'months',
  setup_fee: 25,
  device_price: 1,
  device_prices: { '18': 0.5 },
  networks: ['chirpstack'],
})

export const loriotId = 6
export const contactType = 18

export const paymentMissing =
  'Billing must be set up before a device can be registered on this network.'

let lastNumber = 0

/** The body of a registration with a new DevEUI. */
export function newDevice(changes: Record<string, unknown> = {}) {
  lastNumber += 1
  return registrationOf(`00BB${lastNumber.toString(16).padStart(12, '0')}`, changes)
}

export async function register(service: TestService, as: Login, changes = {}): Promise<string> {
  const body = newDevice(changes)
  const answer = await service.call('POST', '/v1/devices', { as, body })
  assert.equal(answer.status, 200, answer.text)
  return body.deviceId
}

export async function subscribe(service: TestService, as: Login): Promise<void> {
  const body = { plan_code: 'quarterly' }
  const answer = await service.call('POST', '/v1/subscription', { as, body })
  assert.equal(answer.status, 201, answer.text)
}

export async function readSubscription(service: TestService, as: Login) {
  const answer = await service.call('GET', '/v1/subscription/check/current', { as })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
