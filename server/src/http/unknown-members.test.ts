import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addDevice, registrationOf } from '../../test/fleet.ts'
import { createWorld } from '../../test/requests.ts'
import { startTestService } from '../../test/service.ts'
import { routes } from '../routes.ts'

const service = await startTestService({ after })
const world = await createWorld(service)

const unknown = (path: string) => `The member ${path} is unknown and was ignored.`

/** The warnings about unknown members; undefined when there are none. */
async function warningsOf(method: string, path: string, body: unknown) {
  const answer = await service.call(method, `/v1${path}`, { body })
  assert.ok(answer.status < 300, answer.text)
  return unknownIn(answer.body)
}

function unknownIn(body: { warnings?: string[] } | undefined) {
  const found = (body?.warnings ?? []).filter((text) => /unknown/.test(text))
  return found.length > 0 ? found : undefined
}

async function createGroup(name: string) {
  const answer = await service.call('POST', '/v1/device-groups', { body: { groupName: name } })
  return answer.body.data.id
}

// shows 10.1.17, 10.1.24
test('an unknown member of a body is ignored and named', async () => {
  const id = await createGroup('Hall')
  const body = { groupName: 'Attic', deviceType: 16 }
  const warnings = await warningsOf('PATCH', `/device-groups/${id}`, body)
  assert.deepEqual(warnings, [unknown('deviceType')])
  const again = await warningsOf('PATCH', `/device-groups/${id}`, { groupName: 'Attic' })
  assert.equal(again, undefined)
})

test('unknown members of items and nested objects are named with their path', async () => {
  const provisioningData = { network: 'chirpstack', deviceKeys: 'x', x: { y: 1 } }
  const devices = [
    { action: 'delete', deviceId: '00AA00000000FF01', deviceName: 'known, of another action' },
    { action: 'Create', deviceId: '00AA00000000FF02', name: 'Door', provisioningData },
    7,
  ]
  assert.deepEqual(await warningsOf('POST', '/batch-device-requests', { devices, dryRun: true }), [
    unknown('devices.1.name'),
    unknown('devices.1.provisioningData.deviceKeys'),
    unknown('devices.1.provisioningData.x'),
    unknown('dryRun'),
  ])
  const gateways = [
    { action: 'delete', gatewayId: 1, '<network_key_4>Gateway': '7', ism_band: 'x', fleets: 1 },
  ]
  const warnings = await warningsOf('POST', '/batch-gateway-requests', { gateways })
  assert.deepEqual(warnings, [unknown('gateways.0.fleets')])
})

test('members of the contract that are not used, and those of other variants, are known', async () => {
  const body = { ...registrationOf(9000, { action: 'validate' }), deviceGateway: null, mfatoken: 7 }
  assert.equal(await warningsOf('POST', '/devices', body), undefined)
  const account = {
    server: 'http://127.0.0.1:1',
    api_key: 'k',
    tenant_id: '00000000-0000-4000-a000-000000000001',
    application_id: '00000000-0000-4000-a000-000000000002',
    device_profile_id: '00000000-0000-4000-a000-000000000003',
    fleet_id: 'of Kerlink',
    devcie_profile_id: 'x',
  }
  const warnings = await warningsOf('PUT', '/network-accounts/chirpstack', account)
  assert.deepEqual(warnings, [unknown('devcie_profile_id')])
})

test('members of what may have any members are not named', async () => {
  const { id } = await addDevice(service, 9100)
  const body = {
    deviceId: '00AA000000009100',
    config_field: { islorawan: 1, config_type: 'general', supervisory_period: 129 },
    shade: 1,
  }
  assert.deepEqual(await warningsOf('POST', `/devices/${id}/configure`, body), [unknown('shade')])
})

test('a body with very many of them, or very odd ones, is answered shortly', async () => {
  const id = await createGroup('Cellar')
  const many = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`x${index}`, 1]))
  const warnings = await warningsOf('PATCH', `/device-groups/${id}`, { groupName: 'A', ...many })
  assert.equal(warnings?.length, 21)
  assert.equal(warnings.at(-1), 'Further unknown members were ignored.')
  const odd = { groupName: 'B', ['y'.repeat(5000)]: 1, 'a\u0000\ud800': 1, constructor: 1 }
  const [long, broken, usual] = (await warningsOf('PATCH', `/device-groups/${id}`, odd)) ?? []
  assert.ok(long && long.length < 200)
  assert.equal(broken, unknown('a\ufffd\ufffd'))
  assert.equal(usual, unknown('constructor'))
})

test('the answer that is repeated for a key has the same warnings', async () => {
  const send = () =>
    service.call('POST', '/v1/device-groups', {
      body: { groupName: 'Once', colour: 'red' },
      headers: { 'idempotency-key': 'warned' },
    })
  const first = await send()
  assert.deepEqual(first.body.warnings, [unknown('colour')])
  assert.deepEqual((await send()).body, first.body)
})

test('no request that is right by the reference is warned about', async () => {
  let asked = 0
  for (const { method, operation, endpoint } of routes) {
    for (const { body } of endpoint.examples ?? []) {
      const request = world.requests[operation]
      if (!body || !request || endpoint.kind !== 'member') continue
      const answer = await service.call(method, `/v1${request.path}`, { body })
      asked += 1
      assert.equal(unknownIn(answer.body), undefined, `${operation} ${answer.text}`)
    }
  }
  assert.ok(asked > 10)
})

// shows 10.1.25
test('the spec’s own lists ignore an unknown parameter; beyond the spec it is 422', async () => {
  const devices = await service.call('GET', '/v1/devices?colour=red&itemsPerPage=5')
  assert.equal(devices.status, 200)
  const types = await service.call('GET', '/v1/device-types?colour=red&organization=1')
  assert.equal(types.status, 422)
  const sentence =
    'The parameter colour is unknown. The known ones are: page, itemsPerPage, organization.'
  const names = 'page, itemsPerPage, organization'
  assert.deepEqual(types.body, {
    message: sentence,
    errors: { colour: [sentence] },
    error_codes: { colour: ['unknown_parameter'] },
    error_values: { colour: [{ field: 'colour', names }] },
  })
  const one = await service.call('GET', '/v1/network-accounts?__proto__=1')
  assert.equal(one.status, 422)
  assert.match(one.body.message, /^The parameter __proto__ is unknown/)
  assert.equal((await service.call('GET', '/v1/device-types?organization=1')).status, 200)
})
