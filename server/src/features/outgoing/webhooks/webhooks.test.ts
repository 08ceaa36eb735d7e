import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { addDevice, euiOf } from '../../../../test/fleet.ts'
import { assertSigned, startReceiver } from '../../../../test/webhook-receiver.ts'
import { startWebhookTest } from '../../../../test/webhooks.ts'
import { removeOldDeliveries } from './retention.ts'

const service = await startWebhookTest({ after })
const { call, send, create, show, uplink, event, services } = service
beforeEach(service.removeAll)

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

test('the test button tells what the receiver said', async (t) => {
  const receiver = await startReceiver(t)
  const { id, secret } = await create({ url: receiver.url })
  receiver.answer((response) => response.end('thank you'))
  const { body } = await call('POST', `/v1/webhooks/${id}/test`)
  assert.deepEqual(
    { ...body.data, duration_ms: 0 },
    {
      delivered: true,
      status: 200,
      duration_ms: 0,
      answer: 'thank you',
    },
  )
  const [message] = receiver.received
  assert.ok(message)
  assertSigned(message, secret)
  assert.equal(message.body.type, 'test')
  await receiver.goAway()
  const failed = (await call('POST', `/v1/webhooks/${id}/test`)).body.data
  assert.deepEqual([failed.delivered, failed.status], [false, null])
  const list = (await call('GET', `/v1/webhooks/${id}/deliveries`)).body.data
  assert.deepEqual(
    list.map((one: { type: string; delivered: boolean }) => [one.type, one.delivered]),
    [
      ['test', false],
      ['test', true],
    ],
  )
})

test('signs with both secrets for a while', async (t) => {
  const receiver = await startReceiver(t)
  const { id, secret: former } = await create({ url: receiver.url })
  const { body } = await call('POST', `/v1/webhooks/${id}/rotate`, { body: { overlap_hours: 1 } })
  const { secret } = body.data
  assert.notEqual(secret, former)
  await uplink(1)
  await send()
  await uplink(1)
  await send(61)
  const [both, one] = receiver.received
  assert.ok(both && one)
  for (const each of [secret, former]) assertSigned(both, each)
  assertSigned(one, secret)
  assert.throws(() => assertSigned(one, former))
})

test('replays the uplinks of a time with the ids that they had', async (t) => {
  const receiver = await startReceiver(t)
  const from = await databaseTime()
  for (const device of [1, 2, 1]) await uplink(device)
  const to = await databaseTime()
  await uplink(3)
  const { id } = await create({ url: receiver.url })
  const replay = () => call('POST', `/v1/webhooks/${id}/replay`, { body: { from, to } })
  await call('POST', `/v1/webhooks/${id}/pause`)
  const first = await replay()
  assert.equal(first.status, 202)
  assert.deepEqual(first.body.data, { uplinks: 3, others: 0 })
  assert.equal((await replay()).status, 409)
  await call('POST', `/v1/webhooks/${id}/resume`)
  await send()
  assert.equal((await replay()).status, 202)
  await send()
  const ids = receiver.received.map(({ id: one }) => one)
  assert.equal(ids.length, 6)
  assert.deepEqual(ids.slice(0, 3).sort(), ids.slice(3).sort())
  const wrong = await call('POST', `/v1/webhooks/${id}/replay`, { body: {} })
  assert.equal(wrong.status, 422)
})

async function databaseTime(): Promise<string> {
  const rows = await services.db.query<{ now: string }>(
    `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as now`,
  )
  return rows[0]?.now ?? ''
}

test('filters by group with its subtree, by type, by network and by tag', async (t) => {
  const above = await call('POST', '/v1/device-groups', { body: { groupName: 'Above' } })
  const below = await call('POST', '/v1/device-groups', {
    body: { groupName: 'Below', selectedGroup: above.body.data.id },
  })
  const { body: device } = await call('GET', `/v1/devices/${euiOf(2)}`)
  await call('POST', `/v1/fleet/groups/${below.body.data.id}/devices`, {
    body: { add: [device.data?.id ?? device.id], remove: [] },
  })
  const inGroup = await startReceiver(t)
  const ofType = await startReceiver(t)
  const atOther = await startReceiver(t)
  const tagged = await startReceiver(t)
  await call('PATCH', `/v1/devices/${euiOf(3)}`, { body: { tags: { floor: '2' } } })
  await create({ url: tagged.url, tag: 'floor:2' })
  const { id } = await create({ url: inGroup.url, group: above.body.data.id })
  await create({ url: ofType.url, type: 16, network: 'chirpstack' })
  await create({ url: atOther.url, network: 'loriot' })
  for (const number of [1, 2, 3]) await uplink(number)
  await send()
  assert.deepEqual(
    inGroup.received.map(({ body }) => body.data.device_id),
    [euiOf(2)],
  )
  assert.deepEqual(
    tagged.received.map(({ body }) => [body.data.device_id, body.data.tags]),
    [[euiOf(3), { floor: '2' }]],
  )
  assert.equal(ofType.received.length, 3)
  assert.equal(atOther.received.length, 0)
  assert.equal((await show(id)).health.waiting, 0)
})

test('refuses what cannot be sent to', async () => {
  const refused = async (body: Record<string, unknown>) => {
    const answer = await call('POST', '/v1/webhooks', {
      body: { name: 'x', events: ['uplink'], ...body },
    })
    assert.equal(answer.status, 422, answer.text)
    return answer.body.errors
  }
  assert.ok((await refused({ url: 'nonsense' })).url)
  assert.ok((await refused({ url: 'ftp://hooks.example.test' })).url)
  assert.ok((await refused({ url: 'https://user:pass@hooks.example.test' })).url)
  assert.ok((await refused({ url: 'http://169.254.169.254/latest' })).url)
  assert.ok((await refused({ url: 'http://hooks.example.com/' })).url, 'without TLS')
  const url = 'https://hooks.example.test'
  assert.ok((await refused({ url, events: [] })).events)
  assert.ok((await refused({ url, group: 999_999 })).group)
  assert.ok((await refused({ url, type: 999_999 })).type)
  assert.ok((await refused({ url, network: 'none' })).network)
})

test('tells of joins, states, downlinks and registrations, in the order of a device', async (t) => {
  const receiver = await startReceiver(t)
  const events = ['uplink', 'join', 'downlink', 'device_state', 'registration']
  const { id } = await create({ url: receiver.url, events })
  await addDevice(service, 4, { tags: { floor: '4' } })
  await event('join', 4)
  await uplink(4)
  await event('status', 4)
  const config_field = { islorawan: 1, config_type: 'general', supervisory_period: 129 }
  await call('POST', `/v1/devices/${euiOf(4)}/configure`, { body: { config_field } })
  await call('DELETE', `/v1/devices/${euiOf(4)}/configure/cancel`)
  await call('DELETE', `/v1/devices/${euiOf(4)}`)
  await send()
  const told = receiver.received.map(({ body }) => [
    body.type,
    body.data.status ?? body.data.event_name ?? null,
  ])
  assert.deepEqual(told, [
    ['registration', 'pending'],
    ['join', null],
    ['uplink', null],
    ['device_state', null],
    ['downlink', 'event_created'],
    ['downlink', 'event_cancelled'],
    ['registration', 'deleted'],
  ])
  const status = receiver.received.find(({ body }) => body.type === 'device_state')?.body
  assert.equal(status.data.device_id, euiOf(4))
  assert.deepEqual([status.data.device_name, status.data.tags], ['Device 4', { floor: '4' }])
  assert.equal(typeof status.data.details, 'object')
  const before = receiver.received.length
  const range = { from: '2020-01-01', to: '2100-01-01T00:00:00Z' }
  const { body } = await call('POST', `/v1/webhooks/${id}/replay`, { body: range })
  assert.equal(body.data.others, 6)
  await send()
  const ids = receiver.received.map(({ id: one }) => one)
  assert.equal(new Set(ids.slice(0, before)).size, 7)
  const others = new Set(ids.slice(0, before).filter((one) => !one.startsWith('uplink')))
  assert.deepEqual(new Set(ids.slice(before)).intersection(others), others)
})

test('lists the deliveries of an uplink in its client_api_log', async (t) => {
  const receiver = await startReceiver(t)
  const { id } = await create({ url: receiver.url })
  receiver.answer((response) => response.writeHead(500).end())
  await uplink(1)
  await send()
  receiver.answer((response) => response.writeHead(204).end())
  await send(1)
  for (const url of [`/v1/devices/${euiOf(1)}/uplink`, '/v1/devices/all/uplink']) {
    const [newest] = (await call('GET', url)).body.data
    const log = newest.client_api_log.map((entry: Record<string, unknown>) => ({
      ...entry,
      duration_ms: 0,
    }))
    const { at } = log[0]
    assert.match(at, /^2026-03-01T\d\d:\d\d:00.000000Z$/)
    assert.deepEqual(
      log.map((entry: { at: string }) => ({ ...entry, at: '' })),
      [
        { webhook_id: id, at: '', delivered: false, status: 500, duration_ms: 0 },
        { webhook_id: id, at: '', delivered: true, status: 204, duration_ms: 0 },
      ],
    )
  }
})

test('keeps attempts and events for 30 days', async (t) => {
  const receiver = await startReceiver(t)
  const { id } = await create({ url: receiver.url })
  const listed = async () => (await call('GET', `/v1/webhooks/${id}/deliveries`)).body.data.length
  await call('POST', `/v1/webhooks/${id}/test`)
  await removeOldDeliveries(services)
  assert.equal(await listed(), 1)
  const later = new Date(services.now().getTime() + 31 * 24 * 60 * 60 * 1000)
  await removeOldDeliveries({ ...services, now: () => later })
  assert.equal(await listed(), 0)
})
