import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import {
  contactType,
  loriotId,
  quarterly,
  readSubscription,
  register,
  subscribe,
} from '../../../../test/plans.ts'
import { startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after }, { billingPlans: [quarterly] })
const url = '/v1/subscription/check/current'

// shows 2.18.1, 4.33.1
test('says so when the organization is not subscribed', async () => {
  const answer = await service.call('GET', url)
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, { subscription: false, subscription_name: null })
})

// shows 2.18.2, 2.18.8-18, 4.33.1
test('gives the whole subscription, computed from the devices', async () => {
  const owner = await foundOrganization(service, 'whole@example.test')
  await subscribe(service, owner)
  for (const deviceType of [16, contactType, 16]) await register(service, owner, { deviceType })
  await register(service, owner, { network: loriotId })
  const text = `update subscriptions set first_billing_on = '2025-08-15' where organization_id = $1`
  await service.services.db.query(text, [owner.organizationId])
  const { subscription, subscription_name } = await readSubscription(service, owner)
  assert.equal(subscription_name, 'quarterly')
  assert.deepEqual(Object.keys(subscription), [
    'customer',
    'card',
    'amount',
    'interval',
    'interval_unit',
    'next_billing_at',
    'last_billing_at',
    'status',
    'plan',
    'addons',
  ])
  assert.equal(subscription.card, false)
  assert.equal(subscription.amount, 60 + 6 + 1.5)
  assert.equal(subscription.interval, 3)
  assert.equal(subscription.interval_unit, 'months')
  assert.equal(subscription.last_billing_at, '2026-02-15')
  assert.equal(subscription.next_billing_at, '2026-05-15')
  assert.equal(subscription.status, 'live')
  assert.deepEqual(subscription.plan, planOnTheBill)
  assert.deepEqual(subscription.addons, [
    { ...addonOnTheBill('dws', 'Door/Window'), price: 1, quantity: 2, total: 6 },
    { ...addonOnTheBill('con', 'Contact Sensor'), price: 0.5, quantity: 1, total: 1.5 },
  ])
})

const noTax = { tax_id: '', tax_name: '', tax_percentage: 0, tax_type: '' }
const planOnTheBill = {
  plan_code: 'quarterly',
  name: 'Quarterly',
  description: 'Monitoring, every three months',
  price: 60,
  tags: [],
  quantity: 1,
  discount: 0,
  total: 60,
  setup_fee: 25,
  ...noTax,
  setup_fee_tax_id: '',
  setup_fee_tax_name: '',
  setup_fee_tax_percentage: 0,
  setup_fee_tax_type: '',
  setup_fee_tax_exemption_id: '',
  setup_fee_tax_exemption_code: '',
  unit: 'EA',
  item_custom_fields: [],
}

function addonOnTheBill(word: string, name: string) {
  return {
    addon_code: `rbs301-${word}-monitoring-fee`,
    name: `RBS301-${word.toUpperCase()} - LoRa ${name} monitoring fee`,
    description: '',
    unit: 'EA',
    discount: 0,
    ...noTax,
    is_taxable: false,
    product_exemption_code: '',
    product_exemption_id: '',
    tax_exemption_id: '',
    tax_exemption_code: '',
    tags: [],
    item_custom_fields: [],
  }
}

// shows 3.1.6
test('takes a device off the bill when it is deleted, and on again, each once', async () => {
  const owner = await foundOrganization(service, 'exact@example.test')
  await subscribe(service, owner)
  const quantity = async () => {
    const { subscription } = await readSubscription(service, owner)
    return subscription.addons[0]?.quantity ?? 0
  }
  const [first, second] = [await register(service, owner), await register(service, owner)]
  assert.equal(await quantity(), 2)
  const removals = [first, first, first].map((eui) =>
    service.call('DELETE', `/v1/devices/${eui}`, { as: owner }),
  )
  const statuses = (await Promise.all(removals)).map(({ status }) => status).sort()
  assert.deepEqual(statuses, [204, 404, 404])
  assert.equal(await quantity(), 1)
  await register(service, owner, { deviceId: first })
  assert.equal(await quantity(), 2)
  for (const eui of [first, second]) {
    await service.call('DELETE', `/v1/devices/${eui}`, { as: owner })
  }
  const { subscription } = await readSubscription(service, owner)
  assert.deepEqual(subscription.addons, [])
  assert.equal(subscription.amount, 60)
})

test('is shown to any member, and to nobody else', async () => {
  const member = await joinMember(service, 'reader@example.test')
  assert.equal((await service.call('GET', url, { as: member })).status, 200)
  assert.equal((await service.call('GET', url, { as: null })).status, 401)
  const elsewhere = { ...member, organizationId: 2 }
  assert.equal((await service.call('GET', url, { as: elsewhere })).status, 403)
})

// shows 2.3.4, 10.6.12
test('stands in the records of the devices that it covers', async () => {
  const owner = await foundOrganization(service, 'records@example.test')
  await subscribe(service, owner)
  const covered = await register(service, owner)
  const other = await register(service, owner, { network: loriotId })
  const read = async (eui: string) =>
    (await service.call('GET', `/v1/devices/${eui}`, { as: owner })).body.data.subscription
  assert.deepEqual(await read(covered), { plan_code: 'quarterly', status: 'live' })
  assert.equal(await read(other), null)
  const list = await service.call('GET', '/v1/devices/', { as: owner })
  assert.deepEqual(
    list.body.data.map(({ subscription }: { subscription: unknown }) => subscription),
    [{ plan_code: 'quarterly', status: 'live' }, null],
  )
  await service.call('DELETE', '/v1/subscription', { as: owner })
  assert.equal(await read(covered), null)
})
