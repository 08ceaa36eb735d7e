import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBroker } from './broker.ts'
import { type Installation, makeInstallation, type ServerProcess } from './process.ts'
import { call, makeTenants, startSenders, type Tenant } from './traffic.ts'
import { until } from './until.ts'
import { type Received, startReceiver, type WebhookReceiver } from './webhook-receiver.ts'

const admin = { email: 'owner@example.test', password: 'an invented pass phrase' }
const settings = {
  ADMIN_EMAIL: admin.email,
  ADMIN_PASSWORD: admin.password,
  API_RATE_LIMIT: '0',
  WORKERS: '2',
}
const kills = 3
const uplinksBetween = 150

test('webhooks lose nothing when the service is killed, and repeat only with the same id', {
  timeout: 300_000,
}, async (t) => {
  const installation = await makeInstallation(t, { usesDatabase: true })
  let server = await startServing(installation)
  const tenants = await makeTenants(installation.address, admin)
  const receivers = await Promise.all(tenants.map(() => startReceiver(t)))
  const published = await publishAlso(installation, tenants[0] as Tenant, await startBroker(t))
  for (const [index, tenant] of tenants.entries()) {
    await makeWebhook(installation, tenant, receivers[index] as WebhookReceiver)
  }
  receivers[0]?.answer((response) => void setTimeout(() => response.end(), 5))
  const traffic = startSenders(tenants)
  t.after(traffic.abandon)
  for (let kill = 0; kill < kills; kill += 1) {
    await traffic.receive(uplinksBetween)
    if (kill === 1) await receivers[1]?.goAway()
    await server.end('SIGKILL')
    server = await startServing(installation)
    if (kill === 1) await receivers[1]?.comeBack()
  }
  await traffic.receive(uplinksBetween)
  await traffic.finish()
  for (const [index, tenant] of tenants.entries()) {
    await checkReceived(installation, tenant, receivers[index]?.received ?? [])
  }
  await checkReceived(installation, tenants[0] as Tenant, published)
  assert.deepEqual(await server.end('SIGTERM'), { code: 0, signal: null })
})

async function startServing(installation: Installation): Promise<ServerProcess> {
  const server = installation.start(settings)
  await server.waitFor('"msg":"serving"')
  return server
}

async function makeWebhook(
  { address }: Installation,
  { headers }: Tenant,
  { url }: Pick<WebhookReceiver, 'url'>,
): Promise<void> {
  const body = { name: 'Test', url, events: ['uplink'] }
  await call(`${address}/v1/webhooks`, { method: 'POST', headers, body })
}

/** Webhook over MQTT. This broker knows no MQTT 5, so only the body names the event. */
async function publishAlso(
  installation: Installation,
  tenant: Tenant,
  { broker, source }: Awaited<ReturnType<typeof startBroker>>,
): Promise<Arrived[]> {
  const published: Arrived[] = []
  broker.on('publish', ({ payload }, client) => {
    if (!client) return
    const body = JSON.parse(payload.toString())
    published.push({ id: `uplink_${tenant.organizationId}_${body.data.ordinal}`, body })
  })
  await makeWebhook(installation, tenant, source)
  return published
}

type Arrived = Pick<Received, 'id' | 'body'>

async function checkReceived(
  { address }: Installation,
  { headers, organizationId }: Tenant,
  received: readonly Arrived[],
): Promise<void> {
  await until(async () => {
    const webhooks: { health: { waiting: number } }[] = (
      await call(`${address}/v1/webhooks`, { headers })
    ).data
    return webhooks.every(({ health }) => health.waiting === 0)
  }, 'the webhook has sent everything')
  const { meta } = await call(`${address}/v1/devices/all/uplink?itemsPerPage=1`, { headers })
  const first = new Map<string, Arrived>()
  for (const message of received) if (!first.has(message.id)) first.set(message.id, message)
  const expected = Array.from(
    { length: meta.total },
    (_, index) => `uplink_${organizationId}_${index + 1}`,
  )
  assert.deepEqual([...first.keys()].sort(), expected.sort())
  const last = new Map<string, number>()
  for (const { body } of first.values()) {
    const { device_id, ordinal } = body.data
    assert.ok(ordinal > (last.get(device_id) ?? 0), `${device_id}: ${ordinal} comes in order`)
    last.set(device_id, ordinal)
  }
}
