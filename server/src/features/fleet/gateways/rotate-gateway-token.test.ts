import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addGateway } from '../../../../test/fleet.ts'
import { joinMember } from '../../../../test/members.ts'
import { startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const { id } = await addGateway(service, 1, { gateway_bridge: 'other' })
const url = `/v1/gateways/${id}`

async function configs() {
  return (await service.call('GET', url)).body.gateway_configs
}

/** The status of a message that is none: 400 where the token holds. */
async function send(token: string): Promise<number> {
  const { pathname } = new URL((await configs()).download_link)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return (await service.call('POST', pathname, { as: null, headers, body: {} })).status
}

function rotate(body = {}) {
  return service.call('POST', `${url}/rotate-token`, { body })
}

// shows 11.2.7
test('makes another token; the old one is valid for 24 hours more, or ended at once', async () => {
  const { authorisation_token: first } = await configs()
  const { status, body } = await rotate()
  assert.equal(status, 200)
  assert.deepEqual(body.data, await configs())
  const second = body.data.authorisation_token
  assert.notEqual(second, first)
  assert.deepEqual([await send(first), await send(second), await send('x')], [400, 400, 401])
  service.setClock(new Date(service.services.now().getTime() + 24 * 3_600_000))
  assert.deepEqual([await send(first), await send(second)], [401, 400])
  const third = (await rotate({ end_former: true })).body.data.authorisation_token
  assert.deepEqual([await send(second), await send(third)], [401, 400])
})

test('refuses an eleventh that is still valid, other gateways, and who may not', async () => {
  for (let count = 0; count < 10; count += 1) assert.equal((await rotate()).status, 200)
  assert.equal((await rotate()).status, 409)
  const { id: plain } = await addGateway(service, 2)
  assert.equal((await service.call('POST', `/v1/gateways/${plain}/rotate-token`)).status, 422)
  const reader = await joinMember(service, 'reader@example.test', ['manage_account'])
  const refused = await service.call('POST', `${url}/rotate-token`, { as: reader })
  assert.equal(refused.status, 403)
})
