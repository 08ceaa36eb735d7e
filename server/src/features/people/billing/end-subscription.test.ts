import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import {
  newDevice,
  paymentMissing,
  quarterly,
  readSubscription,
  register,
  subscribe,
} from '../../../../test/plans.ts'
import { startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after }, { billingPlans: [quarterly] })
const url = '/v1/subscription'

// shows 11.4.2
test('ends billing, keeps the devices, and lets billing be set up again', async () => {
  const owner = await foundOrganization(service, 'ends@example.test')
  await subscribe(service, owner)
  const eui = await register(service, owner)
  const answer = await service.call('DELETE', url, { as: owner })
  assert.equal(answer.status, 204)
  assert.equal(answer.text, '')
  const none = { subscription: false, subscription_name: null }
  assert.deepEqual(await readSubscription(service, owner), none)
  assert.equal((await service.call('GET', `/v1/devices/${eui}`, { as: owner })).status, 200)
  const refused = await service.call('POST', '/v1/devices', { as: owner, body: newDevice() })
  assert.deepEqual(refused.body.errors, { payment: [paymentMissing] })
  await subscribe(service, owner)
  const { subscription } = await readSubscription(service, owner)
  assert.equal(subscription.addons[0].quantity, 1)
})

test('answers 404 where there is none, whatever others have', async () => {
  const owner = await foundOrganization(service, 'none@example.test')
  const other = await foundOrganization(service, 'other@example.test')
  await subscribe(service, other)
  const answer = await service.call('DELETE', url, { as: owner })
  assert.equal(answer.status, 404)
  assert.deepEqual(answer.body, { message: 'There is no subscription.' })
  assert.notEqual((await readSubscription(service, other)).subscription, false)
})

test('a registration at the same time is either before its end or refused', async () => {
  const owner = await foundOrganization(service, 'race@example.test')
  await subscribe(service, owner)
  const bodies = Array.from({ length: 8 }, () => newDevice({ consoleOnly: true }))
  const [ended, ...answers] = await Promise.all([
    service.call('DELETE', url, { as: owner }),
    ...bodies.map((body) => service.call('POST', '/v1/devices', { as: owner, body })),
  ])
  assert.equal(ended.status, 204)
  for (const { status, body } of answers) {
    if (status !== 200) assert.deepEqual(body.errors, { payment: [paymentMissing] })
  }
})

test('needs manage_account', async () => {
  const member = await joinMember(service, 'writer@example.test', ['manage_devices'])
  assert.equal((await service.call('DELETE', url, { as: member })).status, 403)
  assert.equal((await service.call('DELETE', url, { as: null })).status, 401)
})
