import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countSessions, startBroker } from './broker.ts'
import { makeInstallation, type ServerProcess } from './process.ts'
import { call } from './traffic.ts'

const admin = { email: 'owner@example.test', password: 'an invented pass phrase' }
const settings = {
  ADMIN_EMAIL: admin.email,
  ADMIN_PASSWORD: admin.password,
  // One process follows the broker, and another answers the request.
  WORKERS: '2',
}

/** A killed process counts as dead after 5 s. The next start takes some of this time. */
const most = 8_000

test('follows a broker again within seconds after the process was killed', async (t) => {
  const installation = await makeInstallation(t, { usesDatabase: true })
  const { address } = installation
  const broker = await startBroker(t)
  const start = async (): Promise<ServerProcess> => {
    const server = installation.start(settings)
    await server.waitFor('"msg":"serving"')
    return server
  }
  const server = await start()
  const login = await call(`${address}/v1/auth/login`, { method: 'POST', body: admin })
  const headers = { authorization: `Bearer ${login.token}`, organization: '1' }
  const ids = { tenant_id: '52f14cd4-c6f1-4fbd-8f87-4025e1d49242' }
  const { data } = await call(`${address}/v1/network-accounts/chirpstack`, {
    method: 'PUT',
    headers,
    body: {
      ...{ server: 'http://127.0.0.1:1', api_key: 'key', mqtt_url: broker.source.url },
      ...{ ...ids, application_id: ids.tenant_id, device_profile_id: ids.tenant_id },
    },
  })
  // The message is about ChirpStack, which is unreachable, and not about the broker, which is
  // reachable.
  assert.doesNotMatch(data.message, /broker/)
  assert.equal(await countSessions(broker.broker), 1)

  await server.end('SIGKILL')
  await start()
  const served = performance.now()
  while (broker.broker.connectedClients !== 1) {
    const waited = performance.now() - served
    assert.ok(waited < most, `nobody follows the broker after ${waited} ms`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  t.diagnostic(`followed ${Math.round(performance.now() - served)} ms after it was served`)
})
