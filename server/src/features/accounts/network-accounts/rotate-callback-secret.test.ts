import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { connect, startChirpStack } from '../../../../test/network.ts'
import { type Login, startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const simulator = await startChirpStack({ after })
const url = '/v1/network-accounts/chirpstack'

interface Callback {
  url: string
  header: string
  value: string
}

/** The status that the network gets for a message whose secret is right: 400, it is no message. */
async function send({ url, header, value }: Callback): Promise<number> {
  const path = new URL(url).pathname
  const headers = { [header]: value }
  return (await service.call('POST', path, { as: null, headers, body: {} })).status
}

function rotate(as: Login = service.owner, path = url) {
  return service.call('POST', `${path}/rotate`, { as })
}

// shows 11.1.14
test('makes another secret at the same address; the old one is valid for 24 hours more', async () => {
  const before: Callback = (await connect(service, simulator)).callback
  assert.equal(await send(before), 400)
  assert.equal(await send({ ...before, value: 'wrong' }), 401)

  const { status, body } = await rotate()
  const now: Callback = body.data.callback
  assert.deepEqual([status, now.url, now.header], [200, before.url, before.header])
  assert.notEqual(now.value, before.value)
  assert.deepEqual((await service.call('GET', url)).body, body)

  const start = service.services.now().getTime()
  assert.deepEqual([await send(before), await send(now)], [400, 400])
  service.setClock(new Date(start + 24 * 3_600_000 - 1))
  assert.deepEqual([await send(before), await send(now)], [400, 400])
  service.setClock(new Date(start + 24 * 3_600_000))
  assert.deepEqual([await send(before), await send(now)], [401, 400])
  assert.deepEqual((await connect(service, simulator)).callback, now)
})

test('each former secret is valid for its own 24 hours, however often it is rotated', async () => {
  const start = service.services.now().getTime()
  const first: Callback = (await service.call('GET', url)).body.data.callback
  const second: Callback = (await rotate()).body.data.callback
  service.setClock(new Date(start + 3_600_000))
  const third: Callback = (await rotate()).body.data.callback
  const statuses = async () => [await send(first), await send(second), await send(third)]
  assert.deepEqual(await statuses(), [400, 400, 400])
  service.setClock(new Date(start + 24 * 3_600_000))
  assert.deepEqual(await statuses(), [401, 400, 400])
  service.setClock(new Date(start + 25 * 3_600_000))
  assert.deepEqual(await statuses(), [401, 401, 400])
})

test('end_former ends the secrets that are still valid, at once', async () => {
  const first: Callback = (await service.call('GET', url)).body.data.callback
  const second: Callback = (await rotate()).body.data.callback
  const third: Callback = (await end()).body.data.callback
  assert.deepEqual([await send(first), await send(second), await send(third)], [401, 401, 400])
})

test('refuses when ten former secrets are valid, and changes nothing', async () => {
  const first: Callback = (await end()).body.data.callback
  const answers = await Promise.all(Array.from({ length: 12 }, () => rotate()))
  const refused = answers.filter(({ status }) => status === 409)
  assert.deepEqual([answers.length - refused.length, refused.length], [10, 2])
  assert.match(refused[0]?.body.message, /end_former/)
  assert.equal(await send(first), 400)
  const values = answers.map(({ body }) => body.data?.callback.value)
  const present: Callback = (await service.call('GET', url)).body.data.callback
  assert.ok(values.includes(present.value))
  assert.equal((await end()).status, 200)
  assert.equal((await rotate()).status, 200)
})

function end() {
  return service.call('POST', `${url}/rotate`, { body: { end_former: true } })
}

test('needs an account, and the permission manage_account', async () => {
  const other = await foundOrganization(service, 'bo@example.test')
  const missing = await rotate(other)
  assert.deepEqual([missing.status, missing.body], [404, { message: 'Network account not found' }])
  assert.equal((await rotate(service.owner, '/v1/network-accounts/sigfox')).status, 404)
  const reader = await joinMember(service, 'reader@example.test', ['manage_devices'])
  const before = (await service.call('GET', url)).body
  assert.equal((await rotate(reader)).status, 403)
  assert.deepEqual((await service.call('GET', url)).body, before)
})
