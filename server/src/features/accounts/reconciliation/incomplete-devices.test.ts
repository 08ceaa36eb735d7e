import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startSimulator as startEverynet } from '../../../../simulators/everynet/simulator.ts'
import type { SimulatedNetwork } from '../../../../simulators/simulated-network.ts'
import { startSimulator as startStack } from '../../../../simulators/thethingsnetwork/simulator.ts'
import { keyOf } from '../../../../simulators/thethingsnetwork/store.ts'
import { addDevice, doorType, euiOf, readDevice } from '../../../../test/fleet.ts'
import { foundOrganization } from '../../../../test/members.ts'
import { untilQuiet } from '../../../../test/network.ts'
import { noDifference, row } from '../../../../test/reconciliation.ts'
import { type Login, startTestService } from '../../../../test/service.ts'

/** Devices that a network has in part, or with another JoinEUI; one organization to a test. */

const service = await startTestService({ after })
const sixRights = [
  'RIGHT_APPLICATION_DEVICES_READ',
  'RIGHT_APPLICATION_DEVICES_WRITE',
  'RIGHT_APPLICATION_DEVICES_WRITE_KEYS',
  'RIGHT_APPLICATION_SETTINGS_BASIC',
  'RIGHT_APPLICATION_TRAFFIC_READ',
  'RIGHT_APPLICATION_TRAFFIC_DOWN_WRITE',
]

let organizations = 0
async function connect<Simulator extends SimulatedNetwork>(simulator: Simulator) {
  after(() => simulator.close())
  organizations += 1
  const owner = await foundOrganization(service, `parts${organizations}@example.test`)
  const path = `/v1/network-accounts/${simulator.network}`
  const answer = await service.call('PUT', path, { as: owner, body: simulator.account })
  assert.equal(answer.body.data.status, 'connected', answer.text)
  const reconcile = async (body: Record<string, unknown> = {}) => {
    const answer = await service.call('POST', `${path}/reconcile`, { as: owner, body })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data
  }
  return { owner, simulator, reconcile }
}

async function startSimulatedEverynet() {
  const network = await startEverynet()
  const { side } = network
  return Object.assign(network, { side })
}

function addAtStack(number: number, as: Login, changes: Record<string, unknown> = {}) {
  const plan = { network: 5, frequencyPlan: 'EU_863_870_TTN' }
  return addDevice(service, number, { ...plan, ...changes }, as)
}

async function readJoinEui(number: number): Promise<string | undefined> {
  const [device] = await service.services.db.query<{ join_eui: string }>(
    'select join_eui from devices where eui = $1',
    [euiOf(number)],
  )
  return device?.join_eui
}

// shows 11.7.24
test('a device that one of the four registries lacks is told of, and completed', async () => {
  const { owner, simulator, reconcile } = await connect(await startStack())
  const idOf = (number: number) => `eui-${euiOf(number).toLowerCase()}`
  const { store } = simulator
  const find = (number: number) => store.devices.get(keyOf(store.applicationId, idOf(number)))
  const parts = [
    [0x10, 'join'],
    [0x11, 'network'],
    [0x12, 'application'],
  ] as const
  for (const [number] of parts) await addAtStack(number, owner)
  await addAtStack(0x13, owner)
  assert.deepEqual((await reconcile()).rows, [])
  for (const [number, part] of parts) delete find(number)?.[part]
  delete find(0x13)?.identity

  const report = await reconcile()
  assert.deepEqual(report.totals.device, { ...noDifference, only_here: 1, incomplete: 3 })
  for (const [index, [number, part]] of parts.entries()) {
    const { eui, difference, problem, actions } = report.rows[index]
    assert.deepEqual(
      [eui, difference, actions],
      [euiOf(number), 'incomplete', ['repair', 'ignore']],
    )
    assert.equal(problem, `At The Things Stack the ${part} server does not have the device.`)
  }
  const numbers = [0x10, 0x11, 0x12, 0x13]
  const repaired = await reconcile({ rows: numbers.map((number) => row(number, 'repair')) })
  assert.deepEqual(repaired.outcome, { done: 4, refused: 0 })
  await untilQuiet(service)
  for (const number of numbers) {
    const device = find(number)
    assert.ok(device?.identity && device.join && device.network && device.application)
    assert.equal((await readDevice(service, number, owner)).device_register_status, 'active')
  }
  assert.deepEqual((await reconcile()).rows, [])
})

test('a device under another id, or of another cluster, is whole with what it has, and one of ABP is another one', async () => {
  const { owner, simulator, reconcile } = await connect(await startStack())
  const { store } = simulator
  const changes = [
    (id: string) => {
      const device = store.devices.get(keyOf(store.applicationId, id))
      assert.ok(device?.identity)
      store.devices.delete(keyOf(store.applicationId, id))
      Object.assign(device, { deviceId: 'cellar-door' })
      Object.assign(device.identity.ids as object, { device_id: 'cellar-door' })
      store.devices.set(keyOf(store.applicationId, 'cellar-door'), device)
    },
    (id: string) => {
      const device = store.devices.get(keyOf(store.applicationId, id))
      Object.assign(device?.identity ?? {}, { join_server_address: 'join.example.test' })
      delete device?.join
    },
    (id: string) => {
      const device = store.devices.get(keyOf(store.applicationId, id))
      Object.assign(device?.network ?? {}, { supports_join: false })
      delete device?.join
    },
  ]
  for (const [index, change] of changes.entries()) {
    await addAtStack(0x20 + index, owner)
    change(`eui-${euiOf(0x20 + index).toLowerCase()}`)
  }
  const { rows, left_out } = await reconcile()
  const [{ problem, actions }, ...others] = rows
  assert.deepEqual([others, left_out, actions], [[], [], ['adopt', 'ignore']])
  assert.match(problem, /^The device is without a join \(ABP\) at the network, and with a join/)
})

test('without the right to read keys the registries are compared, and this is said', async () => {
  const { owner, simulator, reconcile } = await connect(await startStack())
  for (const number of [0x30, 0x31]) await addAtStack(number, owner)
  simulator.store.rights = sixRights
  simulator.store.keyOwner = 'application'
  const path = '/v1/network-accounts/thethingsnetwork'
  const { user_id: _, ...account } = simulator.account
  assert.equal((await service.call('PUT', path, { as: owner, body: account })).status, 200)
  simulator.changeKey?.(euiOf(0x30), 'F0'.repeat(16))
  const { store } = simulator
  const id = `eui-${euiOf(0x31).toLowerCase()}`
  delete store.devices.get(keyOf(store.applicationId, id))?.network
  const report = await reconcile()
  assert.deepEqual(report.totals.device, { ...noDifference, incomplete: 1 })
  assert.deepEqual(
    report.left_out.map(({ kind, part }: Record<string, string>) => [kind, part]),
    [
      ['gateway', 'list'],
      ['device', 'keys'],
    ],
  )
  assert.match(report.left_out[1].reason, /RIGHT_APPLICATION_DEVICES_READ_KEYS/)
})

// shows 11.7.25
test('another JoinEUI at the network is taken here, or changed there where that is possible', async () => {
  const stack = await connect(await startStack())
  await addAtStack(0x40, stack.owner, { joinEui: '00AA0000000000FF' })
  const { store } = stack.simulator
  const device = store.devices.get(keyOf(store.applicationId, `eui-${euiOf(0x40).toLowerCase()}`))
  Object.assign(device?.identity?.ids ?? {}, { join_eui: '00AA0000000000EE' })
  const [found] = (await stack.reconcile()).rows
  assert.deepEqual([found.difference, found.actions], ['join_eui_differs', ['adopt', 'ignore']])
  assert.equal(
    found.problem,
    'The JoinEUI is 00AA0000000000FF here and 00AA0000000000EE at the network.',
  )
  const taken = await stack.reconcile({ rows: [row(0x40, 'adopt')] })
  assert.deepEqual(taken.rows[0].result, {
    status: true,
    message: "The network's JoinEUI is known here now.",
  })
  assert.equal(await readJoinEui(0x40), '00AA0000000000EE')

  const everynet = await connect(await startSimulatedEverynet())
  const body = { network: 9, appRegion: 'EU868', joinEui: '00AA0000000000FF' }
  await addDevice(service, 0x41, body, everynet.owner)
  assert.deepEqual((await everynet.reconcile()).rows, [])
  const thing = everynet.simulator.side.devices.get(euiOf(0x41))
  assert.ok(thing)
  thing.record.app_eui = '00aa0000000000ee'
  const [other] = (await everynet.reconcile()).rows
  assert.deepEqual(other.actions, ['adopt', 'repair', 'ignore'])
  const sent = await everynet.reconcile({ rows: [row(0x41, 'repair')] })
  assert.equal(sent.rows[0].result.message, 'The network is told the JoinEUI of the device.')
  await untilQuiet(service)
  assert.equal(thing.record.app_eui, '00aa0000000000ff')
  assert.deepEqual((await everynet.reconcile()).rows, [])
})

test('a device that is adopted has the JoinEUI of the network', async () => {
  const { simulator, reconcile } = await connect(await startStack())
  simulator.addDevice(euiOf(0x50), 'Cellar')
  const { store } = simulator
  const id = `eui-${euiOf(0x50).toLowerCase()}`
  const ids = store.devices.get(keyOf(store.applicationId, id))?.identity?.ids
  Object.assign(ids ?? {}, { join_eui: '00AA0000000000EE' })
  await reconcile({ adopt_all: { device_type: doorType.id } })
  assert.equal(await readJoinEui(0x50), '00AA0000000000EE')
  assert.deepEqual((await reconcile()).rows, [])
})
