import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addDevice, euiOf, readDevice } from '../../../../test/fleet.ts'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { connect, startChirpStack } from '../../../../test/network.ts'
import { startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const simulator = await startChirpStack({ after })
const url = '/v1/network-accounts/chirpstack'

// shows 11.1.12
test('the account is gone, its callback is refused, and the devices stay', async () => {
  const { callback } = await connect(service, simulator)
  await addDevice(service, 1)
  const path = new URL(callback.url).pathname
  const send = () =>
    service.call('POST', path, {
      as: null,
      headers: { [callback.header]: callback.value },
      body: {},
    })
  assert.equal((await send()).status, 400)

  const answer = await service.call('DELETE', url)
  assert.deepEqual([answer.status, answer.text], [204, ''])
  assert.equal((await send()).status, 401)
  assert.equal((await service.call('GET', url)).status, 404)
  assert.equal((await service.call('DELETE', url)).status, 404)
  assert.equal((await readDevice(service, 1)).device_register_status, 'active')
  assert.ok(simulator.devices.has(euiOf(1).toLowerCase()))
})

test('connecting it again makes another callback', async () => {
  const { callback } = await connect(service, simulator)
  await service.call('DELETE', `${url}/`)
  const again = (await connect(service, simulator)).callback
  assert.notEqual(again.url, callback.url)
  assert.notEqual(again.value, callback.value)
})

test('removes the account of the method that is named, and no other', async () => {
  await connect(service, simulator)
  await connect(service, simulator, { register_method: 'vendor' })
  assert.equal((await service.call('DELETE', `${url}?register_method=vendor`)).status, 204)
  assert.equal((await service.call('GET', `${url}?register_method=vendor`)).status, 404)
  assert.equal((await service.call('GET', url)).status, 200)
})

test('takes the permission manage_account, and an account of the organization', async () => {
  await connect(service, simulator)
  const reader = await joinMember(service, 'reader@example.test', ['manage_devices'])
  const other = await foundOrganization(service, 'bo@example.test')
  assert.equal((await service.call('DELETE', url, { as: reader })).status, 403)
  assert.equal((await service.call('DELETE', url, { as: other })).status, 404)
  assert.equal((await service.call('DELETE', '/v1/network-accounts/sigfox')).status, 404)
  assert.equal((await service.call('GET', url)).status, 200)
})
