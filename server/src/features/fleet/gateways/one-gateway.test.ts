import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addGateway, gatewayEuiOf } from '../../../../test/fleet.ts'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { publicUrl, startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const other = await foundOrganization(service, 'bo@example.test')

function at(path: string | number, method = 'GET', body?: unknown, as = service.owner) {
  return service.call(method, `/v1/gateways/${path}`, { as, ...(body ? { body } : {}) })
}

// shows 2.10.10, 2.10.11, 4.24.1, 10.1.4
test('retrieves a gateway by id and by EUI in any case', async () => {
  const gateway = await addGateway(service, 1)
  const eui = gatewayEuiOf(1)
  for (const path of [gateway.id, eui, eui.toLowerCase(), `${eui}/`]) {
    const { status, body } = await at(path)
    assert.equal(status, 200)
    assert.deepEqual(body, {
      gateway,
      gateway_configs: { authorisation_token: '', download_link: '' },
    })
  }
})

// shows 2.10.11
test('retrieves what a gateway of kind other is set up with', async () => {
  const gateway = await addGateway(service, 2, { gateway_bridge: 'other' })
  const { gateway_configs: configs } = (await at(gateway.id)).body
  assert.match(configs.authorisation_token, /^[\w-]{43}$/)
  assert.equal(configs.download_link, `${publicUrl}/v1/callbacks/other/${gateway.uuid}`)
  assert.deepEqual((await at(gateway.id)).body.gateway_configs, configs)
  const [{ sealed_token: sealed }] = (await service.services.db.query(
    'select sealed_token from gateways where id = $1',
    [gateway.id],
  )) as [{ sealed_token: Buffer }]
  assert.ok(!sealed.includes(configs.authorisation_token))
})

// shows 10.3.26
test('shows the token of a gateway only to members with manage_gateways', async () => {
  const { id } = await addGateway(service, 20, { gateway_bridge: 'other' })
  const shown = (await at(id)).body
  const others = ['manage_account', 'manage_devices', 'manage_groups'] as const
  const reader = await joinMember(service, 'curious@example.test', others)
  const hidden = { ...shown.gateway_configs, authorisation_token: null }
  assert.deepEqual((await at(id, 'GET', undefined, reader)).body.gateway_configs, hidden)
  const keeper = await joinMember(service, 'keeper@example.test', ['manage_gateways'])
  assert.deepEqual((await at(id, 'GET', undefined, keeper)).body, shown)
})

// shows 4.25.2, 4.25.3
test('changes the name, and the address where one is sent', async () => {
  const { id } = await addGateway(service, 3)
  const updated = { status: true, message: 'Gateway updated successfully.' }
  const read = async () => {
    const { gateway_name, gateway_ip } = (await at(id)).body.gateway
    return [gateway_name, gateway_ip]
  }
  assert.deepEqual((await at(id, 'PATCH', { gateway_name: 'Tower' })).body, updated)
  assert.deepEqual(await read(), ['Tower', '192.168.2.1'])
  await at(gatewayEuiOf(3), 'PATCH', { gateway_name: 'Tower 2', gateway_ip: 'fe80::1' })
  assert.deepEqual(await read(), ['Tower 2', 'fe80::1'])
  await at(id, 'PATCH', { gateway_name: 'Tower 2', gateway_ip: null })
  assert.deepEqual(await read(), ['Tower 2', null])
})

// shows 4.25.1
test('refuses a change without a name, or with an address that is none', async () => {
  const { id } = await addGateway(service, 4)
  const answer = await at(id, 'PATCH', { gateway_ip: 'roof' })
  assert.equal(answer.status, 422)
  assert.deepEqual(answer.body.errors, {
    gateway_name: ['The gateway name field is required.'],
    gateway_ip: ['The gateway ip must be an IP address such as 192.168.2.1.'],
  })
})

// shows 3.1.7, 4.26.1, 7.1.8, 10.1.11
test('answers 204 to a deletion, and the EUI can be registered again', async () => {
  const first = await addGateway(service, 5)
  const answer = await at(first.id, 'DELETE')
  assert.deepEqual([answer.status, answer.text], [204, ''])
  assert.equal((await at(gatewayEuiOf(5))).status, 404)
  assert.equal((await at(first.id, 'DELETE')).status, 404)
  assert.notEqual((await addGateway(service, 5)).id, first.id)
})

// shows 10.1.9
test('an EUI on two networks means the gateway registered first, then the other', async () => {
  const first = await addGateway(service, 6, { gateway_bridge: 'other' })
  const second = await addGateway(service, 6)
  assert.equal((await at(gatewayEuiOf(6))).body.gateway.id, first.id)
  await at(gatewayEuiOf(6), 'PATCH', { gateway_name: 'First' })
  assert.equal((await at(second.id)).body.gateway.gateway_name, 'Gateway 6')
  await at(gatewayEuiOf(6), 'DELETE')
  assert.equal((await at(gatewayEuiOf(6))).body.gateway.id, second.id)
})

// shows 10.3.16
test('answers 404 for gateways that are not there and for those of others', async () => {
  const foreign = await addGateway(service, 7, {}, other)
  for (const path of [999_999, gatewayEuiOf(99), foreign.id, gatewayEuiOf(7), '%00', 'all']) {
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { gateway_name: 'x' } : undefined
      const answer = await at(path, method, body)
      const { status, body: sent } = answer
      assert.deepEqual([status, sent], [404, { message: 'Gateway not found!' }], `${path}`)
    }
  }
  assert.equal((await at(foreign.id, 'GET', undefined, other)).status, 200)
})

// shows 10.3.11
test('changing and deleting take the permission manage_gateways, reading takes none', async () => {
  const { id } = await addGateway(service, 8)
  const reader = await joinMember(service, 'reader@example.test', ['manage_devices'])
  const writer = await joinMember(service, 'writer@example.test', ['manage_gateways'])
  const change = { gateway_name: 'x' }
  assert.equal((await at(id, 'PATCH', change, reader)).status, 403)
  assert.equal((await at(id, 'DELETE', undefined, reader)).status, 403)
  assert.equal((await at(id, 'GET', undefined, reader)).status, 200)
  assert.equal((await at(id, 'PATCH', change, writer)).status, 200)
  assert.equal((await at(id, 'DELETE', undefined, writer)).status, 204)
})
