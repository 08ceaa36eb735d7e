import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { connect, startChirpStack } from '../../../../test/network.ts'
import { startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const simulator = await startChirpStack({ after })
const url = '/v1/network-accounts/chirpstack'
const noAccount = { message: 'Network account not found' }

// shows 11.1.10
test('answers 404 until there is an account, and the account to any member', async () => {
  const reader = await joinMember(service, 'reader@example.test', ['manage_account'])
  const before = await service.call('GET', url, { as: reader })
  assert.deepEqual([before.status, before.body], [404, noAccount])
  const data = await connect(service, simulator)
  const shown = await service.call('GET', url, { as: reader })
  assert.deepEqual([shown.status, shown.body], [200, { data }])
})

// shows 10.3.26
test('shows the value of the callback only to members with manage_account', async () => {
  const { callback, ...account } = await connect(service, simulator)
  const others = ['manage_devices', 'manage_gateways', 'manage_groups'] as const
  const reader = await joinMember(service, 'curious@example.test', others)
  const hidden = { ...account, callback: { ...callback, value: null } }
  assert.deepEqual((await service.call('GET', url, { as: reader })).body, { data: hidden })
  const { body } = await service.call('GET', '/v1/network-accounts', { as: reader })
  const listed = body.data.filter(({ network }: { network: string }) => network === 'chirpstack')
  assert.deepEqual(
    listed.map((each: { callback: unknown }) => each.callback),
    [hidden.callback],
  )
})

test("another organization's account is nobody else's", async () => {
  const other = await foundOrganization(service, 'bo@example.test')
  for (const query of ['', '?register_method=vendor', '?register_method=user_account']) {
    const answer = await service.call('GET', url + query, { as: other })
    assert.deepEqual([answer.status, answer.body], [404, noAccount])
  }
})

test('refuses an unknown register method, and knows no other network', async () => {
  assert.equal((await service.call('GET', `${url}?register_method=all`)).status, 422)
  const answer = await service.call('GET', '/v1/network-accounts/sigfox')
  assert.deepEqual([answer.status, answer.body], [404, { message: 'Network not found' }])
})
