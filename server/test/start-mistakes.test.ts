import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import {
  appendFile,
  chmod,
  chown,
  readFile,
  rename,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createTestDatabase } from './database.ts'
import { makeInstallation } from './process.ts'

type Settings = Record<string, string>

const secret = { SECRET_KEY: 'an invented key that seals nothing' }

/** Starts with wrong settings. Returns the message: one line without any code. */
async function startWrongly(t: TestContext, settings: Settings): Promise<string> {
  const { start, dataDir } = await makeInstallation(t)
  const server = start({ DATA_DIR: join(dataDir, 'new'), ...settings })
  assert.deepEqual(await server.ended, { code: 1, signal: null })
  assert.equal(server.errors().trim().split('\n').length, 1, server.errors())
  assert.doesNotMatch(server.output() + server.errors(), /"stack"|node:internal|^ +at /m)
  assert.equal(existsSync(join(dataDir, 'new', 'postgres')), false, 'no database was started')
  return server.errors()
}

describe('a mistake is told by its setting and its remedy', () => {
  test('in HOST and PORT, before the database is started', async (t) => {
    const nowhere = await startWrongly(t, { HOST: 'no-such-host.test' })
    assert.match(nowhere, /^HOST no-such-host\.test is no name that leads to an address: set HOST/)
    const foreign = await startWrongly(t, { HOST: '192.0.2.1' })
    assert.match(foreign, /^HOST 192\.0\.2\.1 is no address of this machine: set HOST to 127/)
    const server = createServer().listen(0, '127.0.0.1')
    t.after(() => server.close())
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0
    const taken = await startWrongly(t, { PORT: String(port) })
    assert.match(
      taken,
      new RegExp(`^PORT ${port} of HOST 127\\.0\\.0\\.1 is taken: end the program`),
    )
  })

  test('in DATA_DIR', async (t) => {
    const { dataDir } = await makeInstallation(t)
    const file = join(dataDir, 'file')
    await writeFile(file, '')
    const paths = [file, join(file, 'below')]
    if (process.platform === 'linux') paths.push('/proc/foo', '/proc/foo/bar', '/sys/foo')
    for (const path of paths) {
      const words = await startWrongly(t, { DATA_DIR: path })
      assert.ok(words.startsWith(`DATA_DIR ${path} can't be used: set it to a directory`), words)
    }
  })

  test('in the data of the embedded PostgreSQL', async (t) => {
    const { start, dataDir } = await makeInstallation(t)
    const first = start()
    await first.waitFor('"msg":"serving"')
    await first.end('SIGTERM')
    const memory = join(dataDir, 'postgres.json')
    const area = JSON.parse(await readFile(memory, 'utf8')).area ?? join(dataDir, 'postgres')
    const cluster = join(area, 'cluster')
    const restart = async () => {
      const server = start()
      assert.deepEqual(await server.ended, { code: 1, signal: null })
      assert.equal(server.errors().trim().split('\n').length, 1, server.errors())
      assert.doesNotMatch(server.output() + server.errors(), /"stack"|node:internal|^ +at /m)
      return server.errors()
    }
    const without = async (file: string) => {
      const path = join(cluster, file)
      await rename(path, `${path}.away`)
      const words = await restart()
      await rename(`${path}.away`, path)
      return words
    }
    await chmod(cluster, 0o755)
    assert.match(await restart(), /other users may enter .*: run "chmod 700 .*cluster"\. It said/)
    await chmod(cluster, 0o700)
    const control = 'global/pg_control'
    assert.match(
      await without(control),
      /is incomplete, for global\/pg_control is missing: copy the/,
    )
    assert.match(await without('PG_VERSION'), /is incomplete, for PG_VERSION is missing: copy the/)
    const version = join(cluster, 'PG_VERSION')
    const own = await readFile(version, 'utf8')
    await writeFile(version, '9\n')
    assert.match(await restart(), /are of PostgreSQL 9, and .* brings \d+\. Make a backup with the/)
    await writeFile(version, own)
    const settings = join(cluster, 'postgresql.conf')
    await appendFile(settings, 'no_such_setting = 1\n')
    assert.match(
      await restart(),
      /did not start on .*cluster\. It said \(exit code 1\): FATAL: config/,
    )
    await truncate(settings)
    await writeFile(`${memory}.away`, await readFile(memory))
    await writeFile(memory, '{"pass')
    assert.match(
      await restart(),
      /postgres\.json is damaged: it holds the password .* Put it back\.$/m,
    )
    await rename(`${memory}.away`, memory)
    if (process.getuid?.() === 0) {
      const { uid, gid } = await stat(cluster)
      await chown(cluster, 0, 0)
      assert.match(await restart(), /are not all its own: they must belong to the user/)
      await chown(cluster, uid, gid)
    }
    await start().waitFor('"msg":"serving"')
  })

  test('in DATABASE_URL', async (t) => {
    const database = await createTestDatabase()
    t.after(() => database.drop())
    const changed = (change: (url: URL) => void) => {
      const url = new URL(database.url)
      change(url)
      return startWrongly(t, { ...secret, DATABASE_URL: url.href })
    }
    const password = await changed((url) => {
      url.password = 'an-invented-one'
    })
    assert.match(
      password,
      /^DATABASE_URL \(.*\) can't be used: the password of the user ".*" is wr/,
    )
    assert.doesNotMatch(password, /an-invented-one/)
    const name = await changed((url) => {
      url.pathname = '/nothing'
    })
    assert.match(name, /there is no database "nothing": make it, or name another\.$/m)
    const wrong = (DATABASE_URL: string) => startWrongly(t, { ...secret, DATABASE_URL })
    assert.match(
      await wrong('postgres://a:b@127.0.0.1:1/c'),
      /nothing answers there \(.*ECONNREFUSED/,
    )
    assert.match(
      await wrong('postgres://a:b@no-such-host.test/c'),
      /there is no host "no-such-host/,
    )
    assert.match(
      await wrong('postgres://a:b@127.0.0.1:1,no-such-host.test:5432/c'),
      /there is no host "no-such-host/,
    )
    const plain = createServer((socket) => socket.once('data', () => socket.end('N')))
    t.after(() => plain.close())
    plain.listen(0, '127.0.0.1')
    await once(plain, 'listening')
    const address = plain.address()
    const port = typeof address === 'object' ? address?.port : 0
    const url = `postgres://a:b@127.0.0.1:${port}/c?sslmode=verify-full`
    assert.match(await wrong(url), /TLS fails \(.*\)\. \?sslmode=disable turns it off/)
  })

  test('in a database that an older version made and this one can not upgrade', async (t) => {
    const { db, url, drop } = await createTestDatabase()
    t.after(drop)
    await db.query("update schema_migrations set name = '0001-accounts.sql', checksum = 'another'")
    const words = await startWrongly(t, { ...secret, DATABASE_URL: url })
    const message =
      /its migration 1, 0001-accounts\.sql, is another\. Start with a new database: set DATA/
    assert.match(words, message)
  })

  test('in BILLING_PLANS', async (t) => {
    const words = await startPlans(t, '{}')
    assert.match(words, /^- BILLING_PLANS must be a list of plans: /m)
    assert.match(await startPlans(t, '[{'), /^- BILLING_PLANS is not valid JSON\.$/m)
  })

  test('in the options of the demo and the simulator', async () => {
    const calls: [string, string[], RegExp][] = [
      ['../demo/main.ts', ['--foo'], /^Unknown option '--foo'.*--help lists the options\.$/s],
      ['../demo/main.ts', ['extra'], /^Unexpected argument 'extra'.*--help lists the options\.$/s],
      ['../demo/main.ts', ['--devices', 'x'], /^--devices must be a whole number from 1 to 200\.$/],
      ['../demo/main.ts', ['--networks', 'x'], /^--networks must be "all" or among machineq, /],
      ['../simulators/main.ts', ['chirpstack', '--foo'], /^Unknown option '--foo'/],
      ['../simulators/main.ts', ['x'], /^Name one of the networks: machineq, /],
      ['../simulators/main.ts', ['chirpstack', 'x'], /^"x" is too much/],
      ['../simulators/main.ts', ['chirpstack', '--host', '192.0.2.1'], /EADDRNOTAVAIL/],
    ]
    for (const [program, words, expected] of calls) {
      const { code, errors } = await run(program, words)
      assert.equal(code, 2, errors)
      assert.match(errors.trim(), expected)
      assert.doesNotMatch(errors, /^ +at /m)
    }
  })
})

test('a HOST that lets others in is told when PUBLIC_URL is local', async (t) => {
  const { start } = await makeInstallation(t)
  const server = start({ HOST: '0.0.0.0' })
  await server.waitFor('HOST lets other machines in, and PUBLIC_URL is local')
  assert.match(
    server.output(),
    /"localNames":\[".local",.*PUBLIC_URL is local, so accounts may name/,
  )
})

async function startPlans(t: TestContext, BILLING_PLANS: string): Promise<string> {
  const { start } = await makeInstallation(t)
  const server = start({ BILLING_PLANS })
  assert.deepEqual(await server.ended, { code: 1, signal: null })
  return server.errors()
}

async function run(program: string, words: string[]) {
  const path = fileURLToPath(new URL(program, import.meta.url))
  const child = spawn(process.execPath, [path, ...words], { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'exit')
  const errors = await text(child.stderr)
  const [code] = await ended
  return { code, errors }
}
