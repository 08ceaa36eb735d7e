import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { euiOf } from '../../../../test/fleet.ts'
import { until } from '../../../../test/until.ts'
import { startReceiver } from '../../../../test/webhook-receiver.ts'
import { startWebhookTest } from '../../../../test/webhooks.ts'

const service = await startWebhookTest({ after })
const { call, send, create, show, uplink } = service
beforeEach(service.removeAll)

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

test('holds on while the receiver is away, and sends all of it in order when it is back', async (t) => {
  const receiver = await startReceiver(t)
  const { id } = await create({ url: receiver.url })
  await receiver.goAway()
  for (let round = 0; round < 4; round += 1) for (const device of [1, 2, 3]) await uplink(device)
  for (const minutes of [0, 1, 1, 5, 10, 20]) await send(minutes)
  const { health } = await show(id)
  assert.equal(health.state, 'failing')
  assert.match(health.message, /could not be reached/)
  assert.equal(health.waiting, 12)
  assert.notEqual(health.oldest_waiting_at, null)
  await receiver.comeBack()
  await send(30)
  await send(1)
  assert.equal(receiver.received.length, 12)
  assert.equal(new Set(receiver.received.map(({ id: one }) => one)).size, 12)
  for (const device of [1, 2, 3]) {
    const ordinals = receiver.received
      .filter(({ body }) => body.data.device_id === euiOf(device))
      .map(({ body }) => body.data.ordinal)
    assert.deepEqual(
      ordinals,
      ordinals.toSorted((one, other) => one - other),
    )
  }
  const healed = (await show(id)).health
  assert.deepEqual([healed.state, healed.waiting, healed.failures], ['healthy', 0, 0])
})

test('is disabled after a day of failures, and goes on where it was', async (t) => {
  const receiver = await startReceiver(t)
  const { id } = await create({ url: receiver.url })
  receiver.answer((response) => response.writeHead(503).end('away'))
  for (let count = 0; count < 6; count += 1) await uplink(1 + (count % 3))
  for (let hour = 0; hour <= 25; hour += 1) await send(60)
  const { health } = await show(id)
  assert.deepEqual(
    [health.state, health.message],
    ['disabled', 'The receiver has failed for a day.'],
  )
  receiver.answer((response) => response.end())
  const before = receiver.received.length
  await send(60)
  assert.equal(receiver.received.length, before, 'nothing more is sent')
  await call('POST', `/v1/webhooks/${id}/resume`, { body: {} })
  await send()
  const delivered = receiver.received.slice(before)
  assert.equal(new Set(delivered.map(({ id: one }) => one)).size, 6)
  assert.equal((await show(id)).health.state, 'healthy')
})

test('gives an event up after a day, as a dead letter that can be tried again', async (t) => {
  const receiver = await startReceiver(t)
  const { id } = await create({ url: receiver.url })
  let isRefusing = true
  receiver.answer((response, { body }) => {
    const isBad = isRefusing && body.data.device_id === euiOf(1)
    response.writeHead(isBad ? 422 : 200).end(isBad ? 'no such device\u0000' : '')
  })
  await uplink(1)
  for (let hour = 0; hour <= 30; hour += 1) {
    await uplink(2)
    await send(60)
  }
  const { body: dead } = await call('GET', `/v1/webhooks/${id}/waiting?state=dead`)
  assert.equal(dead.data.length, 1)
  assert.equal(dead.data[0].device_id, euiOf(1))
  assert.equal(dead.data[0].message, '422: no such device')
  const { health } = await show(id)
  assert.deepEqual([health.state, health.waiting, health.dead_letters], ['healthy', 0, 1])
  isRefusing = false
  const url = `/v1/webhooks/${id}/waiting/${dead.data[0].id}`
  assert.equal((await call('POST', url)).status, 204)
  await send()
  assert.equal(receiver.received.at(-1)?.body.data.device_id, euiOf(1))
  assert.equal((await show(id)).health.dead_letters, 0)
  assert.equal((await call('POST', url)).status, 404)
})

test('gives no event up while the receiver fails as a whole', async (t) => {
  const receiver = await startReceiver(t)
  const { id } = await create({ url: receiver.url })
  let isAway = false
  let isRefusing = true
  receiver.answer((response, { body }) => {
    const isBad = isRefusing && body.data.device_id === euiOf(1)
    response.writeHead(isAway ? 500 : isBad ? 422 : 200).end()
  })
  await uplink(1)
  for (let hour = 0; hour < 20; hour += 1) {
    await uplink(2)
    await send(60)
  }
  isAway = true
  // The receiver fails for less than a day, the event for longer.
  await uplink(2)
  await uplink(3)
  const before = receiver.received.length
  for (let hour = 0; hour < 20; hour += 1) await send(60)
  const tried = receiver.received.slice(before).map(({ body }) => body.data.device_id)
  assert.ok(tried.includes(euiOf(1)))
  const { health } = await show(id)
  assert.deepEqual([health.state, health.dead_letters], ['failing', 0])
  isAway = false
  isRefusing = false
  for (let hour = 0; hour < 8; hour += 1) await send(60)
  const healed = (await show(id)).health
  assert.deepEqual([healed.state, healed.waiting, healed.dead_letters], ['healthy', 0, 0])
})

test('stops at 410, and does not follow redirects', async (t) => {
  const receiver = await startReceiver(t)
  const elsewhere = await startReceiver(t)
  const { id } = await create({ url: receiver.url })
  receiver.answer((response) => response.writeHead(302, { location: elsewhere.url }).end())
  await uplink(1)
  await send()
  const failing = (await show(id)).health
  assert.deepEqual(
    [failing.state, failing.message],
    ['failing', '302: Redirects are not followed.'],
  )
  receiver.answer((response) => response.writeHead(410).end())
  await send(10)
  const { health } = await show(id)
  assert.deepEqual([health.state, health.message], ['disabled', 'The receiver answered 410 Gone.'])
  assert.equal(elsewhere.received.length, 0)
})

test('pauses as long as the receiver asks, or a member does', async (t) => {
  const receiver = await startReceiver(t)
  const { id } = await create({ url: receiver.url })
  for (const [status, before] of [
    [429, 0],
    [503, 3],
  ] as const) {
    receiver.answer((response) => response.writeHead(status, { 'retry-after': '600' }).end())
    await uplink(1)
    await send()
    await uplink(2)
    await send(5)
    assert.equal(receiver.received.length, before + 1, `${status}`)
    receiver.answer((response) => response.end())
    await send(6)
    assert.equal(receiver.received.length, before + 3, `${status}`)
  }
  assert.equal((await call('POST', `/v1/webhooks/${id}/pause`)).body.data.health.state, 'paused')
  await uplink(1)
  await uplink(2)
  await send(1)
  assert.equal(receiver.received.length, 6)
  await call('POST', `/v1/webhooks/${id}/resume`, { body: { skip: true } })
  await uplink(3)
  await send()
  assert.equal(receiver.received.length, 7, 'what came meanwhile is skipped')
})

test('sends to the others while receivers are slow, drip or flood', {
  timeout: 60_000,
}, async (t) => {
  const slow = await startReceiver(t)
  slow.answer(() => undefined)
  const dripping = await startReceiver(t)
  dripping.answer((response) => {
    const timer = setInterval(() => response.write('x'), 100)
    response.on('close', () => clearInterval(timer))
  })
  const flooding = await startReceiver(t)
  flooding.answer((response) => {
    const piece = Buffer.alloc(65_536, 'x')
    const pour = () => {
      while (!response.destroyed && response.write(piece));
      response.once('drain', pour)
    }
    pour()
  })
  const good = await startReceiver(t)
  const bad = []
  for (const { url } of [slow, dripping, flooding]) bad.push(await create({ url }))
  await create({ url: good.url })
  await uplink(1)
  await uplink(2)
  const start = performance.now()
  const sending = send()
  await until(() => good.received.length === 2)
  const took = performance.now() - start
  assert.ok(took < 5_000, `${took} ms`)
  await sending
  assert.ok(performance.now() - start < 30_000, 'an attempt ends after 10 seconds')
  const { data } = (await call('GET', `/v1/webhooks/${bad[2].id}/deliveries`)).body
  assert.equal(data[0].delivered, true, 'the status tells that it came')
  assert.equal(data[0].answer.length, 200)
  const [waiting] = (await call('GET', `/v1/webhooks/${bad[0].id}/waiting`)).body.data
  assert.equal(waiting.message, 'There was no answer within 10 seconds.')
})
