import assert from 'node:assert/strict'
import { test } from 'node:test'
import { status } from '@grpc/grpc-js'
import { toAccount } from '../../../test/connections/chirpstack.ts'
import { startSimulator } from '../../../test/network.ts'
import { startTestService } from '../../../test/service.ts'

const url = '/v1/network-accounts/chirpstack'

test('the words about the callback stay while the API works, until it is entered', async (t) => {
  const service = await startTestService(t)
  const simulator = await startSimulator(t)
  const put = async () => {
    const body = toAccount(simulator)
    return (await service.call('PUT', url, { body })).body.data
  }
  const refusal = { code: status.PERMISSION_DENIED, message: 'integrations are not for you' }
  simulator.faults.refusals['/api.ApplicationService/CreateHttpIntegration'] = refusal
  const first = await put()
  assert.equal(first.status, 'connected')
  assert.match(first.message, /callback could not be entered .* not for you/)
  const device = {
    ...{ network: 10, deviceName: 'Meadow gate', deviceId: '00AA000000000001' },
    ...{ deviceKey: '00112233445566778899AABBCCDDEEFF', deviceType: 16 },
    ...{ registerMethod: 'user_account', action: 'confirm' },
  }
  assert.equal((await service.call('POST', '/v1/devices', { body: device })).status, 200)
  const registered = await service.call('GET', '/v1/devices/00AA000000000001')
  assert.equal(registered.body.data.device_register_status, 'active')
  assert.equal((await service.call('GET', url)).body.data.message, first.message)
  simulator.faults.refusals = {}
  assert.equal((await put()).message, '')
})
