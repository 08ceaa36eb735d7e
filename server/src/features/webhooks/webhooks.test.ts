import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { connectChirpStack, makeUp, post } from '../../../test/chirpstack-uplinks.ts'
import { addDevice, euiOf } from '../../../test/fleet.ts'
import { startTestService } from '../../../test/service.ts'
import { assertSigned, startReceiver } from '../../../test/webhook-receiver.ts'

const service = await startTestService({ after })
const { call, services, setClock } = service
const callback = await connectChirpStack(service)
for (const number of [1, 2, 3]) await addDevice(service, number)
const start = Date.parse('2026-03-01T12:00:00.000Z')
let passed = 0

/** Lets time pass, and sends what is due then. */
async function send(minutes = 0): Promise<void> {
  passed += minutes
  setClock(new Date(start + passed * 60_000))
  services.webhookSender.wake()
  await services.webhookSender.idle()
}

async function create(body: Record<string, unknown>) {
  const answer = await call('POST', '/v1/webhooks', {
    body: { name: 'Test', events: ['uplink'], ...body },
  })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.data
}

async function show(id: number) {
  return (await call('GET', `/v1/webhooks/${id}`)).body.data
}

async function uplink(device: number, hex = '100301'): Promise<void> {
  assert.equal((await post(service, callback, makeUp({ eui: euiOf(device), hex }))).status, 200)
}

beforeEach(async () => {
  for (const { id } of (await call('GET', '/v1/webhooks')).body.data) {
    await call('DELETE', `/v1/webhooks/${id}`)
  }
})

test('sends each uplink once, signed, as the lists show it', async (t) => {
  const receiver = await startReceiver(t)
  await uplink(1)
  const { secret, id } = await create({ url: receiver.url })
  await uplink(2)
  await send()
  await send()
  assert.equal(receiver.received.length, 1)
  const [message] = receiver.received
  assert.ok(message)
  assertSigned(message, secret)
  const { body: list } = await call('GET', '/v1/fleet/uplinks?limit=1')
  assert.deepEqual(message.body, {
    type: 'uplink',
    timestamp: list.data[0].received_at,
    data: list.data[0],
  })
  assert.equal(message.id, `uplink_1_${list.data[0].ordinal}`)
  const { health } = await show(id)
  assert.equal(health.state, 'healthy')
  assert.equal(health.waiting, 0)
  assert.equal(health.last_success_at, '2026-03-01T12:00:00.000000Z')
})

test('tries again with the same id, and keeps the order of a device', async (t) => {
  const receiver = await startReceiver(t)
  await create({ url: receiver.url })
  let isFailing = true
  receiver.answer((response, { body }) => {
    response.statusCode = isFailing && body.data.device_id === euiOf(1) ? 500 : 200
    response.end()
  })
  await uplink(1)
  await uplink(1)
  await uplink(2)
  await send()
  const idsOf = (device: number) =>
    receiver.received
      .filter(({ body }) => body.data.device_id === euiOf(device))
      .map(({ id }) => id)
  assert.equal(idsOf(1).length, 1, 'the second uplink waits behind the first')
  assert.equal(idsOf(2).length, 1, 'another device does not')
  isFailing = false
  await send(1)
  const [first, again, second] = idsOf(1)
  assert.equal(idsOf(1).length, 3)
  assert.equal(first, again)
  assert.notEqual(second, first)
  await send(60)
  assert.equal(receiver.received.length, 4)
})
