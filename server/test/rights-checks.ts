import assert from 'node:assert/strict'
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
  idle,
  readDevice,
  register,
} from './network-contract.ts'

/** Checks of all networks: rights that the account lacks. */

/** Only the device that needs a missing right reports it. */
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

/** A change without the right does no harm, and is made after the right is restored. */
async function checkDeniedChanges(bench: ContractBench, devEui: string) {
  const { simulator, service } = bench
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
 * The message of an account whose callback can't be set names the missing right. The account is
 * connected, unless the network returns the rights of a key. Then the service refuses the account.
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
