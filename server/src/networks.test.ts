import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { networks, optionalNetworks, switchOnNetworks } from './networks/index.ts'
import {
  bytesOf,
  type ContractBench,
  configure,
  connect,
  eventually,
  gatewayBodyOf,
  gatewayEui,
  listUplinks,
  readDevice,
  readHistory,
  register,
  startContractBench,
} from './test-network-contract.ts'
import { startTestService } from './test-service.ts'

switchOnNetworks(optionalNetworks.map(({ key }) => key))

/** What every network must be able to do, each against its own far side. */
for (const network of networks) {
  const { adapter } = network
  if (!adapter || network.key === 'other') continue
  describe(`${network.name}`, () => {
    let shared: ContractBench | undefined
    const ends: (() => Promise<void>)[] = []
    before(async () => {
      shared = await startContractBench({ after: (end) => ends.push(end) }, network, adapter)
    })
    after(async () => {
      for (const end of ends.reverse()) await end()
    })
    const run = async (check: Check) => {
      assert.ok(shared, 'the service and the network are there')
      await check(shared, nextEui())
    }
    const check = (what: string, check: Check) => test(what, () => run(check))

    check('connects an account, and tells wrong credentials from right ones', checkAccount)
    check('registers, renames and removes a device', checkDevice)
    check('receives uplinks, once each', checkUplinks)
    check('sends a downlink, and the sensor answers it', checkDownlink)
    check('cancels one downlink of several', checkCancel)
    check('catches up after the network was away', checkOutage)
    check('passes a refusal on in the words of the network', checkRefusal)
    if (adapter.capabilities.gateways) {
      check('creates, renames and removes a gateway', checkGateway)
    }
    if (adapter.capabilities.lists.includes('devices')) {
      // shows 11.7.5
      test('reports what was added at its side, and adopts it', () => run(checkReconciliation))
    } else {
      // shows 11.7.21
      test('says that it cannot be compared with', () => run(checkNoListing))
    }
    check('has what its capabilities say, and nothing else', checkCapabilities)
  })
}

type Check = (bench: ContractBench, eui: string) => Promise<void>

/** A gateway of any other make is recorded here, and calls us: there is no far side to speak to. */
describe('Other', () => {
  test('takes the uplinks of a gateway by its token, until the gateway is removed', async (t) => {
    const service = await startTestService(t)
    const device = {
      network: 10,
      deviceName: 'Meadow gate',
      deviceId: '0080000000015834',
      deviceKey: '000102030405060708090A0B0C0D0E0F',
      deviceType: 16,
      registerMethod: 'user_account',
      consoleOnly: true,
      action: 'confirm',
    }
    assert.equal((await service.call('POST', '/v1/devices', { body: device })).status, 200)
    const body = { gateway_bridge: 'other', gateway_name: 'Roof', gateway_eui: gatewayEui }
    const { gateway } = (await service.call('POST', '/v1/gateways', { body })).body
    const path = `/v1/gateways/${gateway.id}`
    const { gateway_configs } = (await service.call('GET', path)).body
    const address = new URL(gateway_configs.download_link).pathname
    const post = (token: string) =>
      service.call('POST', address, {
        as: null,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.parse(readFileSync(multitechUplink, 'utf8')),
      })
    assert.equal((await post('wrong')).status, 401)
    assert.equal((await post(gateway_configs.authorisation_token)).status, 200)
    const uplinks = await service.call('GET', `/v1/devices/${device.deviceId}/uplink`)
    assert.equal(uplinks.body.meta.total, 1)
    assert.equal((await service.call('DELETE', path)).status, 204)
    assert.equal((await post(gateway_configs.authorisation_token)).status, 401)
  })
})

const multitechUplink = new URL('./networks/other/examples/multitech-up.json', import.meta.url)

let devices = 0
/** Of a device that no other test knows. */
function nextEui(): string {
  devices += 1
  return `00AA${devices.toString(16).toUpperCase().padStart(12, '0')}`
}

async function checkAccount(bench: ContractBench) {
  const { simulator, service, accountPath, can } = bench
  if (can.checksAccount) {
    const wrong = await connect(bench, simulator.wrongAccount)
    assert.equal(wrong.status, 'refused', wrong.message)
    assert.notEqual(wrong.message, '')
  }
  const right = await connect(bench)
  assert.deepEqual([right.status, right.message], ['connected', ''])
  const { text } = await service.call('GET', accountPath)
  const secrets = bench.network.adapter?.accountFields.filter(({ secret }) => secret) ?? []
  for (const { name } of secrets) {
    const value = simulator.account[name]
    if (value) assert.ok(!text.includes(value), `${name} is in the answer`)
  }
  assert.equal((await service.call('DELETE', accountPath)).status, 204)
}

async function checkDevice(bench: ContractBench, devEui: string) {
  const { simulator, service, can } = bench
  await connect(bench)
  await register(bench, devEui)
  const device = await readDevice(bench, devEui)
  assert.deepEqual([device.device_register_status, device.api_error_json], ['active', ''])
  if (can.registration === 'by_hand') simulator.addDevice(devEui, 'Back door')
  assert.equal(simulator.findDevice(devEui)?.name, 'Back door')

  const body = { device_name: 'Front door' }
  assert.equal((await service.call('PATCH', `/v1/devices/${devEui}`, { body })).status, 200)
  if (can.renames) {
    await eventually(
      bench,
      async () => simulator.findDevice(devEui)?.name === 'Front door',
      'the new name',
    )
  }
  assert.equal((await service.call('DELETE', `/v1/devices/${devEui}`)).status, 204)
  if (can.registration === 'api') {
    await eventually(bench, async () => !simulator.findDevice(devEui), 'the removal')
  }
}

/** An account, and a device that is known on both sides. */
async function connectDevice(bench: ContractBench, eui: string) {
  await connect(bench)
  await register(bench, eui)
  if (bench.can.registration === 'by_hand') bench.simulator.addDevice(eui, 'Back door')
}

async function checkUplinks(bench: ContractBench, devEui: string) {
  const { simulator } = bench
  await connectDevice(bench, devEui)
  const { failed } = simulator.counts
  // A door sensor: opened, as the maker prints it.
  await simulator.sendUplink(devEui, '100301')
  await simulator.sendUplink(devEui, '110300')
  assert.equal(simulator.counts.failed, failed)
  const [latest, first, ...others] = await listUplinks(bench, devEui)
  assert.deepEqual(others, [])
  assert.equal(latest.event_type, 'DOOR_SENSOR')
  assert.match(first.decoded_message, /opened/i)
  assert.match(latest.decoded_message, /closed/i)
}

async function checkDownlink(bench: ContractBench, devEui: string) {
  const { simulator, can } = bench
  await connectDevice(bench, devEui)
  await simulator.sendUplink(devEui, '100301')
  const answer = await configure(bench, devEui, 7)
  assert.equal(answer.body.status, true, answer.text)
  if (can.downlinks === 'pushed') {
    await eventually(
      bench,
      async () => simulator.findDevice(devEui)?.queue.includes(bytesOf(7)) ?? false,
      'the hand-over',
    )
  }
  await simulator.sendUplink(devEui, '110300')
  const history = await readHistory(bench, devEui)
  assert.deepEqual(history, ['event_created', 'event_sent', 'event_acknowledged'])
}

async function checkCancel(bench: ContractBench, devEui: string) {
  const { simulator, service, can } = bench
  await connectDevice(bench, devEui)
  await simulator.sendUplink(devEui, '100301')
  const isHeldHere = can.cancel === 'here' && can.downlinks === 'pushed'
  if (isHeldHere) simulator.setAway(true)
  for (const minutes of [7, 8, 9]) await configure(bench, devEui, minutes)
  const isHandedOver = can.cancel !== 'here'
  if (isHandedOver) {
    const queue = () => simulator.findDevice(devEui)?.queue
    await eventually(bench, async () => queue()?.length === 3, 'the hand-over of three')
  }
  const cancelled = await service.call('DELETE', `/v1/devices/${devEui}/configure/cancel`)
  assert.equal(cancelled.body.status, true, cancelled.text)
  if (isHandedOver) {
    const queue = simulator.findDevice(devEui)?.queue
    assert.deepEqual(queue, [bytesOf(7), bytesOf(8)], 'the others, in their order')
  }
  const history = await readHistory(bench, devEui)
  assert.equal(history.filter((name) => name === 'event_cancelled').length, 1)
  simulator.setAway(false)
}

async function checkOutage(bench: ContractBench, devEui: string) {
  const { simulator, service, accountPath, can } = bench
  await connect(bench)
  if (can.registration === 'by_hand') return
  simulator.setAway(true)
  await register(bench, devEui)
  assert.equal((await readDevice(bench, devEui)).device_register_status, 'pending')
  const away = await service.call('GET', accountPath)
  assert.equal(away.body.data.status, 'unreachable', away.text)
  simulator.setAway(false)
  const isActive = async () => (await readDevice(bench, devEui)).device_register_status === 'active'
  await eventually(bench, isActive, 'the registration')
  assert.ok(simulator.findDevice(devEui))
  const back = await service.call('GET', accountPath)
  assert.deepEqual([back.body.data.status, back.body.data.message], ['connected', ''])
}

async function checkRefusal(bench: ContractBench, devEui: string) {
  const { simulator, can } = bench
  await connect(bench)
  if (can.registration === 'by_hand') return
  simulator.refuse('these words are the network’s own')
  await register(bench, devEui)
  const device = await readDevice(bench, devEui)
  assert.equal(device.device_register_status, 'register_error')
  assert.match(device.api_error_json, /these words are the network’s own/)
  simulator.refuse(undefined)
}

async function checkGateway(bench: ContractBench) {
  const { simulator, service } = bench
  await connect(bench)
  const created = await service.call('POST', '/v1/gateways', { body: gatewayBodyOf(bench) })
  assert.equal(created.status, 200, created.text)
  const { gateway } = created.body
  assert.equal(gateway.register_status, 'active', created.text)
  assert.equal(simulator.findGateway(gatewayEui)?.name, 'Roof')
  const path = `/v1/gateways/${gateway.id}`
  const renamed = await service.call('PATCH', path, { body: { gateway_name: 'Mast' } })
  assert.equal(renamed.status, 200, renamed.text)
  await eventually(
    bench,
    async () => simulator.findGateway(gatewayEui)?.name === 'Mast',
    'its name',
  )
  assert.equal((await service.call('DELETE', path)).status, 204)
  await eventually(bench, async () => !simulator.findGateway(gatewayEui), 'its removal')
}

async function checkReconciliation(bench: ContractBench, devEui: string) {
  const { simulator, service, accountPath } = bench
  await connectDevice(bench, devEui)
  const foreignEui = nextEui()
  simulator.addDevice(foreignEui, 'Cellar')
  const reconcile = async (body: Record<string, unknown>) => {
    const answer = await service.call('POST', `${accountPath}/reconcile`, { body })
    assert.equal(answer.status, 200, answer.text)
    const rows = answer.body.data.rows as Record<string, unknown>[]
    return rows.filter(({ eui }) => eui === devEui || eui === foreignEui)
  }
  const found = await reconcile({})
  assert.deepEqual(
    found.map((row) => [row.eui, row.difference, row.name_there]),
    [[foreignEui, 'only_at_network', 'Cellar']],
  )
  const row = { kind: 'device', eui: foreignEui, action: 'adopt', device_type: 16 }
  const [adopted] = await reconcile({ rows: [row] })
  assert.deepEqual(adopted?.result, { status: true, message: 'Device adopted.' })
  const device = await readDevice(bench, foreignEui)
  assert.deepEqual([device.device_name, device.device_register_status], ['Cellar', 'active'])
  await simulator.sendUplink(foreignEui, '100301')
  assert.equal((await listUplinks(bench, foreignEui)).length, 1)
  assert.deepEqual(await reconcile({}), [])
}

async function checkNoListing(bench: ContractBench) {
  await connect(bench)
  const answer = await bench.service.call('POST', `${bench.accountPath}/reconcile`)
  assert.equal(answer.status, 422, answer.text)
  assert.match(answer.body.message, /does not tell what devices it has/)
}

async function checkCapabilities(bench: ContractBench) {
  const { network, can, service, simulator } = bench
  await connect(bench)
  const [account] = await service.services.db.query<{ id: number }>(
    'select id from network_accounts',
  )
  assert.ok(account && simulator)
  const connection = await service.services.connections.open(account.id)
  assert.equal(connection.gateways !== undefined, can.gateways, 'gateways')
  assert.equal(network.forms.gateway !== undefined, can.gateways, 'the gateway form')
  assert.equal(connection.cancelDownlink !== undefined, can.cancel === 'one', 'cancel: one')
  const flushes = can.cancel === 'flush' || can.cancel === 'flush_own'
  assert.equal(connection.flushDownlinks !== undefined, flushes, 'cancel: flush')
  assert.equal(connection.setCallback !== undefined, can.setsCallback, 'setsCallback')
  assert.equal(connection.listDevices !== undefined, can.lists.includes('devices'), 'lists')
  assert.equal(connection.gateways?.list !== undefined, can.lists.includes('gateways'), 'lists')
  assert.equal(network.adapter?.subscribe !== undefined, can.subscribes, 'subscribes')
}
