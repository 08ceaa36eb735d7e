import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectChirpStack, makeUp, post } from '../../../../test/chirpstack-uplinks.ts'
import { addDevice, euiOf } from '../../../../test/fleet.ts'
import { foundOrganization } from '../../../../test/members.ts'
import { until } from '../../../../test/until.ts'
import { startReceiver } from '../../../../test/webhook-receiver.ts'
import { startWebhookTest } from '../../../../test/webhooks.ts'

/** More than an organization, or its tenant, may send by at once. */
const slowWebhooks = 12

test('an organization whose receivers never answer does not delay another', {
  timeout: 120_000,
}, async (t) => {
  const service = await startWebhookTest(t)
  const slow = await startReceiver(t)
  slow.answer(() => undefined)
  for (let count = 0; count < slowWebhooks; count += 1) await service.create({ url: slow.url })
  const neighbour = await foundOrganization(service, 'neighbour@example.test')
  const good = await startReceiver(t)
  const callback = await connectChirpStack(service, { as: neighbour })
  await addDevice(service, 9, {}, neighbour)
  const made = await service.call('POST', '/v1/webhooks', {
    as: neighbour,
    body: { name: 'Good', url: good.url, events: ['uplink'] },
  })
  assert.equal(made.status, 201)

  for (const device of [1, 2, 3]) await service.uplink(device)
  service.services.webhookSender.wake()
  await until(() => slow.received.length > 0)
  for (let count = 1; count <= 20; count += 1) {
    const start = performance.now()
    await post(service, callback, makeUp({ eui: euiOf(9) }))
    service.services.webhookSender.wake()
    await until(() => good.received.length === count)
    assert.ok(performance.now() - start < 5_000, 'it is sent while the others hang')
  }
  const hung = new Set(slow.received.map(({ socket }) => socket)).size
  assert.ok(hung <= 4 * 3, `${hung} requests hang, of 4 webhooks with 3 devices`)
})
