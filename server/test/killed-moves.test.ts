import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSimulator as startChirpStack } from '../simulators/chirpstack/simulator.ts'
import { startSimulator as startStack } from '../simulators/thethingsnetwork/simulator.ts'
import { euiOf, registrationOf } from './fleet.ts'
import { toStack } from './moves.ts'
import { type Installation, makeInstallation, type ServerProcess } from './process.ts'
import { call } from './traffic.ts'
import { until } from './until.ts'

const admin = { email: 'owner@example.test', password: 'an invented pass phrase' }
const settings = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, API_RATE_LIMIT: '0' }
const eui = euiOf(1)

test('a move goes on after a kill, and the device is never at no network', {
  timeout: 120_000,
}, async (t) => {
  const chirpstack = await startChirpStack()
  const stack = await startStack()
  t.after(() => Promise.all([chirpstack.close(), stack.close()]))
  const installation = await makeInstallation(t, { usesDatabase: true })
  let server = await startServing(installation)
  const base = `${installation.address}/v1`
  const { token } = await call(`${base}/auth/login`, { method: 'POST', body: admin })
  const headers = { authorization: `Bearer ${token}`, organization: '1' }
  const send = (method: string, path: string, body?: object) =>
    call(`${base}${path}`, { method, headers, ...(body ? { body } : {}) })
  await send('PUT', '/network-accounts/chirpstack', chirpstack.account)
  await send('PUT', '/network-accounts/thethingsnetwork', stack.account)
  await send('POST', '/devices', registrationOf(1))
  const reaches = (id: number, state: string) =>
    until(async () => (await send('GET', `/moves/${id}`)).data.state === state, state)

  const { data: begun } = await send('POST', `/devices/${eui}/move`, toStack)
  await reaches(begun.id, 'waiting')
  assert.ok(chirpstack.findDevice(eui))
  const { promise: killed, resolve: tellKilled } = Promise.withResolvers<void>()
  const path = '/api.DeviceService/Delete'
  chirpstack.faults.refusals[path] = async () => {
    delete chirpstack.faults.refusals[path]
    assert.ok(stack.findDevice(eui))
    await server.end('SIGKILL')
    tellKilled()
    return undefined
  }
  await stack.sendUplink(eui, '100301')
  await killed
  server = await startServing(installation)
  await reaches(begun.id, 'done')
  assert.equal(chirpstack.findDevice(eui), undefined)
  assert.ok(stack.findDevice(eui))
  assert.equal((await send('GET', `/devices/${eui}/uplink`)).meta.total, 1)
  assert.deepEqual(await server.end('SIGTERM'), { code: 0, signal: null })
})

async function startServing(installation: Installation): Promise<ServerProcess> {
  const server = installation.start({ ...settings, PUBLIC_URL: installation.address })
  await server.waitFor('"msg":"serving"')
  return server
}
