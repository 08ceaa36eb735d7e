import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { NetworkError } from './networks/network.ts'
import {
  bytesOf,
  type ContractBench,
  configure,
  connect,
  connectDevice,
  eventually,
  gatewayBodyOf,
  idle,
  nextEui,
  planOf,
  readDevice,
  register,
} from './test-network-contract.ts'

/** For the contract test of the networks: what a network refuses, and what is left alone by it. */

/** A right that is missing is told of the device that needs it, and of nothing else. */
export async function checkDeviceRights(bench: ContractBench, devEui: string) {
  const { simulator } = bench
  await connect(bench)
  simulator.deny?.(['write_devices'])
  await register(bench, devEui)
  const device = await readDevice(bench, devEui)
  assert.notEqual(device.device_register_status, 'active')
  assert.match(device.api_error_json, simulator.rights.write_devices ?? /never/)
  await checkConnected(bench)
  simulator.deny?.([])
  await checkRegistration(bench)
  const isActive = async () => (await readDevice(bench, devEui)).device_register_status === 'active'
  await eventually(bench, isActive, 'the registration, once it may be')
  await checkDeniedChanges(bench, devEui)
}

/** A change that is not allowed spoils nothing, and is made once it is. */
async function checkDeniedChanges({ simulator, service, ...rest }: ContractBench, devEui: string) {
  const bench = { simulator, service, ...rest }
  const path = `/v1/devices/${devEui}`
  simulator.deny?.(['write_devices'])
  const body = { device_name: 'Front door' }
  assert.equal((await service.call('PATCH', path, { body })).status, 200)
  await idle(bench)
  const { device_register_status, api_error_json } = await readDevice(bench, devEui)
  assert.equal(device_register_status, 'active', api_error_json)
  assert.equal((await service.call('DELETE', path)).status, 204)
  await idle(bench)
  assert.ok(simulator.findDevice(devEui), 'it is still at the network')
  await checkConnected(bench)
  simulator.deny?.([])
  await eventually(bench, async () => !simulator.findDevice(devEui), 'the removal')
}

export async function checkDownlinkRights(bench: ContractBench, devEui: string) {
  const { simulator } = bench
  await connectDevice(bench, devEui)
  simulator.deny?.(['send_downlinks'])
  await configure(bench, devEui, 7)
  await checkConnected(bench)
  await checkRegistration(bench)
  assert.deepEqual(simulator.findDevice(devEui)?.queue, [])
  simulator.deny?.([])
  await checkHandOver(bench, devEui, 8)
}

export async function checkGatewayRights(bench: ContractBench) {
  const { simulator, service } = bench
  await connect(bench)
  simulator.deny?.(['write_gateways'])
  const created = await service.call('POST', '/v1/gateways', { body: gatewayBodyOf(bench) })
  const { gateway } = created.body
  assert.notEqual(gateway.register_status, 'active', created.text)
  assert.match(gateway.error_msg, simulator.rights.write_gateways ?? /never/)
  await checkConnected(bench)
  await checkRegistration(bench)
  simulator.deny?.([])
  assert.equal((await service.call('DELETE', `/v1/gateways/${gateway.id}`)).status, 204)
}

/**
 * An account that cannot have its callback entered says what is missing. It is connected even so,
 * unless the network tells of a key what rights it has: then a right that is missing refuses it.
 */
export async function checkCallbackRights(bench: ContractBench) {
  const { simulator, service, accountPath } = bench
  await service.call('DELETE', accountPath)
  simulator.deny?.(['set_callback'])
  const denied = await connect(bench)
  assert.notEqual(denied.status, 'unreachable', denied.message)
  assert.match(denied.message, simulator.rights.set_callback ?? /never/)
  simulator.deny?.([])
  await connect(bench)
  await checkConnected(bench)
}

/** What the account may not see is left out of a comparison, and the rest is compared. */
export async function checkComparisonRights(bench: ContractBench, devEui: string) {
  const { simulator, service, accountPath } = bench
  await connect(bench)
  simulator.addDevice(devEui, 'Cellar')
  simulator.deny?.(['read_gateways'])
  const { status, body, text } = await service.call('POST', `${accountPath}/reconcile`, {
    body: {},
  })
  assert.equal(status, 200, text)
  const [leftOut, ...others] = body.data.left_out
  assert.deepEqual([leftOut.kind, others], ['gateway', []])
  assert.match(leftOut.reason, simulator.rights.read_gateways ?? /never/)
  const rows = body.data.rows as Record<string, unknown>[]
  const found = rows.find(({ eui }) => eui === devEui)
  assert.deepEqual([found?.difference, found?.name_there], ['only_at_network', 'Cellar'])
  await checkConnected(bench)
}

/** Devices that their network cannot bear, more than it takes to call the network away. */
export async function checkOneBad(bench: ContractBench, devEui: string) {
  const { simulator, can } = bench
  await connectDevice(bench, devEui)
  const bad = [nextEui(), nextEui(), nextEui(), nextEui()]
  for (const eui of bad) {
    simulator.fail(eui, true)
    await register(bench, eui)
    if (can.registration === 'by_hand') {
      simulator.addDevice(eui, 'Back door')
      await configure(bench, eui, 7)
      continue
    }
    const { device_register_status, api_error_json } = await readDevice(bench, eui)
    assert.notEqual(device_register_status, 'active')
    assert.notEqual(api_error_json, '')
  }
  await checkConnected(bench)
  await checkRegistration(bench)
  await checkBadDownlink(bench, devEui)
  for (const eui of bad) simulator.fail(eui, false)
  if (can.registration === 'by_hand') return
  const isOver = async () => {
    const statuses = await Promise.all(bad.map((eui) => readDevice(bench, eui)))
    return statuses.every(({ device_register_status: status }) => status !== 'pending')
  }
  await eventually(bench, isOver, 'the end of it')
}

/** A downlink that fails for one device waits, and none of another device waits for it. */
async function checkBadDownlink(bench: ContractBench, devEui: string) {
  const { simulator, can } = bench
  simulator.fail(devEui, true)
  await configure(bench, devEui, 7)
  await checkConnected(bench)
  const other = nextEui()
  await register(bench, other)
  if (can.registration === 'by_hand') simulator.addDevice(other, 'Back door')
  await checkHandOver(bench, other, 8)
  simulator.fail(devEui, false)
  await checkHandOver(bench, devEui, 7, true)
}

/** Too long a name is said at once, and the network is as strict as we take it to be. */
export async function checkNames(bench: ContractBench, devEui: string) {
  const { simulator, service, network } = bench
  const longest = simulator.longestName.device
  await connect(bench)
  if (longest === undefined) return
  const [account] = await service.services.db.query<{ id: number }>(
    'select id from network_accounts',
  )
  const connection = await service.services.connections.open(account?.id ?? 0)
  const device = {
    devEui,
    joinEui: '00AA0000000000FF',
    appKey: '000102030405060708090A0B0C0D0E0F',
    name: 'n'.repeat(longest + 1),
    region: 'EU868',
    ...planOf(network),
  } as const
  await assert.rejects(connection.addDevice(device), (error: unknown) => {
    return error instanceof NetworkError && error.kind === 'refused'
  })
  await connection.addDevice({ ...device, name: 'n'.repeat(longest) })
  await assert.rejects(connection.renameDevice(devEui, device.name), (error: unknown) => {
    return error instanceof NetworkError && error.kind === 'refused'
  })
  await checkConnected(bench)
}

/** Asked to slow down, we do, and say so. */
export async function checkPace(bench: ContractBench, devEui: string) {
  const { simulator, service, accountPath, can } = bench
  if (can.registration === 'by_hand') await connectDevice(bench, devEui)
  else await connect(bench)
  simulator.throttle(0)
  if (can.registration === 'by_hand') await configure(bench, devEui, 7)
  else await register(bench, devEui)
  const { body } = await service.call('GET', accountPath)
  assert.equal(body.data.status, 'connected', body.data.message)
  if (can.registration === 'api') {
    const device = await readDevice(bench, devEui)
    assert.equal(device.device_register_status, 'pending', device.api_error_json)
    assert.match(device.api_error_json, /slow down/)
  }
  // The token of the account, where it has one, is not given either.
  const again = await service.call('PUT', accountPath, { body: simulator.account })
  assert.notEqual(again.body.data.status, 'refused', again.text)
  assert.match(again.body.data.message, /slow down/)
  simulator.throttle(undefined)
  if (can.registration === 'by_hand') return checkHandOver(bench, devEui, 7, true)
  const isActive = async () => (await readDevice(bench, devEui)).device_register_status === 'active'
  await eventually(bench, isActive, 'the registration')
}

/** An account that is full is not away, and takes the next one when there is room. */
export async function checkRoom(bench: ContractBench, devEui: string) {
  const { simulator } = bench
  await connect(bench)
  simulator.setRoom?.(simulator.deviceEuis().length)
  await register(bench, devEui)
  const device = await readDevice(bench, devEui)
  assert.notEqual(device.device_register_status, 'active')
  assert.match(device.api_error_json, /capacity|max|license/i)
  await checkConnected(bench)
  simulator.setRoom?.(undefined)
  await checkRegistration(bench)
}

/** What other programs have queued stays as it is; where it cannot, the network's page says so. */
export async function checkForeignItems(bench: ContractBench, devEui: string) {
  const { simulator, service, can, network } = bench
  await connectDevice(bench, devEui)
  await simulator.sendUplink(devEui, '100301')
  const queue = () => simulator.findDevice(devEui)?.queue
  await checkHandOver(bench, devEui, 7)
  simulator.addForeignDownlink?.(devEui, 'f0e1')
  await checkHandOver(bench, devEui, 8)
  const before = simulator.findDevice(devEui)?.items ?? []
  const cancelled = await service.call('DELETE', `/v1/devices/${devEui}/configure/cancel`)
  if (can.cancel === 'here') {
    assert.deepEqual(simulator.findDevice(devEui)?.items, before)
    return
  }
  assert.equal(cancelled.body.status, true, cancelled.text)
  if (can.cancel === 'flush_own') {
    assert.deepEqual(queue(), [bytesOf(7)])
    const page = new URL(`../../docs/networks/${network.key}.md`, import.meta.url)
    assert.match(readFileSync(page, 'utf8'), /other\s+programs/)
    return
  }
  assert.deepEqual(queue(), [bytesOf(7), 'f0e1'])
  assert.equal(simulator.findDevice(devEui)?.items[1], before[1])
}

async function checkConnected({ service, accountPath }: ContractBench) {
  const { body } = await service.call('GET', accountPath)
  assert.deepEqual([body.data.status, body.data.message], ['connected', ''])
}

/** A device like any other is registered at once. */
async function checkRegistration(bench: ContractBench) {
  const eui = nextEui()
  await register(bench, eui)
  const { device_register_status, api_error_json } = await readDevice(bench, eui)
  assert.deepEqual([device_register_status, api_error_json], ['active', ''])
}

async function checkHandOver(
  bench: ContractBench,
  devEui: string,
  minutes: number,
  isConfigured = false,
) {
  const { simulator, can } = bench
  if (!isConfigured) await configure(bench, devEui, minutes)
  if (can.downlinks === 'pulled') return
  const isThere = async () =>
    simulator.findDevice(devEui)?.queue.includes(bytesOf(minutes)) ?? false
  await eventually(bench, isThere, 'the hand-over')
}
