import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { makeUp } from './chirpstack-uplinks.ts'
import { type Installation, makeInstallation, type ServerProcess } from './process.ts'
import { call, makeTenants, type Tenant } from './traffic.ts'
import { until } from './until.ts'
import { type Received, startReceiver } from './webhook-receiver.ts'

const admin = { email: 'owner@example.test', password: 'an invented pass phrase' }
const settings = {
  ADMIN_EMAIL: admin.email,
  ADMIN_PASSWORD: admin.password,
  API_RATE_LIMIT: '0',
  WORKERS: '2',
}
const kills = 2
/** Each opens the case of every device, and closes it again. */
const rounds = 15
const opened = '100200'
const closed = '100201'

test('each alert opens and closes once, however often the service is killed', {
  timeout: 300_000,
}, async (t) => {
  const installation = await makeInstallation(t, { usesDatabase: true })
  let server = await startServing(installation)
  const [tenant] = await makeTenants(installation.address, admin)
  assert.ok(tenant)
  const receiver = await startReceiver(t)
  await post(installation, tenant, '/webhooks', {
    name: 'Test',
    url: receiver.url,
    events: ['alert'],
  })
  await post(installation, tenant, '/alert-rules', { name: 'Cases', kind: 'tamper' })
  let sent = 0
  const sending = Promise.all(tenant.euis.map((eui) => sendRounds(tenant, eui, () => (sent += 1))))
  const total = tenant.euis.length * rounds * 2
  for (let kill = 1; kill <= kills; kill += 1) {
    await until(async () => sent > (total * kill) / (kills + 1), 'messages were sent')
    await server.end('SIGKILL')
    server = await startServing(installation)
  }
  await sending
  await checkAlerts(installation, tenant, receiver.received)
  assert.deepEqual(await server.end('SIGTERM'), { code: 0, signal: null })
})

async function startServing(installation: Installation): Promise<ServerProcess> {
  const server = installation.start(settings)
  await server.waitFor('"msg":"serving"')
  return server
}

function post({ address }: Installation, { headers }: Tenant, path: string, body: object) {
  return call(`${address}/v1${path}`, { method: 'POST', headers, body })
}

/** One message after the other, each until it is acknowledged. */
async function sendRounds({ callback }: Tenant, eui: string, count: () => void): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    for (const hex of [opened, closed]) {
      const body = JSON.stringify({ ...makeUp({ eui, hex }), time: new Date().toISOString() })
      while (!(await isTaken(callback, body))) await wait(250)
      count()
    }
  }
}

async function isTaken({ url, header, value }: Tenant['callback'], body: string): Promise<boolean> {
  const headers = { 'content-type': 'application/json', [header]: value }
  try {
    const signal = AbortSignal.timeout(10_000)
    const answer = await fetch(`${url}?event=up`, { method: 'POST', headers, body, signal })
    await answer.arrayBuffer()
    return answer.ok
  } catch {
    return false
  }
}

async function checkAlerts(
  { address }: Installation,
  { headers, euis }: Tenant,
  received: readonly Received[],
): Promise<void> {
  const expected = euis.length * rounds
  const list = async () => (await call(`${address}/v1/alerts?limit=200`, { headers })).data
  await until(async () => {
    const alerts: { state: string }[] = await list()
    return alerts.length === expected && alerts.every(({ state }) => state === 'closed')
  }, 'all alerts are closed')
  const first = new Map<string, Received>()
  await until(async () => {
    for (const message of received) if (!first.has(message.id)) first.set(message.id, message)
    return first.size >= expected * 2
  }, 'the webhook has sent everything')
  const messages = [...first.values()].map(({ body }) => body.data)
  for (const eui of euis) {
    const states = messages.filter(({ device_id }) => device_id === eui)
    const wanted = Array.from({ length: rounds }, () => ['open', 'closed']).flat()
    assert.deepEqual(
      states.map(({ state }) => state),
      wanted,
      eui,
    )
    assert.equal(new Set(states.map(({ alert_id }) => alert_id)).size, rounds)
  }
}
