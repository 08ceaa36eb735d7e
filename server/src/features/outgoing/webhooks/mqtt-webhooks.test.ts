import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { startBroker } from '../../../../test/broker.ts'
import { startTlsProxy, testCertificate, testKey } from '../../../../test/certificate.ts'
import { connectChirpStack, makeUp, post } from '../../../../test/chirpstack-uplinks.ts'
import { addDevice, euiOf } from '../../../../test/fleet.ts'
import { connack, startHostile } from '../../../../test/hostile-broker.ts'
import { foundOrganization } from '../../../../test/members.ts'
import { type Mosquitto, noMosquitto, startMosquitto } from '../../../../test/mosquitto.ts'
import { until } from '../../../../test/until.ts'
import { startWebhookTest } from '../../../../test/webhooks.ts'

const service = await startWebhookTest({ after })
const { call, send, create, show, uplink, event } = service
beforeEach(service.removeAll)

const login = { username: 'lora', password: 'secret' }
const textOf = (payload: unknown) => JSON.parse(String(payload))

test('publishes the events of a device in order, over an outage of the broker', {
  skip: noMosquitto,
}, async (t) => {
  const broker = await startMosquitto(t)
  const url = `mqtt://127.0.0.1:${broker.port}`
  const { id, mqtt } = await create({ url, events: ['uplink', 'join'], mqtt: login })
  assert.equal(mqtt.has_password, true)
  await event('join', 1)
  for (const device of [1, 2, 1]) await uplink(device)
  await send()
  assert.equal((await show(id)).health.state, 'healthy')
  await broker.receives(4)
  const topicOf = (device: number, kind: string) => `lora/1/${euiOf(device)}/${kind}`
  assert.deepEqual(
    broker.received.map(({ topic }) => topic).sort(),
    [topicOf(1, 'join'), topicOf(1, 'uplink'), topicOf(1, 'uplink'), topicOf(2, 'uplink')].sort(),
  )
  assert.equal(
    broker.received.find(({ topic }) => topic.includes(euiOf(1)))?.topic,
    topicOf(1, 'join'),
  )
  const { body: list } = await call('GET', '/v1/fleet/uplinks?limit=1')
  const last = broker.received.filter(({ topic }) => topic === topicOf(1, 'uplink')).at(-1)
  assert.ok(last)
  assert.deepEqual(textOf(last.payload).data, list.data[0])
  assert.equal(last.properties?.userProperties?.['webhook-id'], `uplink_1_${list.data[0].ordinal}`)
  assert.equal(last.properties?.contentType, 'application/json')
  assert.equal(last.retain, false)

  await broker.goAway()
  for (const device of [1, 2, 3, 1, 2, 3, 1, 2]) await uplink(device)
  await send()
  await send(1)
  const away = (await show(id)).health
  assert.equal(away.state, 'failing')
  assert.match(away.message, /The MQTT broker/)
  assert.equal(away.waiting, 8)
  await broker.comeBack()
  for (let minute = 0; minute < 5; minute += 1) await send(10)
  const { health } = await show(id)
  assert.deepEqual([health.state, health.waiting], ['healthy', 0])
  await broker.receives(12)
  checkOrder(broker, 11)
})

/** Every uplink came once, and those of a device in order. */
function checkOrder({ received }: Mosquitto, count: number) {
  const uplinks = received
    .map(({ payload }) => textOf(payload))
    .filter(({ type }) => type === 'uplink')
  const ordinals = uplinks.map(({ data }) => data.ordinal)
  assert.equal(new Set(ordinals).size, count)
  for (const device of [1, 2, 3]) {
    const own = uplinks.filter(({ data }) => data.device_id === euiOf(device))
    const order = own.map(({ data }) => data.ordinal)
    assert.deepEqual(
      order,
      [...order].sort((one, other) => one - other),
    )
  }
}

test('publishes over TLS and WebSockets, and keeps the last message where it should', {
  skip: noMosquitto,
}, async (t) => {
  const broker = await startMosquitto(t)
  const tls = await startTlsProxy(t, broker.port)
  const topic = 'site/{network}/{type}/{device_name}/{event}'
  const mqtt = { ...login, topic, retain: true }
  await create({
    url: `mqtts://127.0.0.1:${tls}`,
    mqtt: { ...mqtt, ca_certificate: testCertificate },
  })
  await create({ url: `ws://127.0.0.1:${broker.webSocketPort}/mqtt`, mqtt: login })
  const unknown = await create({ url: `mqtts://127.0.0.1:${tls}`, mqtt })
  const device = await call('PATCH', `/v1/devices/${euiOf(3)}`, {
    body: { device_name: 'a/+#$ b' },
  })
  assert.equal(device.status, 200, device.text)
  await uplink(3)
  await send()
  await broker.receives(2)
  assert.deepEqual(
    broker.received.map((packet) => packet.topic).sort(),
    [`lora/1/${euiOf(3)}/uplink`, 'site/chirpstack/16/a%2F%2B%23%24 b/uplink'].sort(),
  )
  assert.deepEqual(
    (await broker.retained()).map((packet) => packet.topic),
    ['site/chirpstack/16/a%2F%2B%23%24 b/uplink'],
  )
  assert.match((await show(unknown.id)).health.message, /certificate/)
})

test('publishes to a broker that asks for a client certificate, over TLS and WebSockets', {
  skip: noMosquitto,
}, async (t) => {
  const broker = await startMosquitto(t)
  const ca = { ...login, ca_certificate: testCertificate }
  const certified = { ...ca, client_certificate: testCertificate, client_key: testKey }
  const urls = [
    `mqtts://127.0.0.1:${broker.tlsPort}`,
    `wss://127.0.0.1:${broker.secureWebSocketPort}/mqtt`,
  ]
  for (const [index, url] of urls.entries()) {
    const { id } = await create({ name: url, url, mqtt: certified })
    const press = async () => (await call('POST', `/v1/webhooks/${id}/test`)).body.data
    const taken = await press()
    assert.deepEqual([taken.delivered, taken.status], [true, 0], `${url}: ${taken.answer}`)
    await broker.receives(2 * index + 1)
    await uplink(1)
    await send()
    await broker.receives(2 * index + 2)
    assert.equal((await show(id)).health.state, 'healthy')
    await call('DELETE', `/v1/webhooks/${id}`)

    const bare = await create({ name: url, url, mqtt: ca })
    const refused = (await call('POST', `/v1/webhooks/${bare.id}/test`)).body.data
    assert.equal(refused.delivered, false, url)
    assert.match(refused.answer, /certificate|closed the connection|ECONNRESET|hang up/i, url)
    const { id: unknown } = await create({ name: url, url, mqtt: login })
    const distrusted = (await call('POST', `/v1/webhooks/${unknown}/test`)).body.data
    assert.match(distrusted.answer, /self-signed certificate/, url)
    for (const each of [bare.id, unknown]) await call('DELETE', `/v1/webhooks/${each}`)
  }
  assert.equal(broker.received.length, 4)
})

test('the test button tells whether the broker took the message', {
  skip: noMosquitto,
}, async (t) => {
  const broker = await startMosquitto(t)
  const url = `mqtt://127.0.0.1:${broker.port}`
  const { id } = await create({ url, mqtt: login })
  const press = async () => (await call('POST', `/v1/webhooks/${id}/test`)).body.data
  const taken = await press()
  assert.deepEqual([taken.delivered, taken.status, taken.answer], [true, 0, null])
  await broker.receives(1)
  assert.equal(broker.received[0]?.topic, 'lora/1/-/test')
  assert.equal(textOf(broker.received[0]?.payload).type, 'test')
  const change = (mqtt: object) => call('PATCH', `/v1/webhooks/${id}`, { body: { mqtt } })
  await change({ topic: 'denied/{event}' })
  const denied = await press()
  assert.deepEqual([denied.delivered, denied.status], [false, 135])
  assert.equal(denied.answer, 'Not authorized')
  await change({ password: 'wrong' })
  const refused = await press()
  assert.deepEqual([refused.delivered, refused.status], [false, null])
  assert.match(refused.answer, /refused the login: Not authorized/)
})

test('speaks MQTT 3.1.1 with a broker that knows nothing else', async (t) => {
  const { broker, source } = await startBroker(t)
  const published: string[] = []
  broker.on('publish', (packet, client) => {
    if (client) published.push(packet.topic)
  })
  const { id } = await create({ url: source.url })
  await uplink(1)
  await send()
  assert.deepEqual(published, [`lora/1/${euiOf(1)}/uplink`])
  assert.equal((await show(id)).health.state, 'healthy')
})

test('refuses settings that cannot work, and shows no secrets', async () => {
  const url = 'mqtts://broker.example.test'
  const refused = async (body: Record<string, unknown>) => {
    const answer = await call('POST', '/v1/webhooks', {
      body: { name: 'x', events: ['uplink'], url, ...body },
    })
    assert.equal(answer.status, 422, answer.text)
    return Object.keys(answer.body.errors)
  }
  const topics = ['', 'a//b', '/a', 'a/', 'a/+', 'a/#', '$SYS/a', 'a/{b}', 'a/{device', 'a\u0001']
  for (const topic of topics.slice(1)) {
    assert.deepEqual(await refused({ mqtt: { topic } }), ['mqtt.topic'], topic)
  }
  assert.deepEqual(await refused({ mqtt: { topic: 'x'.repeat(201) } }), ['mqtt.topic'])
  assert.deepEqual(await refused({ mqtt: { topic: `${'x/'.repeat(17)}x` } }), ['mqtt.topic'])
  assert.deepEqual(await refused({ mqtt: { password: 'x' } }), ['mqtt.username'])
  assert.deepEqual(await refused({ mqtt: { ca_certificate: 'x' } }), ['mqtt.ca_certificate'])
  assert.deepEqual(
    await refused({ mqtt: { client_certificate: testCertificate, client_key: 'x' } }),
    ['mqtt.client_key'],
  )
  assert.deepEqual(await refused({ mqtt: login, url: 'https://hooks.example.test' }), ['mqtt'])
  assert.deepEqual(await refused({ url: 'mqtts://user:pass@broker.example.test' }), ['url'])
  assert.deepEqual(await refused({ url: 'mqtt://169.254.169.254' }), ['url'])
  assert.deepEqual(await refused({ url: 'mqtt://broker.example.com' }), ['url'], 'without TLS')

  const made = await call('POST', '/v1/webhooks', {
    body: { name: 'x', events: ['uplink'], url, mqtt: { username: 'a', password: 'hidden one' } },
  })
  assert.ok(!made.text.includes('hidden one'))
  const path = `/v1/webhooks/${made.body.data.id}`
  const change = async (body: Record<string, unknown>) =>
    (await call('PATCH', path, { body })).body.data.mqtt
  assert.equal((await change({ mqtt: { retain: true } })).has_password, true)
  assert.equal((await change({ url: 'mqtts://other.example.test' })).has_password, false)
  assert.equal((await change({ mqtt: { username: null } })).username, null)
  assert.equal(await change({ url: 'https://hooks.example.test' }), null)
})

test('brokers that are silent, hostile or small delay no other organization', async (t) => {
  const neighbour = await foundOrganization(service, 'neighbour@example.test')
  const callback = await connectChirpStack(service, { as: neighbour })
  await addDevice(service, 9, {}, neighbour)
  const good = await startBroker(t)
  let goodCount = 0
  good.broker.on('publish', (_packet, client) => {
    if (client) goodCount += 1
  })
  const flood = Buffer.alloc(200_000, Buffer.from([0xd0, 0]))
  const unasked = Buffer.from([0x30, 6, 0, 1, 0x61, 0, 0x62, 0x62])
  const huge = Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f])
  const hang = Buffer.alloc(0)
  const cases: [what: string, answers: Buffer[], message: RegExp][] = [
    ['no CONNACK', [], /does not answer/],
    ['no PUBACK', [connack()], /no answer within 10 seconds/],
    ['floods', [Buffer.concat([connack(), flood])], /more than answers/],
    ['sends messages', [Buffer.concat([connack(), unasked])], /nobody asked for/],
    ['sends too much', [Buffer.concat([connack(), huge])], /too large/],
    ['takes little', [connack(0x27, 0, 0, 0, 200)], /takes 200 bytes/],
    ['takes no QoS 1', [connack(0x24, 0)], /takes no QoS 1/],
    ['hangs up', [connack(), hang], /closed the connection/],
    ['hangs up at once', [hang], /closed the connection/],
    ['speaks nonsense', [Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')], /broker|answer/],
  ]
  const made = []
  for (const [what, answers, message] of cases) {
    const { url, seen } = await startHostile({ after }, answers)
    const { id } = await create({ name: what, url })
    made.push({ what, id, message, seen })
  }
  await call('POST', '/v1/webhooks', {
    as: neighbour,
    body: { name: 'Good', url: good.source.url, events: ['uplink'] },
  })
  for (const device of [1, 2, 3, 1, 2, 3]) await uplink(device)
  await post(service, callback, makeUp({ eui: euiOf(9) }))
  const start = performance.now()
  const sent = send()
  await until(() => goodCount === 1, 'the other broker has it', 4_000)
  await sent
  assert.ok(performance.now() - start < 25_000, 'each attempt ends')
  for (const { what, id, message, seen } of made) {
    const { health } = await show(id)
    assert.equal(health.state, 'failing', what)
    assert.match(health.message, message, what)
    assert.ok(health.waiting >= 6, what)
    assert.ok(seen.connections <= 2, `${what}: ${seen.connections} connections`)
  }
})
