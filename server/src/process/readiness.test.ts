import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../test/database.ts'
import { startDatabaseProxy } from '../../test/database-proxy.ts'
import { makeInstallation } from '../../test/process.ts'
import { until } from '../../test/until.ts'

test('/readyz answers 503 within a second or so while the database is silent', async (t) => {
  const database = await createTestDatabase()
  t.after(() => database.drop())
  const proxy = await startDatabaseProxy(t, database.url)
  const { start, address } = await makeInstallation(t)
  const server = start({ DATABASE_URL: proxy.url, SECRET_KEY: 'x'.repeat(32) })
  await server.waitFor('"msg":"serving"')
  const ask = async () => {
    const begun = performance.now()
    const answer = await fetch(`${address}/readyz`)
    return { status: answer.status, body: await answer.json(), took: performance.now() - begun }
  }
  assert.deepEqual((await ask()).body, { status: 'ready' })
  proxy.silence()
  for (const { status, body, took } of await Promise.all([ask(), ask(), ask()])) {
    const reason = 'The database does not answer.'
    assert.deepEqual([status, body], [503, { status: 'not ready', reason }])
    assert.ok(took > 900 && took < 2000, `${took} ms`)
  }
  proxy.heal()
  await until(async () => (await ask()).status === 200)
})
