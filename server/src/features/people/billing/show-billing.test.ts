import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { foundOrganization } from '../../../../test/members.ts'
import { contactType, quarterly, register, subscribe } from '../../../../test/plans.ts'
import { startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after }, { billingPlans: [quarterly] })

test('tells the quota, the plans, and what a device of each type costs', async () => {
  const as = await foundOrganization(service, 'billing@example.test')
  const read = async () => (await service.call('GET', '/v1/fleet/billing', { as })).body.data
  const before = await read()
  assert.equal(before.quota.devices, 0)
  assert.equal(before.is_subscribed, false)
  await subscribe(service, as)
  await register(service, as, { deviceType: contactType })
  const { quota, is_subscribed, plans } = await read()
  assert.equal(is_subscribed, true)
  assert.deepEqual([quota.devices, before.quota.remaining - quota.remaining], [1, 1])
  const [plan] = plans
  assert.deepEqual([plan.plan_code, plan.device_price], ['quarterly', 1])
  assert.deepEqual(plan.device_prices, [{ type_id: contactType, price: 0.5 }])
  assert.deepEqual(plan.networks, ['chirpstack'])
})
