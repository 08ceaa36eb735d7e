import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertInvalid } from '../../../../test/invalid.ts'
import { foundOrganization } from '../../../../test/members.ts'
import {
  contactType,
  loriotId,
  newDevice,
  paymentMissing,
  quarterly,
  register,
  subscribe,
} from '../../../../test/plans.ts'
import { type Login, startTestService } from '../../../../test/service.ts'
import { readFormPayment } from './registration-payment.ts'

const service = await startTestService({ after }, { billingPlans: [quarterly] })
const { services } = service

async function change(
  as: Login,
  column: 'is_demo_account' | 'trial_ends_at' | 'device_limit',
  value: unknown,
) {
  const text = `update organizations set ${column} = $2 where id = $1`
  await services.db.query(text, [as.organizationId, value])
}

function post(as: Login, changes: Record<string, unknown>) {
  return service.call('POST', '/v1/devices', { as, body: newDevice(changes) })
}

async function validate(as: Login, changes: Record<string, unknown> = {}) {
  const answer = await post(as, { action: 'validate', ...changes })
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.body.status, true)
  return answer.body.payment
}

function readForm(as: Login, network = 'chirpstack') {
  return readFormPayment(services, as.organizationId, network, services.now())
}

const free = {
  demoDevice: false,
  isDemoAccount: 0,
  plan: false,
  subscribed: false,
  isOnTrial: false,
}

// shows 3.1.4, 4.4.15, 4.4.17, 4.4.19, 4.4.21, 4.10.3, 4.10.4
test('tells what must be paid before, and refuses to register until it is set up', async () => {
  const owner = await foundOrganization(service, 'pays@example.test')
  assert.deepEqual(await validate(owner, { deviceType: contactType }), {
    ...free,
    plan: {
      plan_code: 'quarterly',
      name: 'Quarterly',
      description: 'Monitoring, every three months',
      price: 60,
      setup_fee: 25,
      unit: 'EA',
      interval: 3,
      interval_unit: 'months',
      tax_name: '',
      tax_percentage: 0,
      addon: {
        addon_code: 'rbs301-con-monitoring-fee',
        name: 'RBS301-CON - LoRa Contact Sensor monitoring fee',
        price: 0.5,
      },
    },
  })
  assert.equal((await readForm(owner)).eligible, true)
  const refused = await post(owner, {})
  assert.equal(refused.status, 422)
  assertInvalid(refused.body, { message: paymentMissing, errors: { payment: [paymentMissing] } })
  assert.equal((await readForm(owner)).remainingDevices, 100_000, 'the quota is untouched')
  await subscribe(service, owner)
  assert.deepEqual(await validate(owner), { ...free, subscribed: true })
  await register(service, owner)
  assert.deepEqual(await readForm(owner), {
    eligible: true,
    subscriptions: true,
    isOnTrial: false,
    isDemoAccount: false,
    remainingDevices: 99_999,
  })
})

// shows 4.4.20
test('asks for nothing on a network that no plan covers', async () => {
  const owner = await foundOrganization(service, 'free@example.test')
  assert.deepEqual(await validate(owner, { network: loriotId }), free)
  await register(service, owner, { network: loriotId })
  assert.equal((await readForm(owner, 'loriot')).eligible, false)
})

// shows 4.10.6, 10.6.17
test('lets a demo account add devices without payment', async () => {
  const owner = await foundOrganization(service, 'demo@example.test')
  await change(owner, 'is_demo_account', true)
  assert.deepEqual(await validate(owner), { ...free, demoDevice: true, isDemoAccount: 1 })
  await register(service, owner)
  assert.equal((await readForm(owner)).isDemoAccount, true)
})

// shows 4.10.5
test('lets an account add devices without payment while its trial lasts', async () => {
  const owner = await foundOrganization(service, 'trial@example.test')
  await change(owner, 'trial_ends_at', '2026-03-05')
  const isOnTrial = 'Mar 05, 2026 00:00:00 (UTC)'
  assert.deepEqual(await validate(owner), { ...free, isOnTrial })
  assert.equal((await readForm(owner)).isOnTrial, isOnTrial)
  await register(service, owner)
  service.setClock(new Date('2026-03-05T00:00:00Z'))
  const payment = await validate(owner)
  assert.equal(payment.isOnTrial, false)
  assert.equal(payment.plan.plan_code, 'quarterly')
  assert.equal((await post(owner, {})).status, 422)
  service.setClock(new Date('2026-03-01T12:00:00Z'))
})

// shows 8.1.4
test('counts what is left of the quota, and never below 0', async () => {
  const owner = await foundOrganization(service, 'quota@example.test')
  await subscribe(service, owner)
  await change(owner, 'device_limit', 2)
  const eui = await register(service, owner)
  assert.equal((await readForm(owner)).remainingDevices, 1)
  await register(service, owner)
  await change(owner, 'device_limit', 1)
  assert.equal((await readForm(owner)).remainingDevices, 0)
  await service.call('DELETE', `/v1/devices/${eui}`, { as: owner })
  assert.equal((await readForm(owner)).remainingDevices, 0)
})

test('without plans nothing requires payment', async (t) => {
  const plain = await startTestService(t)
  const answer = await plain.call('POST', '/v1/devices', {
    body: newDevice({ action: 'validate' }),
  })
  const { status, payment } = answer.body
  assert.deepEqual({ status, payment }, { status: true, payment: free })
  await register(plain, plain.owner)
  const refused = await plain.call('POST', '/v1/subscription', {
    body: { plan_code: 'quarterly' },
  })
  assert.equal(refused.status, 422)
})
