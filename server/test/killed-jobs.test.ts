import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rowOf } from './jobs.ts'
import { type Installation, makeInstallation, type ServerProcess } from './process.ts'
import { call } from './traffic.ts'

const admin = { email: 'owner@example.test', password: 'an invented pass phrase' }
const settings = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, API_RATE_LIMIT: '0' }
/** Some portions. */
const rowCount = 6000
const rowsOfRequest = 2000

test('a job goes on after a kill, and no row is done twice or lost', {
  timeout: 300_000,
}, async (t) => {
  const installation = await makeInstallation(t, { usesDatabase: true })
  let server = await startServing(installation)
  const base = `${installation.address}/v1`
  const { token } = await call(`${base}/auth/login`, { method: 'POST', body: admin })
  const headers = { authorization: `Bearer ${token}`, organization: '1' }
  const path = `${base}/jobs/${await sendRows(base, headers)}`
  const kills = new Set<number>()
  for (;;) {
    const { data } = await call(path, { headers })
    if (data.state === 'done') {
      assert.deepEqual([data.total, data.done, data.failed], [rowCount, rowCount, 0])
      break
    }
    if (data.done === 0 || kills.size >= 3 || kills.has(data.done)) continue
    kills.add(data.done)
    await server.end('SIGKILL')
    server = await startServing(installation)
  }
  assert.ok(kills.size > 0, 'it was killed while the job was under way')
  const { meta } = await call(`${base}/devices?itemsPerPage=1`, { headers })
  assert.equal(meta.total, rowCount)
  assert.deepEqual(await server.end('SIGTERM'), { code: 0, signal: null })
})

async function startServing(installation: Installation): Promise<ServerProcess> {
  const server = installation.start(settings)
  await server.waitFor('"msg":"serving"')
  return server
}

/** Sends the rows in several requests, and returns the id of the job. */
async function sendRows(base: string, headers: Record<string, string>): Promise<number> {
  const rowsFrom = (first: number) =>
    Array.from({ length: rowsOfRequest }, (_, index) =>
      rowOf(first + index, { provisioningData: { consoleOnly: true } }),
    )
  const body = { kind: 'register', more: true, rows: rowsFrom(1) }
  const { data } = await call(`${base}/jobs`, { method: 'POST', headers, body })
  for (let first = 1 + rowsOfRequest; first <= rowCount; first += rowsOfRequest) {
    const more = first + rowsOfRequest <= rowCount
    const further = { first, rows: rowsFrom(first), more }
    await call(`${base}/jobs/${data.id}/rows`, { method: 'POST', headers, body: further })
  }
  return data.id
}
