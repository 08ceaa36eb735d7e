import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { applicationId, startBroker } from '../../networks/mqtt/test-broker.ts'
import { startTestService, type TestService } from '../../test-service.ts'
import { createSubscriptions } from './subscriptions.ts'

const account = {
  server: 'http://127.0.0.1:1',
  api_key: 'key',
  tenant_id: '52f14cd4-c6f1-4fbd-8f87-4025e1d49242',
  application_id: applicationId,
  device_profile_id: '14855bf7-d10d-4aee-b618-ebfcb64dc7ad',
}

async function startWithBroker(t: TestContext) {
  const service = await startTestService(t)
  const broker = await startBroker(t)
  const body = { ...account, mqtt_url: broker.source.url }
  const answer = await service.call('PUT', '/v1/network-accounts/chirpstack', { body })
  assert.equal(answer.status, 200, answer.text)
  const device = {
    network: 10,
    deviceName: 'Meadow gate',
    deviceId: '0101010101010101',
    deviceKey: '00112233445566778899AABBCCDDEEFF',
    deviceType: 16,
    registerMethod: 'user_account',
    consoleOnly: true,
    action: 'confirm',
  }
  assert.equal((await service.call('POST', '/v1/devices', { body: device })).status, 200)
  return { service, broker }
}

async function total(service: TestService): Promise<number> {
  const { body } = await service.call('GET', '/v1/devices/all/uplink')
  return body.meta.total
}

async function until(isTrue: () => boolean | Promise<boolean>) {
  const end = Date.now() + 10_000
  while (!(await isTrue())) {
    assert.ok(Date.now() < end, 'it did not happen within 10 s')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

test('stores what the broker of an account delivers, once, and acknowledges it', async (t) => {
  const { service, broker } = await startWithBroker(t)
  const subscribed = new Promise((resolve) => broker.broker.once('subscribe', resolve))
  await service.services.subscriptions.refresh()
  await subscribed
  await broker.publish(1)
  await until(() => broker.acknowledged.length === 1)
  assert.equal(await total(service), 1)
  await broker.publish(1)
  await until(() => broker.acknowledged.length === 2)
  assert.equal(await total(service), 1)
})

test('follows a broker in one process at a time, and in another when that one is gone', async (t) => {
  const { service, broker } = await startWithBroker(t)
  let subscribers = 0
  broker.broker.on('subscribe', () => {
    subscribers += 1
  })
  const second = createSubscriptions(service.services)
  await service.services.subscriptions.refresh()
  await until(() => subscribers === 1)
  await second.refresh()
  await service.services.subscriptions.refresh()
  assert.equal(subscribers, 1)
  await service.services.subscriptions.close()
  await second.refresh()
  await until(() => subscribers === 2)
  await second.close()
})

test('ends a subscription when the account names no broker any more', async (t) => {
  const { service, broker } = await startWithBroker(t)
  await service.services.subscriptions.refresh()
  await until(() => broker.broker.connectedClients === 1)
  await service.call('PUT', '/v1/network-accounts/chirpstack', { body: account })
  await service.services.subscriptions.refresh()
  await until(() => broker.broker.connectedClients === 0)
})
