import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connectChirpStack, makeUp, post } from '../../../../test/chirpstack-uplinks.ts'
import {
  addDevice,
  addGateway,
  addGroup,
  addLocalDevice,
  deviceKey,
  euiOf,
} from '../../../../test/fleet.ts'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { type Login, startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const url = (id: unknown) => `/v1/device-groups/${id}`
const start = new Date('2026-03-01T12:00:00.000Z')
const hours = (count: number) => new Date(start.getTime() + count * 3_600_000)
const other = await foundOrganization(service, 'other@example.test')
const gate = await addLocalDevice(service, 1)

async function readDevice(group: number, device: number) {
  const { body } = await service.call('GET', url(group))
  return body.data[0].devices.find((entry: { id: number }) => entry.id === device)
}

// shows 2.13.1-13, 4.30.1
test('answers an array with the group and its devices, every field of the contract', async (t) => {
  t.after(() => service.setClock(start))
  service.setClock(hours(1))
  const id = await addGroup(service, 'Farm', { selectedDevices: [gate] })
  const answer = await service.call('GET', url(id))
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, {
    data: [
      {
        id,
        groupName: 'Farm',
        parent_id: null,
        opened: true,
        devices: [
          {
            id: gate,
            deviceId: euiOf(1),
            userId: 1,
            deviceName: 'Device 1',
            deviceTypeId: 16,
            plan_id: null,
            subscription_id: null,
            networkRegisterId: null,
            gateway_id: null,
            deleted_at: null,
            created_at: '2026-03-01T12:00:00.000000Z',
            updated_at: '2026-03-01T12:00:00.000000Z',
            added_at: '2026-03-01T13:00:00.000000Z',
            deviceKey: deviceKey,
            deviceNetwork: 10,
            extra_notes: null,
            device_register_status: 'active',
            api_job_id: '',
            api_error_json: '',
            device_gateway: 'chirpstack',
            device_status: 'Inactive',
            device_status_desc: 'No message has been received from this device yet.',
            // It is new: nothing is missed yet.
            device_no_longer_reporting: 0,
            pivot: { groupId: id, deviceId: gate },
          },
        ],
      },
    ],
  })
})

// shows 10.3.26
test('shows the keys of devices only to members with manage_devices', async () => {
  const id = await addGroup(service, 'Locked', { selectedDevices: [gate] })
  const others = ['manage_account', 'manage_gateways', 'manage_groups'] as const
  const reader = await joinMember(service, 'curious@example.test', others)
  const keeper = await joinMember(service, 'keeper@example.test', ['manage_devices'])
  const keysShownTo = async (as: Login) => {
    const one = await service.call('GET', url(id), { as })
    const all = await service.call('GET', '/v1/device-groups', { as })
    const tree = all.body.data.find((group: { id: number }) => group.id === id)
    return [one.body.data[0], tree].map(({ devices }) => devices[0].deviceKey)
  }
  assert.deepEqual(await keysShownTo(reader), ['*'.repeat(32), '*'.repeat(32)])
  assert.deepEqual(await keysShownTo(keeper), [deviceKey, deviceKey])
})

// shows 2.13.2
test('names the gateway of a device, until the gateway is deleted', async () => {
  const gateway = await addGateway(service, 1)
  const device = await addLocalDevice(service, 5, { gatewayId: gateway.id })
  const group = await addGroup(service, 'Near a gateway', { selectedDevices: [device] })
  assert.equal((await readDevice(group, device)).gateway_id, gateway.id)
  await service.call('DELETE', `/v1/gateways/${gateway.id}`)
  assert.equal((await readDevice(group, device)).gateway_id, null)
})

// shows 2.11.6
test('leaves the subgroups to the list', async () => {
  const parent = await addGroup(service, 'Parent')
  const id = await addGroup(service, 'Child', { selectedGroup: parent })
  const { body } = await service.call('GET', url(parent))
  assert.deepEqual(Object.keys(body.data[0]), ['id', 'groupName', 'parent_id', 'opened', 'devices'])
  assert.equal((await service.call('GET', url(id))).body.data[0].parent_id, parent)
})

// shows 2.13.11, 10.6.9
test('takes a device for active until it is silent, after 48 hours where its interval is not known', async (t) => {
  t.after(() => service.setClock(start))
  const door = await addLocalDevice(service, 2)
  const id = await addGroup(service, 'Heard', { selectedDevices: [door] })
  const callback = await connectChirpStack(service)
  const up = makeUp({ eui: euiOf(2), time: start.toISOString() })
  assert.equal((await post(service, callback, up)).status, 200)
  service.setClock(hours(48))
  const heard = await readDevice(id, door)
  assert.equal(heard.device_status, 'Active')
  assert.equal(heard.device_status_desc, null)
  assert.equal(heard.device_no_longer_reporting, 0)
  service.setClock(new Date(hours(48).getTime() + 1))
  const silent = await readDevice(id, door)
  assert.equal(silent.device_status, 'Inactive')
  assert.match(silent.device_status_desc, /for 2 days/)
  assert.equal(silent.device_no_longer_reporting, 1)
})

test('shows how far the registration at the network is', async () => {
  const { id: device } = await addDevice(service, 3, { network: 2, deviceName: 'Waiting' })
  const entry = await readDevice(
    await addGroup(service, 'W', { selectedDevices: [device] }),
    device,
  )
  assert.equal(entry.device_register_status, 'pending')
  assert.equal(entry.device_gateway, 'machineq')
  assert.equal(entry.deviceNetwork, 2)
})

test('loses a device that is deleted, and gets none back with its DevEUI', async () => {
  const doomed = await addLocalDevice(service, 4)
  const id = await addGroup(service, 'Losing', { selectedDevices: [gate, doomed] })
  assert.equal((await service.call('DELETE', `/v1/devices/${doomed}`)).status, 204)
  await addLocalDevice(service, 4)
  const { body } = await service.call('GET', url(id))
  assert.deepEqual(
    body.data[0].devices.map((device: { id: number }) => device.id),
    [gate],
  )
})

test('shows device keys to no other endpoint', async () => {
  const id = await addGroup(service, 'Secret', { selectedDevices: [gate] })
  assert.ok((await service.call('GET', url(id))).text.includes(deviceKey))
  const body = { groupName: 'Secret', selectedDevices: [gate] }
  const others = [
    await service.call('POST', '/v1/device-groups', { body }),
    await service.call('PATCH', url(id), { body }),
    await service.call('GET', '/v1/devices'),
    await service.call('GET', `/v1/devices/${gate}`),
    await service.call('GET', `/v1/devices/${gate}?version=lite`),
  ]
  for (const { status, text } of others) {
    assert.equal(status, 200)
    assert.ok(!text.toUpperCase().includes(deviceKey))
  }
})

test('any member may read it', async () => {
  const reader = await joinMember(service, 'reader@example.test')
  const id = await addGroup(service, 'Open')
  assert.equal((await service.call('GET', url(id), { as: reader })).status, 200)
  assert.equal((await service.call('GET', url(id), { as: null })).status, 401)
})

// shows 10.1.5, 10.3.17
test('knows no group that is missing, foreign or no number', async () => {
  const foreign = await addGroup(service, 'Foreign', {}, other)
  for (const id of [foreign, 999_999, 0, 'abc', '1.5', '-1', 99_999_999_999]) {
    const answer = await service.call('GET', url(id))
    assert.equal(answer.status, 404, `${id}`)
    assert.deepEqual(answer.body, { message: 'Group not found' })
  }
})
