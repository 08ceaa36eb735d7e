import assert from 'node:assert/strict'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { connect } from '../src/db/connect.ts'
import { findRunning } from '../src/db/embedded.ts'
import { createTestDatabase } from './database.ts'
import { findFreePort } from './port.ts'
import { makeInstallation } from './process.ts'
import { mountSmallDisk } from './small-disk.ts'
import { makeTenants, startSenders } from './traffic.ts'
import { until } from './until.ts'

/** A service on the tests' database, whose log goes to `output`. */
async function startLogging(t: TestContext, output: number | 'pipe' = 'pipe') {
  const database = await createTestDatabase()
  t.after(() => database.drop())
  const metricsPort = await findFreePort()
  const metrics = `http://127.0.0.1:${metricsPort}/metrics`
  const { start, address } = await makeInstallation(t)
  const settings = {
    ...{ DATABASE_URL: database.url, SECRET_KEY: 'x'.repeat(32), LOGIN_RATE_LIMIT: '1000' },
    ...{ METRICS_PORT: String(metricsPort), ADMIN_PASSWORD: 'an invented pass phrase' },
  }
  const server = start(settings, undefined, { output })
  await until(() => isServing(address))
  await until(() => isReachable(metrics))
  return {
    server,
    isServing: () => isServing(address),
    /** Each failed login writes a line. */
    failToLogIn: () =>
      fetch(`${address}/v1/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'nobody@example.test', password: 'an invented one' }),
      }),
    async countDropped() {
      const text = await (await fetch(metrics)).text()
      const found = /^lora_log_lines_dropped_total\{process="server"\} (\d+)$/m.exec(text)
      return Number(found?.[1])
    },
  }
}

function isServing(address: string): Promise<boolean> {
  return isReachable(`${address}/livez`)
}

function isReachable(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(2000) }).then(
    ({ ok }) => ok,
    () => false,
  )
}

describe('when the log can not be written', () => {
  test('because the disk is full, lines are dropped, counted and told of', async (t) => {
    const disk = await mountSmallDisk(t, 64 * 1024)
    if (!disk) return
    const path = join(disk.path, 'log')
    const file = await open(path, 'a')
    t.after(() => file.close())
    const { server, failToLogIn, countDropped, isServing } = await startLogging(t, file.fd)
    await disk.fill()
    // What is left of the last page of the file takes some lines.
    await until(async () => {
      assert.equal((await failToLogIn()).status, 401)
      return (await countDropped()) > 0
    })
    assert.ok(await isServing())
    await disk.free()
    await until(async () => (await readFile(path, 'utf8')).includes('could not be written'))
    await failToLogIn()
    const dropped = await countDropped()
    await until(async () => {
      const lines = (await readFile(path, 'utf8')).trim().split('\n').map(readLine)
      const told = lines.reduce((sum, line) => sum + (line?.lines ?? 0), 0)
      assert.ok(lines.filter((line) => line === undefined).length <= 1, 'one line may be cut')
      return told === dropped && lines.at(-1)?.msg !== undefined
    })
    await disk.fill()
    assert.deepEqual(await server.end('SIGTERM'), { code: 0, signal: null })
  })

  test('because nobody reads it any more, the service goes on', async (t) => {
    const { server, failToLogIn, countDropped, isServing } = await startLogging(t)
    server.closeOutput()
    await until(async () => {
      await failToLogIn()
      return (await countDropped()) > 1
    })
    assert.ok(await isServing())
    assert.deepEqual(await server.end('SIGTERM'), { code: 0, signal: null })
  })
})

describe('when the disk of the database is full', { timeout: 300_000 }, () => {
  test('/readyz, a metric and one error say so until it has room, and nothing is lost', async (t) => {
    const { disk, server, traffic, ask, readMetric } = await startOnSmallDisk(t)
    if (!disk) return
    await traffic.receive(100)
    assert.equal((await ask()).status, 200)
    assert.equal(await readMetric(), 1)
    await disk.fill()
    await until(async () => (await ask()).body.includes('"The disk of the database is full."'))
    await until(async () => (await readMetric()) === 0)
    assert.equal((await ask()).status, 503)
    const told = server.output().split('The disk of the database is full.').length - 1
    assert.equal(told, 1, 'once a minute')
    await disk.free()
    await until(async () => (await ask()).status === 200)
    assert.match(server.output(), /The database takes writes again\./)
    assert.equal(await readMetric(), 1)
    await traffic.receive(100)
    await traffic.finish()
    assert.deepEqual([...traffic.acknowledged].sort(), [...traffic.sent].sort())
  })

  test('PostgreSQL that ended for want of a log file is started again, and nothing is lost', async (t) => {
    const { disk, dataDir, server, traffic, ask } = await startOnSmallDisk(t)
    if (!disk) return
    await traffic.receive(100)
    const db = connect(await findRunning(dataDir))
    t.after(() => db.close())
    await disk.fill()
    await assert.rejects(
      db.query("select pg_logical_emit_message(false, 'test', repeat('x', 12000000))::text"),
    )
    await server.waitFor('PANIC')
    await until(async () => (await ask()).status === 503)
    await server.waitFor('PostgreSQL ended; it is started again')
    await wait(2000)
    await disk.free()
    await until(async () => (await ask()).status === 200, 'ready', 20_000)
    await traffic.receive(100)
    await traffic.finish()
    assert.deepEqual([...traffic.acknowledged].sort(), [...traffic.sent].sort())
  })
})

/** A service with the embedded PostgreSQL on a disk of its own, and networks that send uplinks. */
async function startOnSmallDisk(t: TestContext) {
  const disk = await mountSmallDisk(t, 200 * 1024 ** 2)
  if (!disk) return { disk } as const
  const dataDir = join(disk.path, 'data')
  const metricsPort = await findFreePort()
  const admin = { email: 'owner@example.test', password: 'an invented pass phrase' }
  const { start, address } = await makeInstallation(t, { dataDir })
  const server = start({
    ...{ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, API_RATE_LIMIT: '0' },
    METRICS_PORT: String(metricsPort),
  })
  await server.waitFor('"msg":"serving"')
  const traffic = startSenders(await makeTenants(address, admin))
  t.after(traffic.abandon)
  return { disk, dataDir, server, traffic, ask, readMetric }

  async function ask() {
    const answer = await fetch(`${address}/readyz`)
    return { status: answer.status, body: await answer.text() }
  }
  async function readMetric() {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    return Number(/^lora_database_writable\{process="server"\} (\d)$/m.exec(text)?.[1])
  }
}

function readLine(text: string): { msg?: string; lines?: number } | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
