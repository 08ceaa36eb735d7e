import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSimulator } from '../simulators/chirpstack/simulator.ts'
import type { Database } from '../src/db/connect.ts'
import { makeUp } from './chirpstack-uplinks.ts'
import { createTestDatabase } from './database.ts'
import { periodOf } from './downlinks.ts'
import { registrationOf } from './fleet.ts'
import { findFreePort } from './port.ts'
import { makeInstallation } from './process.ts'
import { call, makeTenants, type Tenant } from './traffic.ts'
import { until } from './until.ts'
import { startReceiver, type WebhookReceiver } from './webhook-receiver.ts'

const admin = { email: 'owner@example.test', password: 'an invented pass phrase' }
const eui = '00AA00000000E001'
const collectorKey = 'a key of the collector'

interface SentSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: Record<string, unknown> }[]
  links?: { traceId: string; spanId: string }[]
  status: { code?: number }
}

test('traces tell what becomes of requests, uplinks, downlinks and webhooks', async (t) => {
  const database = await createTestDatabase()
  t.after(() => database.drop())
  const [collector, receiver] = [await startReceiver(t), await startReceiver(t)]
  const simulator = await startSimulator()
  t.after(() => simulator.close())
  const metricsPort = await findFreePort()
  const { start, address } = await makeInstallation(t)
  const server = start({
    ...{ DATABASE_URL: database.url, SECRET_KEY: 'x'.repeat(32), METRICS_PORT: `${metricsPort}` },
    ...{ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password },
    ...{ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SERVICE_NAME: 'fleet' },
    OTEL_EXPORTER_OTLP_HEADERS: `api-key=${encodeURIComponent(collectorKey)}`,
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  })
  await server.waitFor('"msg":"serving"')
  const [tenant] = await makeTenants(address, admin, simulator.account)
  assert.ok(tenant)
  await makeWork({ address, tenant, receiver })
  await delayMoves(database.db)
  await until(() => simulator.findDevice(eui)?.queue.length === 1, 'the downlink is handed over')
  await until(() => receiver.received.length === 1, 'the webhook is delivered')
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  assert.match(metrics, /^lora_traces_spans_total\{process="server",outcome="dropped"\} 0$/m)
  assert.deepEqual(await server.end('SIGTERM'), { code: 0, signal: null })

  const spans = readSpans(collector)
  checkUplink(spans)
  checkOthers(spans)
  const lines = server.output().split('\n')
  const refused = lines.find((line) => line.includes('"login_failed"')) ?? '{}'
  assert.equal(JSON.parse(refused).traceId, traceOf('c'))
  const sent = collector.received.map(({ text }) => text).join('')
  const { token } = simulator.account as Record<string, string>
  const secrets = [admin.password, tenant.headers.authorization?.slice(7), tenant.callback.value]
  for (const secret of [...secrets, token, collectorKey, new URL(tenant.callback.url).pathname]) {
    if (secret) assert.ok(!sent.includes(secret) && !server.output().includes(secret), secret)
  }
})

function traceOf(digit: string): string {
  return digit.repeat(32)
}

function traceparent(digit: string) {
  return { traceparent: `00-${traceOf(digit)}-${digit.repeat(16)}-01` }
}

/** One of each: an uplink, which a webhook delivers, a registration, a downlink, a refused login. */
async function makeWork({
  address,
  tenant,
  receiver,
}: {
  address: string
  tenant: Tenant
  receiver: WebhookReceiver
}): Promise<void> {
  const { headers, callback } = tenant
  const post = (path: string, body: object, more: object = {}) =>
    call(`${address}/v1${path}`, { method: 'POST', headers: { ...headers, ...more }, body })
  await post('/webhooks', { name: 'Test', url: receiver.url, events: ['uplink'] })
  await fetch(`${callback.url}?event=up`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      [callback.header]: callback.value,
      ...traceparent('a'),
    },
    body: JSON.stringify(makeUp({ eui: tenant.euis[0] ?? '' })),
  })
  await post('/devices', registrationOf(eui), traceparent('b'))
  const configuration = { config_field: periodOf(1) }
  await post(`/devices/${eui}/configure`, configuration, traceparent('d'))
  const rows = [{ device_id: eui, device_name: 'Renamed' }]
  const { data: job } = await post('/jobs', { kind: 'rename', rows })
  const isDone = async () =>
    (await call(`${address}/v1/jobs/${job.id}`, { headers })).data.state === 'done'
  await until(isDone, 'the job is done')
  const login = { email: admin.email, password: 'a wrong pass phrase' }
  const refused = await fetch(`${address}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...traceparent('c') },
    body: JSON.stringify(login),
  })
  assert.equal(refused.status, 401)
  assert.equal((await fetch(`${address}/nowhere/${admin.password}`)).status, 404)
}

/** Makes a job long enough to be recorded: it waits for a lock. */
async function delayMoves(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query('lock table device_moves in access exclusive mode')
    await until(async () => {
      const waiting = await db.query(
        `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%moves.due_at <=%'
         and datname = current_database()`,
      )
      return waiting.length > 0
    })
    await tx.query('select pg_sleep(0.05)')
  })
}

/** All spans that the collector has, after a check of what is around them. */
function readSpans({ received }: WebhookReceiver): SentSpan[] {
  assert.ok(received.length > 0)
  return received.flatMap(({ headers, body }) => {
    assert.equal(headers['content-type'], 'application/json')
    assert.equal(headers['api-key'], collectorKey)
    return body.resourceSpans.flatMap(
      (group: {
        resource: { attributes: SentSpan['attributes'] }
        scopeSpans: { spans: SentSpan[] }[]
      }) => {
        const resource = valuesOf(group.resource)
        assert.equal(resource['service.name'], 'fleet')
        assert.equal(resource['deployment.environment.name'], 'test')
        return group.scopeSpans.flatMap(({ spans }) => spans)
      },
    )
  })
}

function valuesOf({ attributes }: Pick<SentSpan, 'attributes'>): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}

function checkUplink(spans: readonly SentSpan[]): void {
  const own = spans.filter(({ traceId }) => traceId === traceOf('a'))
  const find = (name: string) => own.find((span) => span.name === name)
  const request = find('POST /v1/callbacks/:network/:account')
  const [stored, batch] = [find('store uplink'), find('commit batch')]
  assert.ok(request && stored && batch, own.map(({ name }) => name).join())
  assert.equal(request.parentSpanId, 'a'.repeat(16))
  assert.equal(request.kind, 2)
  assert.equal(stored.parentSpanId, request.spanId)
  assert.equal(batch.parentSpanId, stored.spanId)
  assert.equal(valuesOf(request)['http.response.status_code'], '200')
  assert.equal(valuesOf(stored)['lora.organization.id'], '1')
  assert.equal(valuesOf(stored)['lora.network'], 'chirpstack')
  for (const { startTimeUnixNano, endTimeUnixNano } of own) {
    assert.match(startTimeUnixNano, /^1\d{18}$/)
    assert.ok(BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano))
  }
}

function checkOthers(spans: readonly SentSpan[]): void {
  const ids = new Set(spans.map(({ spanId }) => spanId))
  assert.equal(ids.size, spans.length)
  for (const { traceId, spanId } of spans) {
    assert.match(`${traceId} ${spanId}`, /^[\da-f]{32} [\da-f]{16}$/)
  }
  const find = (name: string, trace?: string) => {
    const found = spans.find((span) => span.name === name && (!trace || span.traceId === trace))
    return found ?? assert.fail(`${name} is not among the spans`)
  }
  const registered = valuesOf(find('POST /v1/devices', traceOf('b')))
  assert.equal(registered['lora.organization.id'], '1')
  assert.equal(find('chirpstack addDevice').kind, 3)
  const handedOver = find('hand over downlink', traceOf('d'))
  assert.equal(find('chirpstack queueDownlink').parentSpanId, handedOver.spanId)
  const delivered = valuesOf(find('deliver webhook'))
  assert.equal(delivered['http.response.status_code'], '200')
  assert.equal(delivered['lora.webhook.id'], '1')
  const refused = find('POST /v1/auth/login', traceOf('c'))
  assert.equal(valuesOf(refused)['http.response.status_code'], '401')
  assert.deepEqual(refused.status, {})
  const statuses = spans.map((span) => valuesOf(span)['http.response.status_code'])
  assert.ok(statuses.includes('404'), statuses.join())
  find('job move devices between networks')
  assert.equal(valuesOf(find('work job'))['lora.job.kind'], 'rename')
}
