import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { startTlsProxy, testCertificate } from '../../../../test/certificate.ts'
import { foundOrganization } from '../../../../test/members.ts'
import { type Login, startTestService } from '../../../../test/service.ts'
import { startSyslogServer } from '../../../../test/syslog-server.ts'
import { until } from '../../../../test/until.ts'
import { startReceiver } from '../../../../test/webhook-receiver.ts'
import { chainActivities } from './chain-activities.ts'
import type { SyslogTarget } from './syslog-target.ts'
import { tellSyslog } from './tell-syslog.ts'

const service = await startTestService({ after })
const { services } = service

async function createGroups(as: Login, ...names: string[]) {
  for (const groupName of names) {
    const { status } = await service.call('POST', '/v1/device-groups', { as, body: { groupName } })
    assert.equal(status, 200)
  }
  await chainActivities(services)
}

const linesOf = async (as: Login) =>
  (await service.call('GET', '/v1/fleet/activity/lines', { as })).text.trimEnd().split('\n')

// shows 11.8.8
test('webhooks of the type get each record as it is exported', async (t) => {
  const receiver = await startReceiver(t)
  const as = await foundOrganization(service, 'webhook@example.test')
  const hook = { url: receiver.url, events: ['audit'] }
  for (const body of [
    { ...hook, name: 'All' },
    { ...hook, name: 'One network', network: 'chirpstack' },
  ]) {
    assert.equal((await service.call('POST', '/v1/webhooks', { as, body })).status, 201)
  }
  await createGroups(as, 'A', 'B')
  services.webhookSender.wake()
  await services.webhookSender.idle()
  const records = (await linesOf(as)).map((line) => JSON.parse(line))
  assert.equal(records.length, 4)
  assert.deepEqual(
    receiver.received.map(({ body: { type, data } }) => [type, data.device_id, data.record]),
    records.map((record) => ['audit', null, record]),
  )
})

const toServer = (target: SyslogTarget) => tellSyslog({ ...services, auditSyslog: target })
/** Milliseconds: the server reads what has come when its connection ends. */
const patience = 10_000
/** The messages about one organization; others have records too. */
const about = (messages: readonly string[], { organizationId }: Login) =>
  messages.filter((message) => message.includes(`"organization_id":${organizationId},`))
const textOf = (message: string | undefined) => message?.replace(/^<.*? audit - /, '')

// shows 11.8.9
test('a syslog server gets each record in order, also when it was away', async (t) => {
  await tellSyslog(services)
  const server = await startSyslogServer(t)
  const target = { protocol: 'tcp', host: '127.0.0.1', port: server.port } as const
  const as = await foundOrganization(service, 'syslog@example.test')
  const own = () => about(server.messages, as)
  const arrive = (count: number) => until(() => own().length >= count, 'syslog', patience)
  await server.goAway()
  await createGroups(as, 'A', 'Ä "quoted" ]')
  await toServer(target)
  await server.comeBack()
  server.cutNext(1)
  await toServer(target)
  assert.deepEqual(server.messages, [])
  await createGroups(as, 'C')
  await toServer(target)
  await arrive(3)
  assert.deepEqual(own().map(textOf), await linesOf(as))
  assert.match(
    own()[0] ?? '',
    /^<109>1 2026-03-01T12:00:00\.000000Z 127\.0\.0\.1 lora-console - audit - \{"action":"created"/,
  )
  const before = server.messages.length
  await toServer(target)
  assert.equal(server.messages.length, before)

  const port = await startTlsProxy(t, server.port)
  const overTls = { protocol: 'tls', host: '127.0.0.1', port } as const
  await createGroups(as, 'D')
  await toServer(overTls)
  assert.equal(server.messages.length, before, 'an unknown certificate is not trusted')
  await toServer({ ...overTls, ca: testCertificate })
  await arrive(4)
  assert.equal(textOf(own()[3]), (await linesOf(as))[3])
})

test('two processes at once send each record once', async (t) => {
  const server = await startSyslogServer(t)
  const target = { protocol: 'tcp', host: '127.0.0.1', port: server.port } as const
  await toServer(target)
  const owners = await Promise.all(
    ['one', 'two', 'three'].map((name) => foundOrganization(service, `${name}@example.test`)),
  )
  server.messages.length = 0
  for (const as of owners) await createGroups(as, 'A', 'B', 'C')
  await Promise.all([toServer(target), toServer(target), toServer(target)])
  const counts = () => owners.map((as) => about(server.messages, as).length)
  await until(() => counts().every((count) => count >= 3), 'syslog', patience)
  assert.deepEqual(counts(), [3, 3, 3])
})

test('a refusal is a warning, and UDP has a datagram for each record', async (t) => {
  const socket = createSocket('udp4')
  t.after(() => socket.close())
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const messages: string[] = []
  socket.on('message', (message) => messages.push(message.toString()))
  const as = await foundOrganization(service, 'datagrams@example.test')
  const body = { name: 'Shop', permissions: [] }
  const made = await service.call('POST', '/v1/api-keys', { as, body })
  const headers = { authorization: `Bearer ${made.body.data.key}` }
  const refused = await service.call('POST', '/v1/device-groups', { as: null, headers, body: {} })
  assert.equal(refused.status, 403)
  const sends = async () => {
    await chainActivities(services)
    await toServer({ protocol: 'udp', host: '127.0.0.1', port: socket.address().port })
    return about(messages, as).length === 2
  }
  await until(sends, 'datagrams', patience)
  assert.deepEqual(about(messages, as).map(textOf), await linesOf(as))
  assert.match(about(messages, as)[1] ?? '', /^<108>1 .*"kind":"request"/)
})
