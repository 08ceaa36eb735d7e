import assert from 'node:assert/strict'
import { test } from 'node:test'
import { status } from '@grpc/grpc-js'
import { addDevice } from '../../../../test/fleet.ts'
import { startChirpStack } from '../../../../test/network.ts'
import { startTestService } from '../../../../test/service.ts'

const url = '/v1/network-accounts/chirpstack'

test('the words about the callback stay while the API works, until it is entered', async (t) => {
  const service = await startTestService(t)
  const simulator = await startChirpStack(t)
  const put = async () => {
    const body = simulator.account
    return (await service.call('PUT', url, { body })).body.data
  }
  const refusal = { code: status.PERMISSION_DENIED, message: 'integrations are not for you' }
  simulator.faults.refusals['/api.ApplicationService/CreateHttpIntegration'] = refusal
  const first = await put()
  assert.equal(first.status, 'connected')
  assert.match(first.message, /callback could not be entered .* not for you/)
  await addDevice(service, 1)
  const registered = await service.call('GET', '/v1/devices/00AA000000000001')
  assert.equal(registered.body.data.device_register_status, 'active')
  assert.equal((await service.call('GET', url)).body.data.message, first.message)
  simulator.faults.refusals = {}
  assert.equal((await put()).message, '')
})
