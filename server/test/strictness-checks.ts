import assert from 'node:assert/strict'
import { NetworkError } from '../src/networks/network-error.ts'
import {
  type ContractBench,
  checkConnected,
  checkHandOver,
  checkRegistration,
  configure,
  connect,
  connectDevice,
  eventually,
  gatewayBodyOf,
  gatewayEui,
  nextEui,
  planOf,
  readDevice,
  register,
  registerAs,
} from './network-contract.ts'

/** Checks of all networks: refusals, and that a refusal affects nothing else. */

/** Fails more devices than the number of failures after which a network counts as unreachable. */
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

/** The same for a gateway. It is registered after its network stops failing. */
export async function checkOneBadGateway(bench: ContractBench) {
  const { simulator, service } = bench
  await connect(bench)
  simulator.fail(gatewayEui, true)
  const created = await service.call('POST', '/v1/gateways', { body: gatewayBodyOf(bench) })
  const { gateway } = created.body
  assert.notEqual(gateway.register_status, 'active', created.text)
  assert.notEqual(gateway.error_msg, '')
  await checkConnected(bench)
  await checkRegistration(bench)
  simulator.fail(gatewayEui, false)
  await eventually(
    bench,
    async () => simulator.findGateway(gatewayEui) !== undefined,
    'its creation',
  )
  assert.equal((await service.call('DELETE', `/v1/gateways/${gateway.id}`)).status, 204)
  await eventually(bench, async () => !simulator.findGateway(gatewayEui), 'its removal')
}

/** A downlink that fails for one device waits. Downlinks of other devices do not wait for it. */
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

/**
 * The service refuses a name that is too long before it registers anything. The simulated network
 * has the same limits as the service assumes.
 */
export async function checkNames(bench: ContractBench, devEui: string) {
  const { simulator, service, network } = bench
  const { deviceName, gatewayName } = network.limits ?? {}
  const { device: longest, gateway } = simulator.longestName
  assert.deepEqual([deviceName?.longest, gatewayName?.longest], [longest, gateway])
  await connect(bench)
  if (longest === undefined) return
  const [account] = await service.services.db.query<{ id: number }>(
    'select id from network_accounts',
  )
  const { addDevice, renameDevice } = await service.services.connections.open(account?.id ?? 0)
  assert.ok(addDevice && renameDevice, 'registration')
  const device = {
    devEui,
    joinEui: '00AA0000000000FF',
    appKey: '000102030405060708090A0B0C0D0E0F',
    name: 'n'.repeat(longest),
    region: 'EU868',
    ...planOf(network),
  } as const
  const tooLong = `${device.name}n`
  const isRefused = (error: unknown) => error instanceof NetworkError && error.kind === 'refused'
  await assert.rejects(addDevice({ ...device, name: tooLong }), isRefused)
  await addDevice(device)
  await assert.rejects(renameDevice(devEui, tooLong), isRefused)
  for (const character of deviceName?.without ?? '') {
    await assert.rejects(renameDevice(devEui, `Gate ${character}`), isRefused)
  }
  await checkConnected(bench)
  const answer = await registerAs(bench, nextEui(), tooLong)
  assert.equal(answer.status, 422, answer.text)
  assert.ok(answer.body.errors.deviceName, answer.text)
}

/** The service slows down when the network requests it, and reports this. */
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
  // The network also refuses the request for an access token, if the account has one.
  const again = await service.call('PUT', accountPath, { body: simulator.account })
  assert.notEqual(again.body.data.status, 'refused', again.text)
  assert.match(again.body.data.message, /slow down/)
  simulator.throttle(undefined)
  if (can.registration === 'by_hand') return checkHandOver(bench, devEui, 7, true)
  const isActive = async () => (await readDevice(bench, devEui)).device_register_status === 'active'
  await eventually(bench, isActive, 'the registration')
}

/** A full account is not unreachable. It accepts the next device when there is room. */
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
