import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  connectChirpStack,
  makeOrganization,
  makeUp,
  post,
  unreachableAccount,
} from '../../../../test/chirpstack-uplinks.ts'
import { configure, periodOf } from '../../../../test/downlinks.ts'
import {
  addDevice,
  addGateway,
  addLocalDevice,
  connectAccount,
  euiOf,
} from '../../../../test/fleet.ts'
import { startTestService, type TestService } from '../../../../test/service.ts'

const metricsToken = 'an-invented-token'
const proof = { authorization: `Bearer ${metricsToken}` }

function scrape({ call }: TestService, headers: Record<string, string> = proof) {
  return call('GET', '/metrics', { as: null, headers })
}

/** The samples of an answer, without the lines about the metrics. */
async function readSamples(service: TestService): Promise<string[]> {
  const { status, text } = await scrape(service)
  assert.equal(status, 200, text)
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  // Times and sizes differ from run to run.
  return samples.map((line) => line.replace(/(_seconds|_bytes)(\S*) [\d.]+$/, '$1$2 N'))
}

describe('GET /metrics', () => {
  test('is an unknown address without a token in the settings', async (t) => {
    const service = await startTestService(t)
    const unknown = await service.call('GET', '/nothing', { as: null })
    for (const headers of [{}, proof]) {
      const { status, body } = await scrape(service, headers)
      assert.equal(status, 404)
      assert.deepEqual(body, unknown.body)
    }
  })

  test('is refused without the token, and to users', async (t) => {
    const service = await startTestService(t, { metricsToken })
    const wrong = ['', `Bearer ${metricsToken}x`, metricsToken, `Basic ${metricsToken}`, 'Bearer ']
    for (const authorization of [...wrong, `Bearer ${service.owner.token}`]) {
      const answer = await scrape(service, { authorization })
      assert.equal(answer.status, 401, authorization)
      assert.deepEqual(answer.body, { message: 'Unauthenticated.' })
      assert.equal(answer.headers['www-authenticate'], 'Bearer')
    }
    assert.equal((await scrape(service, {})).status, 401)
  })

  test('describes every metric, in a service without devices too', async (t) => {
    const service = await startTestService(t, { metricsToken, apiRateLimit: 1 })
    for (const _ of Array(3)) assert.equal((await scrape(service)).status, 200)
    const { text, headers } = await scrape(service)
    assert.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8')
    assert.equal(
      text
        .replaceAll(/^# HELP (\w+) .+\.$/gm, '# HELP $1')
        .replace(/(size_bytes) \d+$/m, '$1 SIZE'),
      `# HELP lora_organizations
# TYPE lora_organizations gauge
lora_organizations 1
# HELP lora_devices
# TYPE lora_devices gauge
# HELP lora_gateways
# TYPE lora_gateways gauge
# HELP lora_uplinks_stored_total
# TYPE lora_uplinks_stored_total counter
lora_uplinks_stored_total 0
# HELP lora_uplinks_not_rolled_up
# TYPE lora_uplinks_not_rolled_up gauge
lora_uplinks_not_rolled_up 0
# HELP lora_quarantined_messages
# TYPE lora_quarantined_messages gauge
lora_quarantined_messages 0
# HELP lora_downlinks_waiting
# TYPE lora_downlinks_waiting gauge
# HELP lora_downlinks_oldest_queued_timestamp_seconds
# TYPE lora_downlinks_oldest_queued_timestamp_seconds gauge
# HELP lora_provisioning_calls_waiting
# TYPE lora_provisioning_calls_waiting gauge
# HELP lora_provisioning_oldest_call_timestamp_seconds
# TYPE lora_provisioning_oldest_call_timestamp_seconds gauge
# HELP lora_jobs_waiting
# TYPE lora_jobs_waiting gauge
# HELP lora_webhooks
# TYPE lora_webhooks gauge
# HELP lora_network_accounts
# TYPE lora_network_accounts gauge
# HELP lora_network_account_heard_timestamp_seconds
# TYPE lora_network_account_heard_timestamp_seconds gauge
# HELP lora_database_standbys
# TYPE lora_database_standbys gauge
lora_database_standbys 0
# HELP lora_database_size_bytes
# TYPE lora_database_size_bytes gauge
lora_database_size_bytes SIZE
`,
    )
  })

  test('counts what all organizations have', async (t) => {
    const service = await startTestService(t, { metricsToken })
    const callback = await connectChirpStack(service)
    const child = await makeOrganization(service, 'child')
    const childsCallback = await connectChirpStack(service, { as: child })
    await addLocalDevice(service, 1)
    await addLocalDevice(service, 1, {}, child)
    await addDevice(service, 2)
    await addLocalDevice(service, 3)
    await service.call('DELETE', `/v1/devices/${euiOf(3)}`)
    await addGateway(service, 1)
    const uplink = makeUp({ eui: euiOf(1) })
    for (const body of [uplink, uplink, makeUp({ eui: euiOf(1) }), makeUp({ eui: euiOf(9) })]) {
      assert.equal((await post(service, callback, body)).status, 200)
    }
    await post(service, childsCallback, makeUp({ eui: euiOf(1) }))
    assert.equal((await configure({ service }, euiOf(2), periodOf(1))).status, 200)
    assert.deepEqual(await readSamples(service), [
      'lora_organizations 2',
      'lora_devices{network="chirpstack",register_status="active"} 2',
      'lora_devices{network="chirpstack",register_status="pending"} 1',
      'lora_gateways{network="chirpstack",register_status="pending"} 1',
      'lora_uplinks_stored_total 3',
      'lora_uplinks_not_rolled_up 3',
      'lora_quarantined_messages 1',
      'lora_downlinks_waiting{state="queued"} 1',
      'lora_downlinks_oldest_queued_timestamp_seconds N',
      'lora_provisioning_calls_waiting{network="chirpstack"} 2',
      'lora_provisioning_oldest_call_timestamp_seconds{network="chirpstack"} N',
      'lora_network_accounts{network="chirpstack",status="unreachable"} 2',
      'lora_network_account_heard_timestamp_seconds{network="chirpstack",account="1",organization="1"} N',
      'lora_network_account_heard_timestamp_seconds{network="chirpstack",account="2",organization="2"} N',
      'lora_database_standbys 0',
      'lora_database_size_bytes N',
    ])
  })

  test('escapes labels', async (t) => {
    const service = await startTestService(t, { metricsToken })
    await connectAccount(service, 'chirpstack', unreachableAccount)
    await service.services.db.query('update network_accounts set network = $1', ['a "b" \\ \n c'])
    const escaped = String.raw`{network="a \"b\" \\ \n c",status="unreachable"}`
    assert.ok((await readSamples(service)).includes(`lora_network_accounts${escaped} 1`))
  })

  test('keeps an answer for 10 s', async (t) => {
    const service = await startTestService(t, { metricsToken })
    const read = async () => (await readSamples(service))[0]
    const start = service.services.now().getTime()
    assert.equal(await read(), 'lora_organizations 1')
    await makeOrganization(service, 'child')
    service.setClock(new Date(start + 9999))
    assert.equal(await read(), 'lora_organizations 1')
    service.setClock(new Date(start + 10_000))
    assert.equal(await read(), 'lora_organizations 2')
  })

  test('is 503 while the database does not answer, which is not kept', async (t) => {
    const service = await startTestService(t, { metricsToken })
    await service.services.db.transaction(async (tx) => {
      await tx.query('lock table organizations in access exclusive mode')
      const { status, headers } = await scrape(service)
      assert.equal(status, 503)
      assert.equal(headers['retry-after'], '5')
    })
    assert.equal((await scrape(service)).status, 200)
  })
})
