import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { quarterly, readSubscription } from '../../../../test/plans.ts'
import { startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after }, { billingPlans: [quarterly] })
const { db } = service.services
const url = '/v1/subscription'

const emptyAddress = {
  street: '',
  street2: '',
  city: '',
  state: '',
  zip: '',
  country: '',
  fax: '',
  phone: '',
  attention: '',
}

// shows 2.18.3-7, 11.4.1
test('takes the customer from user and organization where nothing is said', async () => {
  const owner = await foundOrganization(service, 'plain@example.test')
  const body = { plan_code: 'quarterly' }
  const answer = await service.call('POST', url, { as: owner, body })
  assert.equal(answer.status, 201)
  assert.equal(answer.body.subscription_name, 'quarterly')
  assert.deepEqual(answer.body.subscription.customer, {
    customer_id: String(owner.organizationId),
    display_name: 'Bo Owner',
    company_name: 'Organization of plain@example.test',
    first_name: 'Bo',
    last_name: 'Owner',
    salutation: '',
    email: 'plain@example.test',
    website: '',
    tags: [],
    ip_address: '127.0.0.1',
    crm_account_id: '',
    crm_contact_id: '',
    billing_address: emptyAddress,
    shipping_address: emptyAddress,
  })
  assert.equal(answer.body.subscription.next_billing_at, '2026-06-01')
  assert.equal(answer.body.subscription.last_billing_at, '2026-03-01')
  assert.deepEqual(await readSubscription(service, owner), answer.body)
})

test('takes what is said of the customer', async () => {
  const owner = await foundOrganization(service, 'told@example.test')
  const billing_address = { street: '1 Field Road', city: 'Northfield', zip: '12345' }
  const customer = {
    display_name: 'Northfield',
    email: 'bills@example.test',
    billing_address,
    tags: ['mine'],
    crm_account_id: 'mine',
  }
  const body = { plan_code: 'quarterly', customer }
  const answer = await service.call('POST', url, { as: owner, body })
  const { customer: known } = answer.body.subscription
  assert.equal(known.display_name, 'Northfield')
  assert.equal(known.email, 'bills@example.test')
  assert.equal(known.first_name, 'Bo')
  assert.deepEqual(known.billing_address, { ...emptyAddress, ...billing_address })
  assert.deepEqual(known.shipping_address, known.billing_address)
  assert.deepEqual([known.tags, known.crm_account_id], [[], ''])
})

test('bills from the end of the trial on', async () => {
  const owner = await foundOrganization(service, 'trial@example.test')
  await db.query(`update organizations set trial_ends_at = '2026-03-20' where id = $1`, [
    owner.organizationId,
  ])
  const body = { plan_code: 'quarterly' }
  const answer = await service.call('POST', url, { as: owner, body })
  assert.equal(answer.body.subscription.next_billing_at, '2026-03-20')
  assert.equal(answer.body.subscription.last_billing_at, '')
})

test('refuses a second subscription, also one that comes at the same time', async () => {
  const owner = await foundOrganization(service, 'second@example.test')
  const body = { plan_code: 'quarterly' }
  const answers = await Promise.all(
    [1, 2, 3].map(() => service.call('POST', url, { as: owner, body })),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409])
  const refused = answers.find(({ status }) => status === 409)
  assert.deepEqual(refused?.body, { message: 'The organization has a subscription already.' })
})

test('keeps what was agreed when the plans change', async (t) => {
  await service.call('POST', url, { body: { plan_code: 'quarterly' } })
  const agreed = await readSubscription(service, service.owner)
  assert.equal(agreed.subscription.plan.price, 60)
  const { billingPlans } = service.services
  t.after(() => {
    service.services.billingPlans = billingPlans
  })
  service.services.billingPlans = [{ ...quarterly, price: 99 }]
  assert.deepEqual(await readSubscription(service, service.owner), agreed)
})

const plan_code = 'quarterly'
const invalid: [string, object, Record<string, string[]>][] = [
  ['nothing', {}, { plan_code: ['The plan code field is required.'] }],
  ['an unknown plan', { plan_code: 'x' }, { plan_code: ['The selected plan code is invalid.'] }],
  [
    'a customer that is none',
    { plan_code, customer: 'me' },
    { customer: ['The customer must be an object.'] },
  ],
  [
    'wrong members of the customer',
    { plan_code, customer: { email: 1, billing_address: { zip: 12345, city: 'x'.repeat(256) } } },
    {
      'customer.email': ['The email must be a string.'],
      'customer.billing_address.city': ['The city may not be greater than 255 characters.'],
      'customer.billing_address.zip': ['The zip must be a string.'],
    },
  ],
]
for (const [name, body, errors] of invalid) {
  test(`complains about ${name}`, async () => {
    const answer = await service.call('POST', url, { body })
    assert.equal(answer.status, 422)
    assert.deepEqual(answer.body.errors, errors)
  })
}

// shows 10.3.13
test('needs manage_account', async () => {
  const member = await joinMember(service, 'writer@example.test', ['manage_devices'])
  const body = { plan_code: 'quarterly' }
  assert.equal((await service.call('POST', url, { as: member, body })).status, 403)
  assert.equal((await service.call('POST', url, { as: null, body })).status, 401)
})
