import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../../test/properties.ts'
import { computeBill } from './bill.ts'
import { planSchema, readPlans } from './plans.ts'

test('bills each device for every unit of the interval, by its type', () => {
  const plan = planSchema.parse({
    plan_code: 'quarterly',
    name: 'Quarterly',
    price: 60,
    interval: 3,
    device_price: 1,
    device_prices: { '18': 0.35 },
  })
  const counts = [
    { type_id: 16, count: 3 },
    { type_id: 18, count: 3 },
  ]
  const bill = computeBill(plan, counts)
  assert.deepEqual(bill.addons, [
    {
      code: 'rbs301-dws-monitoring-fee',
      name: 'RBS301-DWS - LoRa Door/Window monitoring fee',
      price: 1,
      quantity: 3,
      total: 9,
    },
    {
      code: 'rbs301-con-monitoring-fee',
      name: 'RBS301-CON - LoRa Contact Sensor monitoring fee',
      price: 0.35,
      quantity: 3,
      total: 3.15,
    },
  ])
  assert.equal(bill.planTotal, 60)
  assert.equal(bill.amount, 72.15)
})

test('adds the tax to the amount', () => {
  const plan = planSchema.parse({ plan_code: 'a', name: 'A', price: 9.99, tax_percentage: 19 })
  assert.equal(computeBill(plan, []).amount, 11.89)
})

test('names a device type that it does not know by its id', () => {
  const plan = planSchema.parse({ plan_code: 'a', name: 'A', device_price: 2 })
  const [addon] = computeBill(plan, [{ type_id: 123456, count: 1 }]).addons
  assert.equal(addon?.code, 'device-type-123456-monitoring-fee')
  assert.equal(addon?.total, 2)
})

test('the amount is the sum of the lines to the cent', () => {
  const cents = fc.integer({ min: 0, max: 100_000 })
  const count = fc.integer({ min: 1, max: 100_000 })
  const interval = fc.integer({ min: 1, max: 24 })
  fc.assert(
    fc.property(cents, cents, interval, count, (price, devicePrice, months, quantity) => {
      const plan = planSchema.parse({
        plan_code: 'a',
        name: 'A',
        price: price / 100,
        device_price: devicePrice / 100,
        interval: months,
      })
      const { amount } = computeBill(plan, [{ type_id: 16, count: quantity }])
      assert.equal(Math.round(amount * 100), price + devicePrice * months * quantity)
    }),
  )
})

test('reads plans with their defaults, and networks by key or alias', () => {
  const result = readPlans(
    JSON.stringify([{ plan_code: 'a', name: 'A', networks: ['network_key_9', 'loriot'] }]),
  )
  assert.ok('plans' in result)
  const [plan] = result.plans
  assert.deepEqual(plan?.networks, ['chirpstack', 'loriot'])
  assert.deepEqual([plan?.price, plan?.interval, plan?.interval_unit], [0, 1, 'months'])
})

const wrongPlans: [string, string, RegExp][] = [
  ['text that is no JSON', '[', /valid JSON/],
  ['an object', '{}', /must be a list of plans/],
  ['a plan without a name', '[{"plan_code":"a"}]', /wrong at 0\.name/],
  ['a misspelt member', '[{"plan_code":"a","name":"A","prize":1}]', /prize/],
  ['thousandths', '[{"plan_code":"a","name":"A","price":0.001}]', /0\.price: has more than/],
  ['an unknown network', '[{"plan_code":"a","name":"A","networks":["x"]}]', /no network key/],
  [
    'two plans of one code',
    '[{"plan_code":"a","name":"A"},{"plan_code":"a","name":"B"}]',
    /two plans with the code a/,
  ],
]
for (const [name, text, mistake] of wrongPlans) {
  test(`tells what is wrong about ${name}`, () => {
    const result = readPlans(text)
    assert.ok('mistakes' in result)
    assert.match(result.mistakes.join('\n'), mistake)
  })
}
