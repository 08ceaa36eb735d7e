import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addDevice, euiOf, gatewayEuiOf } from '../../../../test/fleet.ts'
import { joinMember } from '../../../../test/members.ts'
import { atNetwork, connect, startChirpStack, untilQuiet } from '../../../../test/network.ts'
import {
  addAtNetwork,
  addGatewayAtNetwork,
  adoption,
  countDevices,
  noDifference,
  readReport,
  reconcile,
  reconcileUrl,
  removeAtNetwork,
  renameAtNetwork,
  row,
  startFleet,
} from '../../../../test/reconciliation.ts'
import { startTestService } from '../../../../test/service.ts'

/** What the differences are, and who may see them; one organization to a test. */

const service = await startTestService({ after })

// shows 11.7.1-4
test('tells every difference, in order of EUIs, with exact totals, and changes nothing', async () => {
  const { owner, simulator } = await startFleet(service)
  for (const number of [0x11, 0x12, 0x13]) await addDevice(service, number, {}, owner)
  removeAtNetwork(simulator, 0x11)
  renameAtNetwork(simulator, 0x13, 'Theirs')
  addAtNetwork(simulator, 0x10, 'Cellar')
  addGatewayAtNetwork(simulator, 1, 'Roof')
  const report = await reconcile(service, {}, owner)
  const empty = { name_here: null, name_there: null, ignored: false }
  assert.deepEqual(report, {
    network: 'chirpstack',
    register_method: 'user_account',
    compares: ['device', 'gateway'],
    left_out: [],
    compared_at: '2026-03-01T12:00:00.000000Z',
    failure: '',
    totals: {
      device: { ...noDifference, only_at_network: 1, only_here: 1, name_differs: 1 },
      gateway: { ...noDifference, only_at_network: 1 },
    },
    rows: [
      {
        ...empty,
        kind: 'device',
        eui: euiOf(0x10),
        difference: 'only_at_network',
        name_there: 'Cellar',
        actions: ['adopt', 'ignore'],
      },
      {
        ...empty,
        kind: 'device',
        eui: euiOf(0x11),
        difference: 'only_here',
        name_here: 'Device 17',
        actions: ['repair', 'ignore'],
      },
      {
        ...empty,
        kind: 'device',
        eui: euiOf(0x13),
        difference: 'name_differs',
        name_here: 'Device 19',
        name_there: 'Theirs',
        actions: ['repair', 'ignore'],
      },
      {
        ...empty,
        kind: 'gateway',
        eui: gatewayEuiOf(1),
        difference: 'only_at_network',
        name_there: 'Roof',
        actions: ['adopt', 'ignore'],
      },
    ],
    more: false,
  })
  assert.deepEqual(await readReport(service, '', owner), report)
  const second = await readReport(service, '?page=2&itemsPerPage=1', owner)
  assert.deepEqual([second.rows, second.more], [[report.rows[1]], true])
  assert.equal(await countDevices(service, owner), 3)
})

// shows 11.7.11
test('devices on their way to the network, and those kept only here, are no differences', async () => {
  const { owner, simulator } = await startFleet(service)
  await addDevice(service, 0x60, {}, owner)
  await addDevice(service, 0x63, { consoleOnly: true }, owner)
  simulator.faults.isAway = true
  await addDevice(service, 0x61, {}, owner)
  const path = `/v1/devices/${euiOf(0x60)}`
  assert.equal((await service.call('DELETE', path, { as: owner })).status, 204)
  const answer = await service.call('POST', reconcileUrl, { as: owner, body: {} })
  assert.equal(answer.status, 503)
  simulator.faults.isAway = false
  assert.deepEqual((await reconcile(service, {}, owner)).rows, [])
})

// shows 11.7.12
test('rows about devices and gateways take the permission for these as well', async () => {
  const { owner, simulator } = await startFleet(service)
  addAtNetwork(simulator, 0x70, 'Cellar')
  addAtNetwork(simulator, 0x71, 'Attic')
  const reader = await joinMember(service, 'reads@example.test', ['manage_devices'], owner)
  const denied = await service.call('POST', reconcileUrl, { as: reader, body: {} })
  assert.equal(denied.status, 403)
  const clerk = await joinMember(service, 'clerk@example.test', ['manage_account'], owner)
  const rows = [adoption(0x70), row(0x71, 'ignore')]
  const report = await reconcile(service, { rows }, clerk)
  assert.deepEqual(report.rows[0].result, {
    status: false,
    message: 'You do not have the permission manage_devices.',
  })
  assert.equal(report.rows[1].result.status, true)
  assert.equal((await readReport(service, '', reader)).totals.device.only_at_network, 1)
})

test('refuses what is no request, and names no account that is not there', async () => {
  const { owner } = await startFleet(service)
  const send = (body: unknown) => service.call('POST', reconcileUrl, { as: owner, body })
  for (const [body, field] of [
    [{ rows: {} }, 'rows'],
    [{ rows: Array.from({ length: 1001 }, () => ({})) }, 'rows'],
    [{ adopt_all: true }, 'adopt_all'],
    [{ adopt_all: { device_type: -1 } }, 'device_type'],
    [{ adopt_all: { device_type: 999_999 } }, 'device_type'],
    [{ register_method: 'both' }, 'register_method'],
  ] as const) {
    const answer = await send(body)
    assert.equal(answer.status, 422, answer.text)
    assert.match(Object.keys(answer.body.errors).join(), new RegExp(field))
  }
  assert.equal((await send({ register_method: 'vendor' })).status, 404)
  const elsewhere = reconcileUrl.replace('chirpstack', 'nowhere')
  assert.equal((await service.call('POST', elsewhere, { as: owner })).status, 404)
})

// shows 11.7.13
test("the operator's account is compared with the devices of all organizations", async () => {
  const simulator = await startChirpStack({ after })
  await connect(service, simulator, { register_method: 'vendor' })
  const { owner } = await startFleet(service)
  await addDevice(service, 0x80, { registerMethod: 'vendor' }, owner)
  await addDevice(service, 0x81, { registerMethod: 'vendor' })
  const body = { register_method: 'vendor' }
  assert.deepEqual((await reconcile(service, body)).rows, [])
  removeAtNetwork(simulator, 0x80)
  const rows = [row(0x80, 'repair')]
  assert.equal((await reconcile(service, { ...body, rows })).rows[0].result.status, true)
  await untilQuiet(service)
  assert.equal(atNetwork(simulator, 0x80)?.name, 'Device 128')
})
