import assert from 'node:assert/strict'
import { connect, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { countSessions } from '../../../test/broker.ts'
import { login, readMessage, startFollowing } from '../../../test/broker-account.ts'
import { makeUp, toTestCallback } from '../../../test/chirpstack-uplinks.ts'
import type { TestService } from '../../../test/service.ts'
import { until } from '../../../test/until.ts'
import { createSubscriptions } from './subscriptions.ts'

/** As much as is promised, in milliseconds. */
const soon = 20_000

// shows 11.1.17
test('tells that the broker refuses the login, beside an API that works, until it is right', async (t) => {
  const { service, put } = await startFollowing(t)
  const wrong = await put({ mqtt_password: 'wrong' })
  assert.equal(wrong.status, 'connected')
  assert.match(wrong.message, /^The MQTT broker refused the login: Not authorized\.$/)
  assert.equal((await put()).message, '')
  assert.equal(await readMessage(service), '')
})

test('tells a login that is refused later, and when it is not any more', async (t) => {
  const { service, put, setting, rules } = await startFollowing(t)
  assert.equal((await put()).message, '')
  rules.isShut = true
  setting.cut()
  await until(async () => /refused the login/.test(await readMessage(service)))
  rules.isShut = false
  await until(async () => (await readMessage(service)) === '')
})

test('tells that the broker refuses the subscription', async (t) => {
  const { service, put, rules } = await startFollowing(t)
  rules.readable = ['application/another']
  rules.foreignTopics = 'refused'
  const { status, message } = await put()
  assert.equal(status, 'connected')
  assert.match(
    message,
    /^The MQTT broker refused the subscription to application\/.*\/event\/\+\.$/,
  )
  delete rules.readable
  await until(async () => (await readMessage(service)) === '')
})

test('tells that the broker closes the connection in place of an answer', async (t) => {
  const { put } = await startFollowing(t)
  const server = createServer((socket) => void socket.on('data', () => socket.destroy()))
  const { message } = await put({ mqtt_url: await listen(t, server) })
  assert.match(message, /closed the connection before it let the account in: the login may be/)
})

// shows 11.1.17, 11.1.18
test('tells within 20 s that a broker cannot be reached, does not answer, or answers no more', async (t) => {
  const { service, put, setting } = await startFollowing(t)
  const { status, message } = await put({ mqtt_url: 'mqtt://127.0.0.1:1' })
  assert.equal(status, 'connected')
  assert.match(message, /^The MQTT broker could not be reached: .*ECONNREFUSED/)

  const mute = await put({ mqtt_url: await listen(t, createServer()) })
  assert.equal(mute.message, 'The MQTT broker is not reached yet.')
  await until(async () => /does not answer/.test(await readMessage(service)), 'soon enough', soon)

  const { server, freeze } = startRelay(Number(new URL(setting.source.url).port))
  assert.equal((await put({ mqtt_url: await listen(t, server) })).message, '')
  freeze()
  await until(async () => /does not answer/.test(await readMessage(service)), 'soon enough', soon)
})

test('tells of a broker that lets the account in, and sends it nothing that it should', async (t) => {
  const { service, put, rules, publish } = await startFollowing(t)
  rules.readable = ['application/another']
  rules.foreignTopics = 'granted'
  const { callback, message } = await put()
  assert.equal(message, '')
  const start = service.services.now().getTime()
  for (let seconds = 5; seconds < 60; seconds += 5) {
    service.setClock(new Date(start + seconds * 1_000))
    await sendUp(service, callback, seconds)
    await service.services.subscriptions.refresh()
  }
  assert.match(await readMessage(service), /lets the account in, but sends nothing on application/)
  delete rules.readable
  await publish(100)
  await until(async () => (await readMessage(service)) === '')
})

test('takes a broker that sends what comes by the callback for a sound one', async (t) => {
  const { service, put, publish, setting } = await startFollowing(t)
  const { callback } = await put()
  const start = service.services.now().getTime()
  for (let seconds = 5; seconds < 120; seconds += 5) {
    service.setClock(new Date(start + seconds * 1_000))
    await sendUp(service, callback, seconds)
    await publish(seconds)
    await until(() => setting.acknowledged.includes(seconds))
    await service.services.subscriptions.refresh()
    assert.equal(await readMessage(service), '')
  }
})

test('tells that nothing which comes can be read, until something can', async (t) => {
  const { service, put, publish } = await startFollowing(t)
  await put()
  await publish(1, { body: { fCnt: 1, deviceInfo: 7 } })
  await until(async () => /can be read.*deviceInfo must be/.test(await readMessage(service)))
  await publish(2)
  await until(async () => (await readMessage(service)) === '')
})

test('gateways of kind other are as their broker is, which is all that there is of them', async (t) => {
  const { service, setting, rules } = await startFollowing(t)
  const path = '/v1/network-accounts/other'
  const show = async () => (await service.call('GET', path)).body.data
  const body = { mqtt_url: setting.source.url, ...login }
  rules.isShut = true
  const refused = (await service.call('PUT', path, { body })).body.data
  assert.deepEqual(
    [refused.status, refused.message],
    ['refused', 'The MQTT broker refused the login: Not authorized.'],
  )
  rules.isShut = false
  await until(async () => (await show()).status === 'connected')
  assert.equal((await show()).message, '')
  rules.isShut = true
  setting.cut()
  await until(async () => /refused the login/.test((await show()).message))
  assert.equal((await show()).status, 'refused')
})

// shows 11.1.18
test('answers when the subscription stands, whichever process follows the broker', async (t) => {
  const { service, put, publish, setting } = await startFollowing(t, {
    followsBrokers: false,
  })
  const other = createSubscriptions(service.services)
  other.start()
  // Its first look is over.
  await other.refresh()
  const { status, message } = await put()
  assert.deepEqual([status, message], ['connected', ''])
  assert.equal(await countSessions(setting.broker), 1)
  await publish(1)
  await until(() => setting.acknowledged.length === 1)
  await other.close()
})

/** As ChirpStack calls the callback. */
async function sendUp(
  service: TestService,
  callback: Parameters<typeof toTestCallback>[0],
  fCnt: number,
): Promise<void> {
  const { path, header, value } = toTestCallback(callback)
  const headers = { [header]: value }
  const answer = await service.call('POST', `${path}?event=up`, {
    ...{ as: null, headers, body: makeUp({ fCnt }) },
  })
  assert.equal(answer.status, 200, answer.text)
}

async function listen(t: TestContext, server: ReturnType<typeof createServer>): Promise<string> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket.on('error', () => {})))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  assert.ok(address && typeof address === 'object')
  return `mqtt://127.0.0.1:${address.port}`
}

/** Passes everything on to a port until it is frozen: from then on, nothing. */
function startRelay(port: number) {
  const pairs: Socket[] = []
  const server = createServer((socket) => {
    const onward = connect(port, '127.0.0.1')
    for (const side of [socket, onward]) side.on('error', () => {})
    socket.pipe(onward).pipe(socket)
    pairs.push(socket, onward)
  })
  const freeze = () => {
    for (const side of pairs) side.unpipe().pause()
  }
  return { server, freeze }
}
