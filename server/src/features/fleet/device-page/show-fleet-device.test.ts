import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connectChirpStack, makeUp, post } from '../../../../test/chirpstack-uplinks.ts'
import { addDevice, addGroup, addLocalDevice, euiOf } from '../../../../test/fleet.ts'
import { startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const { db } = service.services

async function read(reference: string | number) {
  const { status, body, text } = await service.call('GET', `/v1/fleet/devices/${reference}`)
  assert.equal(status, 200, text)
  return body.data
}

test('without an account shows only the device', async () => {
  const id = await addLocalDevice(service, 1, { deviceName: '<script>alert(1)</script>' })
  const group = await addGroup(service, 'Hall', { selectedDevices: [id] })
  const device = await read(euiOf(1).toLowerCase())
  assert.equal(device.id, id)
  assert.equal(device.device_name, '<script>alert(1)</script>')
  assert.deepEqual(device.groups, [{ id: group, name: 'Hall' }])
  const { account, waiting_call, quarantined, has_key, is_console_only, status_times } = device
  assert.deepEqual(
    { account, waiting_call, quarantined, has_key, is_console_only, status_times },
    {
      account: null,
      waiting_call: null,
      quarantined: null,
      has_key: true,
      is_console_only: true,
      status_times: {},
    },
  )
  assert.ok(!JSON.stringify(device).includes('000102030405060708090A0B0C0D0E0F'))
})

test('shows the waiting call, the last comparison and messages in the quarantine', async () => {
  const callback = await connectChirpStack(service)
  const { status } = await post(service, callback, makeUp({ eui: euiOf(2) }))
  assert.equal(status, 200)
  const { id } = await addDevice(service, 2)
  await db.query(
    `with account as (select id from network_accounts where network = 'chirpstack')
     , report as (
       insert into reconciliations (network_account_id, organization_id, compared_at, failure)
       select id, 1, '2026-03-01T04:00:00Z', '' from account
     )
     insert into reconciliation_differences (
       network_account_id, organization_id, kind, eui, difference, name_here, name_there, is_taken
     )
     select id, 1, 'device', $1, 'name_differs', 'Device 2', 'Other', false from account`,
    [euiOf(2)],
  )
  const { account, waiting_call: call, quarantined, device_register_status } = await read(id)
  assert.equal(device_register_status, 'pending')
  assert.equal(account.compared_at, '2026-03-01T04:00:00.000000Z')
  assert.deepEqual(account.difference, {
    kind: 'device',
    eui: euiOf(2),
    difference: 'name_differs',
    name_here: 'Device 2',
    name_there: 'Other',
    ignored: false,
    actions: ['repair', 'ignore'],
  })
  assert.equal(call.action, 'add')
  assert.match(call.next_attempt_at, /^\d{4}-.*Z$/)
  assert.equal(quarantined.count, 1)
  assert.equal(quarantined.detail, 'The device is not registered.')
})

test('shows the whole state and when it was told', async () => {
  const callback = await connectChirpStack(service)
  await addLocalDevice(service, 3)
  const frames: [string, string][] = [
    ['12011a0128', '2026-02-28T10:00:00Z'],
    ['130301', '2026-02-28T11:00:00Z'],
  ]
  for (const [hex, time] of frames) {
    assert.equal((await post(service, callback, makeUp({ eui: euiOf(3), hex, time }))).status, 200)
  }
  const device = await read(euiOf(3))
  assert.equal(device.battery, 2.8)
  assert.equal(device.low_battery, true)
  assert.equal(device.tamper_since_reset, true)
  assert.equal(device.rate_limited, false)
  assert.equal(device.status_times.battery, '2026-02-28T10:00:00.000000Z')
  assert.equal(device.status_times.current_sensor_state, '2026-02-28T11:00:00.000000Z')
})

test('a deleted device is not found, nor one of nobody', async () => {
  const id = await addLocalDevice(service, 4)
  assert.equal((await service.call('DELETE', `/v1/devices/${id}`)).status, 204)
  for (const reference of [id, euiOf(4), euiOf(99), 'nothing']) {
    const { status, body } = await service.call('GET', `/v1/fleet/devices/${reference}`)
    assert.deepEqual([status, body.message], [404, 'device not found'])
  }
})
