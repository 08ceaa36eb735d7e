import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Agent, type IncomingMessage, request } from 'node:http'
import { createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { findFreePort } from './port.ts'
import { type Installation, makeInstallation, type ServerProcess } from './process.ts'

const admin = { ADMIN_EMAIL: 'owner@example.test', ADMIN_PASSWORD: 'an invented pass phrase' }
const serving = '"msg":"serving"'
/** The test reads processes in /proc. */
const onLinux = { skip: process.platform !== 'linux' }
const password = /^ {2}password {2}(\S+)$/m

async function logIn(address: string, email: string, secret: string): Promise<number> {
  const { status } = await fetch(`${address}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: secret }),
  })
  return status
}

/** Occupies the port of an installation until the test ends. */
async function occupy(t: { after(end: () => void): void }, { port }: Installation) {
  const server = createServer().listen(port, '127.0.0.1')
  t.after(() => void server.close())
  await once(server, 'listening')
  return server
}

async function isServing({ address }: Installation): Promise<boolean> {
  return fetch(`${address}/livez`, { signal: AbortSignal.timeout(2000) }).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** Returns the server processes that a process started, as Linux reports them. */
async function readWorkers(server: ServerProcess): Promise<number[]> {
  const path = `/proc/${server.pid}/task/${server.pid}/children`
  const children = (await readFile(path, 'utf8')).split(' ').filter(Boolean).map(Number)
  const commands = await Promise.all(
    children.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  )
  return children.filter((_, index) => commands[index]?.includes('main.ts'))
}

describe('a start', () => {
  test('with wrong settings tells all mistakes and does nothing', async (t) => {
    const installation = await makeInstallation(t)
    const server = installation.start({
      DATA_DIR: `${installation.dataDir}/new`,
      PORT: 'http',
      WORKERS: '0',
      SECRET_KEY: 'too-short',
    })
    assert.deepEqual(await server.ended, { code: 1, signal: null })
    assert.deepEqual(server.errors().trim().split('\n'), [
      "The settings can't be used:",
      '- PORT must be a whole number from 1 to 65535.',
      '- SECRET_KEY must have at least 32 characters.',
      '- WORKERS must be a whole number from 1 to 64.',
    ])
    assert.equal(server.output(), '')
    assert.equal(existsSync(`${installation.dataDir}/new`), false)
  })

  test('shows a made-up password once, when all that can fail has not', async (t) => {
    const installation = await makeInstallation(t)
    const other = await occupy(t, installation)
    const failed = installation.start()
    assert.deepEqual(await failed.ended, { code: 1, signal: null })
    assert.match(failed.errors(), /^PORT \d+ of HOST 127\.0\.0\.1 is taken: /)
    assert.doesNotMatch(failed.output(), password)
    other.close()

    const server = installation.start()
    await server.waitFor('This password is shown only once.')
    assert(server.output().indexOf(serving) < server.output().indexOf('password'))
    const shown = password.exec(server.output())?.[1] ?? ''
    assert.equal(await logIn(installation.address, 'admin@localhost', shown), 200)
    await server.end('SIGTERM')

    const again = installation.start(admin)
    await again.waitFor(serving)
    assert.doesNotMatch(again.output(), password)
    const hint = 'ADMIN_EMAIL and ADMIN_PASSWORD did nothing: only the first start reads'
    assert(again.output().includes(hint), again.output())
  })

  test('serves nobody before there is an owner', async (t) => {
    const installation = await makeInstallation(t)
    installation.start(admin)
    while (!(await isServing(installation))) await wait(5)
    const { ADMIN_EMAIL, ADMIN_PASSWORD } = admin
    assert.equal(await logIn(installation.address, ADMIN_EMAIL, ADMIN_PASSWORD), 200)
  })

  test('on a data directory in use is refused, and harms nobody', async (t) => {
    const installation = await makeInstallation(t)
    const first = installation.start(admin)
    await first.waitFor(serving)
    assert.doesNotMatch(first.output(), password)
    const second = installation.start({ PORT: String(await findFreePort()) })
    assert.deepEqual(await second.ended, { code: 1, signal: null })
    const message = `The data directory .* is in use by another server \\(process ${first.pid} `
    assert.match(second.errors(), new RegExp(message))
    const { ADMIN_EMAIL, ADMIN_PASSWORD } = admin
    assert.equal(await logIn(installation.address, ADMIN_EMAIL, ADMIN_PASSWORD), 200)
  })
})

describe('SIGTERM', () => {
  test('lets requests under way finish, and the process end with 0', async (t) => {
    const installation = await makeInstallation(t)
    const server = installation.start(admin)
    await server.waitFor(serving)
    const agent = new Agent({ keepAlive: true })
    t.after(() => agent.destroy())
    const body = JSON.stringify({ email: admin.ADMIN_EMAIL, password: admin.ADMIN_PASSWORD })
    const call = request(`${installation.address}/v1/auth/login`, {
      method: 'POST',
      agent,
      headers: {
        'content-type': 'application/json',
        'content-length': body.length,
        expect: '100-continue',
      },
    })
    // The server sends 100 Continue when it has the head of the request.
    const isUnderWay = once(call, 'continue')
    call.flushHeaders()
    await isUnderWay
    call.write(body.slice(0, 10))
    // Sends the signal twice, as npm and service managers do.
    const ended = Promise.all([server.end('SIGTERM'), server.end('SIGTERM')])
    await server.waitFor('"msg":"stopping"')
    while (await isServing(installation)) await wait(20)
    const answered = once(call, 'response') as Promise<[IncomingMessage]>
    call.end(body.slice(10))
    const [answer] = await answered
    assert.equal(answer.statusCode, 200)
    assert.match(await text(answer), /"token"/)
    const start = performance.now()
    assert.deepEqual((await ended)[0], { code: 0, signal: null })
    assert(performance.now() - start < 10_000, 'connections that are kept alive hold nothing up')
    assert.equal(await isServing(installation), false)
  })

  test('during the start ends it in order', async (t) => {
    const installation = await makeInstallation(t)
    const server = installation.start(admin)
    while (!existsSync(`${installation.dataDir}/server.pid`)) await wait(5)
    assert.deepEqual(await server.end('SIGTERM'), { code: 0, signal: null })
    assert.equal(existsSync(`${installation.dataDir}/postgres/cluster/postmaster.pid`), false)
  })
})

describe('several server processes', () => {
  test('share the port, are replaced when they die, and end with the first', onLinux, async (t) => {
    const installation = await makeInstallation(t)
    const server = installation.start({ ...admin, WORKERS: '2' })
    await server.waitFor(serving)
    const [worker, ...others] = await readWorkers(server)
    assert(worker)
    assert.equal(others.length, 1)
    process.kill(worker, 'SIGKILL')
    // A dying process loses the connection that it has just received. The next connection works.
    while (!(await isServing(installation))) await wait(20)
    const isReplaced = (pids: number[]) => pids.length === 2 && !pids.includes(worker)
    while (!isReplaced(await readWorkers(server))) await wait(20)
    assert.equal(await isServing(installation), true)
    assert.deepEqual(await server.end('SIGTERM'), { code: 0, signal: null })
    assert.equal(await isServing(installation), false)

    const again = installation.start({ ...admin, WORKERS: '2' })
    await again.waitFor(serving)
    const workers = await readWorkers(again)
    await again.end('SIGKILL')
    while (await isServing(installation)) await wait(20)
    for (const pid of workers) while (isRunning(pid)) await wait(20)
  })

  test('that cannot listen end the start', async (t) => {
    const installation = await makeInstallation(t)
    await occupy(t, installation)
    const server = installation.start({ ...admin, WORKERS: '2' })
    assert.deepEqual(await server.ended, { code: 1, signal: null })
    assert.match(server.errors(), /^PORT \d+ .* is taken: /)
    assert.doesNotMatch(server.output(), new RegExp(serving))
  })
})

function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}/exe`)
}
