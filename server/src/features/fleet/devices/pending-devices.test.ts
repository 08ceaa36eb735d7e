import assert from 'node:assert/strict'
import { test } from 'node:test'
import { status } from '@grpc/grpc-js'
import { batchUrl, creation } from '../../../../test/device-batches.ts'
import { euiOf, noAccount, readDevice, registrationOf } from '../../../../test/fleet.ts'
import { foundOrganization } from '../../../../test/members.ts'
import {
  connect,
  passTime,
  startBoth,
  startConnected,
  untilQuiet,
} from '../../../../test/network.ts'

/** That a registration which waits says why, in the answers and with the device. */

const noVendor =
  'The operator has no account at ChirpStack v4 yet, through which the register method vendor goes. The device stays pending until then.'

// shows 10.2.20, 10.2.21
test('validate and confirm say that there is no account, and the device says it too', async (t) => {
  const { service, simulator } = await startBoth(t)
  const post = (changes: object) =>
    service.call('POST', '/v1/devices', { body: registrationOf(1, { ...changes }) })
  assert.deepEqual((await post({ action: 'validate' })).body.warnings, [noAccount])
  const vendor = await post({ action: 'validate', registerMethod: 'vendor' })
  assert.deepEqual(vendor.body.warnings, [noVendor])
  const alone = await post({ action: 'validate', consoleOnly: true })
  assert.equal(alone.body.warnings, undefined)

  const confirmed = await post({})
  assert.deepEqual(confirmed.body.warnings, [noAccount])
  assert.equal(confirmed.body.device.api_error_json, noAccount)
  const waiting = await readDevice(service, 1)
  assert.deepEqual([waiting.device_register_status, waiting.api_error_json], ['pending', noAccount])

  await connect(service, simulator)
  await untilQuiet(service)
  const done = await readDevice(service, 1)
  assert.deepEqual([done.device_register_status, done.api_error_json], ['active', ''])
  const next = await service.call('POST', '/v1/devices', { body: registrationOf(2) })
  assert.equal(next.body.warnings, undefined)
})

test('an account that is refused, or out of reach, is told with its last words', async (t) => {
  const { service, simulator } = await startConnected(t)
  const post = (number: number, changes = {}) =>
    service.call('POST', '/v1/devices', { body: registrationOf(number, changes) })
  simulator.faults.refusals['/api.DeviceService/Create'] = {
    code: status.UNAUTHENTICATED,
    message: 'InvalidToken',
  }
  const refused = await post(1)
  assert.equal(refused.body.device.device_register_status, 'pending')
  const [warning, ...others] = refused.body.warnings
  assert.match(
    warning,
    /^ChirpStack v4 refuses the account \(.+\): it has to be fixed\. The device/,
  )
  assert.deepEqual(others, [])
  assert.match(refused.body.device.api_error_json, /ChirpStack/)
  assert.deepEqual((await post(2, { action: 'validate' })).body.warnings, [warning])

  simulator.faults.refusals = {}
  simulator.faults.isAway = true
  await passTime(service)
  const away = await readDevice(service, 1)
  assert.match(away.api_error_json, /reach|answer/i)
  const validated = await post(2, { action: 'validate' })
  assert.match(
    validated.body.warnings[0],
    /^ChirpStack v4 cannot be reached .* it is tried again\./,
  )
  simulator.faults.isAway = false
  await passTime(service)
  assert.equal((await readDevice(service, 1)).api_error_json, '')
})

test('a device that the network refuses is warned about in its words', async (t) => {
  const { service, simulator } = await startConnected(t)
  simulator.faults.refusals['/api.DeviceService/Create'] = {
    code: status.INVALID_ARGUMENT,
    message: 'Max. device count exceeded',
  }
  const answer = await service.call('POST', '/v1/devices', { body: registrationOf(1) })
  assert.equal(answer.body.device.device_register_status, 'register_error')
  assert.match(answer.body.warnings[0], /Max\. device count exceeded/)
})

// shows 10.2.20
test('every entry of a batch that cannot be provisioned says so', async (t) => {
  const { service, simulator } = await startBoth(t)
  const devices = [
    ...Array.from({ length: 20 }, (_, index) => creation(index + 1)),
    creation(30, {}, { consoleOnly: true }),
    { action: 'delete', deviceId: euiOf(99) },
  ]
  const answer = await service.call('POST', batchUrl, { body: { devices } })
  const entries = answer.body.data as { warnings?: string[] }[]
  for (const entry of entries.slice(0, 20)) assert.deepEqual(entry.warnings, [noVendor])
  for (const entry of entries.slice(20)) assert.equal(entry.warnings, undefined)
  assert.equal((await readDevice(service, 7)).api_error_json, noVendor)
  await connect(service, simulator, { register_method: 'vendor' })
  await untilQuiet(service)
  assert.equal((await readDevice(service, 7)).api_error_json, '')
})

test('what a network says of the operator is told only to the operator', async (t) => {
  const { service, simulator } = await startBoth(t)
  const other = await foundOrganization(service, 'bo@example.test')
  const wrong = { register_method: 'vendor', api_key: 'wrong' }
  assert.equal((await connect(service, simulator, wrong)).status, 'refused')
  const body = registrationOf(1, { registerMethod: 'vendor', action: 'validate' })
  const own = await service.call('POST', '/v1/devices', { body })
  assert.match(own.body.warnings[0], /^ChirpStack v4 refuses the operator's account \(.+\): it/)
  const theirs = await service.call('POST', '/v1/devices', { body, as: other })
  assert.match(theirs.body.warnings[0], /^ChirpStack v4 refuses the operator's account: it/)
  const confirmed = registrationOf(1, { registerMethod: 'vendor' })
  await service.call('POST', '/v1/devices', { body: confirmed, as: other })
  const { api_error_json } = await readDevice(service, 1, other)
  assert.equal(api_error_json, "The network could not be told through the operator's account.")
})

test('a network that takes no registrations from here says to do it there', async (t) => {
  const { service } = await startBoth(t)
  const body = registrationOf(1, { network: 4, action: 'validate' })
  const answer = await service.call('POST', '/v1/devices', { body })
  assert.match(answer.body.warnings[0], /^Senet takes no registrations from here: register/)
})
