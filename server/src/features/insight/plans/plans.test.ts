import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeKey } from '../../../../test/api-keys.ts'
import {
  addGateway,
  addGroup,
  addLocalDevice,
  euiOf,
  gatewayEuiOf,
} from '../../../../test/fleet.ts'
import { svgPlan, tinyPlan } from '../../../../test/floor-plans.ts'
import { joinMember } from '../../../../test/members.ts'
import { startTestService } from '../../../../test/service.ts'

/** Floor plans of groups: made, shown, with devices on them, and gone with what they belong to. */

const service = await startTestService({ after })
const { call } = service
const door = await addLocalDevice(service, 1)
const cold = await addLocalDevice(service, 2)
const house = await addGroup(service, 'House', { selectedDevices: [door] })
const floor = await addGroup(service, 'Floor', { selectedGroup: house, selectedDevices: [cold] })
const elsewhere = await addGroup(service, 'Elsewhere')

async function make(name: string, group_id: number, image = tinyPlan) {
  const answer = await call('POST', '/v1/floor-plans', { body: { name, group_id, image } })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.data
}

const namesIn = async (query = '') => {
  const { body } = await call('GET', `/v1/floor-plans${query}`)
  return body.data.map((plan: { name: string }) => plan.name)
}

test('a group is a site with an address and floor plans', async () => {
  const body = { address: '1 Harbour Road\n20457 Hamburg' }
  const changed = await call('PATCH', `/v1/fleet/groups/${house}`, { body })
  assert.equal(changed.body.data.address, body.address)
  await call('PATCH', `/v1/fleet/groups/${house}`, { body: { name: 'House A' } })
  const { body: state } = await call('GET', `/v1/fleet/groups/${house}`)
  assert.match(JSON.stringify(state), /"name":"House A".*"address":"1 Harbour Road/)
  const plan = await make('Ground floor', house)
  assert.deepEqual(
    [plan.group, plan.type, plan.width, plan.height, plan.devices, plan.positions],
    [{ id: house, name: 'House A' }, 'image/svg+xml', 4, 3, 0, []],
  )
  await make('First floor', floor)
  await make('Yard', elsewhere)
  assert.deepEqual(await namesIn(`?group=${house}`), ['First floor', 'Ground floor'])
  assert.deepEqual(await namesIn(), ['Yard', 'First floor', 'Ground floor'])
})

test('an image is served for showing only, and once as long as it stays', async () => {
  const { id } = await make('Hostile', house, svgPlan('<script>alert(1)</script><path d="M0 0"/>'))
  const path = `/v1/floor-plans/${id}/image`
  const image = await call('GET', path)
  assert.equal(image.status, 200)
  assert.equal(image.headers['content-type'], 'image/svg+xml')
  assert.match(String(image.headers['content-security-policy']), /default-src 'none'.*sandbox/)
  assert.equal(image.headers['x-content-type-options'], 'nosniff')
  assert.equal(image.headers['content-disposition'], 'attachment')
  assert.equal(image.headers['cache-control'], 'private, no-cache')
  assert.ok(image.text.includes('<path d="M0 0">') && !image.text.includes('alert'), image.text)
  const headers = { 'if-none-match': String(image.headers.etag) }
  assert.equal((await call('GET', path, { headers })).status, 304)
  const body = { image: tinyPlan, name: 'Harmless' }
  const changed = await call('PATCH', `/v1/floor-plans/${id}`, { body })
  assert.deepEqual([changed.body.data.name, changed.body.data.revision], ['Harmless', 2])
  assert.equal((await call('GET', path, { headers })).status, 200)
  assert.equal((await call('GET', path, { as: null })).status, 401)
  assert.equal((await call('DELETE', `/v1/floor-plans/${id}`)).status, 204)
  assert.equal((await call('GET', path)).status, 404)
})

const faults: [string, object, string, RegExp][] = [
  ['another group', { group_id: 9999 }, 'group_id', /invalid/],
  ['a PDF', { image: Buffer.from('%PDF-1.7').toString('base64') }, 'image', /PDF as PNG/],
  ['no base64', { image: '<svg/>' }, 'image', /base64/],
  ['too much', { image: 'A'.repeat(4 * 1024 * 1024 + 8) }, 'image', /3 MB/],
  ['no name', { name: '' }, 'name', /required/],
]

for (const [what, changes, member, words] of faults) {
  test(`a floor plan with ${what} is refused by the name of the member`, async () => {
    const body = { name: 'A', group_id: house, image: tinyPlan, ...changes }
    const answer = await call('POST', '/v1/floor-plans', { body })
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, [member]])
    assert.match(answer.body.errors[member][0], words)
  })
}

test('devices stand on plans with their states, and go with their deletion', async () => {
  const { id } = await make('Cellar', house)
  const put = (device: string | number, body: object) =>
    call('PUT', `/v1/floor-plans/${id}/devices/${device}`, { body })
  assert.equal((await put(door, { x: 0.25, y: 0.5 })).status, 204)
  assert.equal((await put(euiOf(2), { x: 1, y: 0 })).status, 204)
  assert.equal((await put(door, { x: 0.75, y: 0.5 })).status, 204)
  assert.deepEqual((await put(door, { x: 1.2, y: 'a' })).body.errors, {
    x: ['The x must be a number from 0 to 1.'],
    y: ['The y must be a number from 0 to 1.'],
  })
  assert.equal((await put(9999, { x: 0, y: 0 })).status, 404)
  const read = async () => {
    const { body } = await call('GET', `/v1/floor-plans/${id}`)
    return body.data.positions.map((one: Record<string, unknown>) => [
      one.device_name,
      one.x,
      one.y,
    ])
  }
  assert.deepEqual(await read(), [
    ['Device 1', 0.75, 0.5],
    ['Device 2', 1, 0],
  ])
  assert.equal((await call('DELETE', `/v1/floor-plans/${id}/devices/${door}`)).status, 204)
  assert.deepEqual(await read(), [['Device 2', 1, 0]])
  const { body } = await call('GET', '/v1/fleet/activity?limit=3')
  const told = body.data.map((one: Record<string, unknown>) => `${one.kind} ${one.action}`)
  assert.deepEqual(told[0], 'device taken from a floor plan')
  await call('DELETE', `/v1/devices/${euiOf(2)}`)
  assert.deepEqual(await read(), [])
})

test('gateways stand on plans with their verdicts, for who sees all gateways', async () => {
  const { id } = await make('Attic', floor)
  await addGateway(service, 1, { gateway_bridge: 'other' })
  const path = `/v1/floor-plans/${id}/gateways/${gatewayEuiOf(1)}`
  const put = (body: object, as = service.owner) => call('PUT', path, { as, body })
  const read = async () => (await call('GET', `/v1/floor-plans/${id}`)).body.data.gateways
  assert.equal((await put({ x: 2, y: 0 })).status, 422)
  assert.equal((await call('PUT', path.replace(/.$/, 'E'), { body: { x: 0, y: 0 } })).status, 404)
  assert.equal((await put({ x: 0.5, y: 0.25 })).status, 204)
  assert.equal((await put({ x: 0.75, y: 0.25 })).status, 204)
  const [gateway, ...others] = await read()
  assert.deepEqual([gateway.gateway_eui, gateway.x, gateway.y], [gatewayEuiOf(1), 0.75, 0.25])
  assert.deepEqual([gateway.verdict.state, others], ['new', []])
  const fitter = await joinMember(service, 'attic@example.test', ['manage_devices'])
  assert.equal((await put({ x: 0, y: 0 }, fitter)).status, 403)
  const limited = await makeKey(service, { group: floor })
  const { body } = await limited.call('GET', `/v1/floor-plans/${id}`)
  assert.deepEqual(body.data.gateways, [])
  assert.equal((await call('DELETE', path)).status, 204)
  assert.deepEqual(await read(), [])
  await put({ x: 0, y: 0 })
  await call('DELETE', `/v1/gateways/${gatewayEuiOf(1)}`)
  assert.deepEqual(await read(), [])
})

test('plans need the permission of dashboards, positions that of devices', async () => {
  const { id } = await make('Roof', floor)
  const viewer = await joinMember(service, 'viewer@example.test', [])
  const builder = await joinMember(service, 'builder@example.test', ['manage_widget_dashboard'])
  const fitter = await joinMember(service, 'fitter@example.test', ['manage_devices'])
  const body = { name: 'A', group_id: floor, image: tinyPlan }
  const place = `/v1/floor-plans/${id}/devices/${door}`
  const statuses = async (as: typeof service.owner) => [
    (await call('GET', `/v1/floor-plans/${id}`, { as })).status,
    (await call('POST', '/v1/floor-plans', { as, body })).status,
    (await call('PUT', place, { as, body: { x: 0, y: 0 } })).status,
  ]
  assert.deepEqual(await statuses(viewer), [200, 403, 403])
  assert.deepEqual(await statuses(builder), [200, 201, 403])
  assert.deepEqual(await statuses(fitter), [200, 403, 204])
})

test('who is limited to a group sees its plans, and on them its devices', async () => {
  const { id: inside } = await make('Inside', floor)
  const { id: outside } = await make('Outside', house)
  await call('PUT', `/v1/floor-plans/${inside}/devices/${door}`, { body: { x: 0, y: 0 } })
  const key = await makeKey(service, { group: floor })
  const ask = (path: string) => key.call('GET', `/v1/floor-plans${path}`)
  const { body: list } = await ask('')
  const names: string[] = list.data.map((plan: { name: string }) => plan.name)
  assert.ok(names.includes('Inside') && !names.includes('Outside'), names.join())
  assert.equal((await ask(`/${outside}`)).status, 404)
  assert.equal((await ask(`/${outside}/image`)).status, 404)
  const { body } = await ask(`/${inside}`)
  assert.deepEqual(body.data.positions, [])
  const own = await addLocalDevice(service, 3)
  const shed = await addGroup(service, 'Shed', { selectedGroup: floor, selectedDevices: [own] })
  const { id: plan } = await make('Shed', shed)
  const fitter = await makeKey(service, { group: floor, permissions: ['manage_devices'] })
  const place = async (on: number, device: number) => {
    const path = `/v1/floor-plans/${on}/devices/${device}`
    return (await fitter.call('PUT', path, { body: { x: 0, y: 0 } })).status
  }
  assert.equal(await place(plan, own), 204)
  assert.equal(await place(plan, door), 404)
  assert.equal(await place(outside, own), 404)
})

test('a group leaves its plans to the group above it', async () => {
  const top = await addGroup(service, 'Top')
  const below = await addGroup(service, 'Below', { selectedGroup: top })
  await make('Left behind', below)
  await call('DELETE', `/v1/device-groups/${below}`)
  assert.deepEqual(await namesIn(`?group=${top}`), ['Left behind'])
  await call('DELETE', `/v1/device-groups/${top}`)
  assert.ok(!(await namesIn()).includes('Left behind'))
})
