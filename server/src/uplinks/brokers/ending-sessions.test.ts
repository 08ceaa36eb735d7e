import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { countSessions, startBroker } from '../../../test/broker.ts'
import { accountPath, login, startFollowing } from '../../../test/broker-account.ts'
import { findFreePort } from '../../../test/port.ts'
import type { TestService } from '../../../test/service.ts'
import { until } from '../../../test/until.ts'

/** As much as is promised, in milliseconds. */
const soon = 20_000

type Setting = Awaited<ReturnType<typeof startBroker>>

async function hasSessions({ broker }: Setting, count: number): Promise<void> {
  await until(async () => (await countSessions(broker)) === count, 'soon enough', soon)
}

// shows 11.1.19
test('ends the session at the broker when the account names none any more', async (t) => {
  const { put, setting } = await startFollowing(t)
  await put()
  assert.equal(await countSessions(setting.broker), 1)
  await put({ mqtt_url: null, mqtt_username: null, mqtt_password: null })
  await hasSessions(setting, 0)
  await until(() => setting.broker.connectedClients === 0, 'soon enough', soon)
})

test('ends the session at the broker when the account is deleted', async (t) => {
  const { service, put, setting } = await startFollowing(t)
  await put()
  assert.equal(await countSessions(setting.broker), 1)
  assert.equal((await service.call('DELETE', accountPath)).status, 204)
  await hasSessions(setting, 0)
  await put()
  await hasSessions(setting, 1)
})

test('ends the session at a broker that another one takes the place of', async (t) => {
  const { put, setting } = await startFollowing(t)
  const other = await startBroker(t)
  await put()
  await put({ mqtt_url: other.source.url })
  assert.equal(await countSessions(other.broker), 1)
  await hasSessions(setting, 0)
})

test('keeps one session, only of the new topic or user', async (t) => {
  const { simulator, put, setting, rules } = await startFollowing(t)
  await put()
  const another = '00000000-0000-4000-a000-0000000000aa'
  const { applicationId } = simulator
  const countBoth = () => Promise.all([countOn(setting, applicationId), countOn(setting, another)])
  await put({ application_id: another })
  await until(async () => (await countBoth()).join() === '0,1', 'soon enough', soon)
  rules.logins = { ...rules.logins, second: 'another pass phrase' }
  await put({ mqtt_username: 'second', mqtt_password: 'another pass phrase' })
  await until(async () => (await countBoth()).join() === '1,0', 'soon enough', soon)
  await hasSessions(setting, 1)
})

test('keeps the session where nothing changes that decides it', async (t) => {
  const { put, setting, publish, rules } = await startFollowing(t)
  await put()
  rules.logins = { [login.mqtt_username]: 'a new pass phrase' }
  setting.cut()
  await until(() => setting.broker.connectedClients === 0, 'soon enough', soon)
  // Kept in the session, for the client that comes with the new password.
  await publish(1)
  assert.equal((await put({ mqtt_password: 'a new pass phrase' })).message, '')
  await until(() => setting.acknowledged.length === 1, 'soon enough', soon)
  assert.equal(await countSessions(setting.broker), 1)
})

// shows 11.1.19
test('tries again at a broker that is away, with secrets sealed, and gives up after a day', async (t) => {
  const { service, put, lines } = await startFollowing(t)
  const port = await findFreePort()
  const away = `mqtt://127.0.0.1:${port}`
  await put({ mqtt_url: away })
  await put()
  const [waiting] = await listEndings(service)
  assert.ok(waiting && !waiting.sealed_values.includes(login.mqtt_password))
  await until(async () => (await listEndings(service))[0]?.tries === 2, 'soon enough', soon)

  let clients = 0
  const back = createServer((socket) => {
    clients += 1
    // CONNECT with a clean session (MQTT 3.1.1, section 3.1.2.3), and CONNACK.
    socket
      .on('error', () => {})
      .once('data', (packet: Buffer) => {
        assert.equal((packet[9] ?? 0) & 2, 2)
        socket.write(Buffer.from([0x20, 2, 0, 0]))
      })
  })
  await new Promise<void>((resolve) => void back.listen(port, '127.0.0.1', resolve))
  t.after(() => void back.close())
  await until(async () => (await listEndings(service)).length === 0, 'soon enough', soon)
  assert.equal(clients, 1)

  await put({ mqtt_url: 'mqtt://127.0.0.1:1' })
  await put()
  await service.services.db.query(
    `update ending_broker_sessions set created_at = now() - interval '25 hours', next_try_at = now()`,
  )
  await until(async () => (await listEndings(service)).length === 0, 'soon enough', soon)
  assert.ok(lines.some((line) => /session at an MQTT broker is left there/.test(line)))
  assert.ok(!lines.join().includes(login.mqtt_password))
})

test('keeps a bounded number of sessions that wait to be ended', async (t) => {
  const { service, put } = await startFollowing(t, { followsBrokers: false })
  for (let port = 1; port <= 23; port += 1) await put({ mqtt_url: `mqtt://127.0.0.1:${port}` })
  assert.equal((await listEndings(service)).length, 20)
})

function listEndings({ services }: TestService) {
  return services.db.query<{ tries: number; sealed_values: Buffer }>(
    'select tries, sealed_values from ending_broker_sessions',
  )
}

/** Sessions for which the broker keeps what an application publishes. */
async function countOn({ broker }: Setting, applicationId: string): Promise<number> {
  const { persistence } = broker as unknown as {
    persistence: { subscriptionsByTopic(topic: string): Promise<unknown[]> }
  }
  const topic = `application/${applicationId}/device/0101010101010101/event/up`
  return (await persistence.subscriptionsByTopic(topic)).length
}
