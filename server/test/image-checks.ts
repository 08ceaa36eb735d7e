import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { startSimulator } from '../simulators/chirpstack/simulator.ts'
import { removeEmbedded, startEmbedded } from '../src/db/embedded.ts'
import type { CommandEnd } from './command.ts'
import { euiOf, registrationOf } from './fleet.ts'
import { findFreePort } from './port.ts'
import { call } from './traffic.ts'
import { until } from './until.ts'

/** `npm run image-check` names the engine and the image, and runs this: it is no part of `npm test`. */

const [program = '', ...engineOptions] = (process.env.IMAGE_ENGINE ?? 'docker').split(' ')
const image = process.env.IMAGE ?? ''
const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const admin = { email: 'owner@example.test', password: 'an invented pass phrase' }
const key = 'an invented key of more than 32 characters'
/** As in compose.yaml, but with the network of this machine, where the database is. */
const limits = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL']
const confinement = [...limits, '--security-opt', 'no-new-privileges', '--network', 'host']
/** Milliseconds: what compose.yaml gives, and what docs/operation.md promises. */
const stopPatience = 30_000
const stopPromise = 25_000

test('says which setting is missing or wrong, and ends with 1', { timeout: 300_000 }, async (t) => {
  const { url } = await startDatabase(t)
  refuses(await runImage({}), /^no PostgreSQL .* is installed .* DATABASE_URL\.$/m)
  refuses(await runImage({ DATABASE_URL: url }), /^SECRET_KEY is missing: /m)
  const wrong = new URL(url)
  wrong.password = 'wrong'
  const settings = { DATABASE_URL: wrong.href, SECRET_KEY: key }
  refuses(await runImage(settings), /^DATABASE_URL .* can't be used: the password .* is wrong\.$/m)
  const help = await runImage({}, '--help')
  assert.equal(help.code, 0, help.errors)
  assert.match(help.output, /^lora-console COMMAND\n/)
})

test('serves a device as a user without rights, and stops in time', {
  timeout: 600_000,
}, async (t) => {
  const { url } = await startDatabase(t)
  const service = await startImage(t, url)
  await t.test('is nobody, writes nothing, and is healthy', async () => {
    assert.equal((await service.run('id', '-u')).output, '1000\n')
    assert.notEqual((await service.run('touch', '/app/file')).code, 0)
    assert.match((await service.run('cat', '/proc/1/status')).output, /^CapEff:\s+0+$/m)
    const health = await runEngine('inspect', '-f', '{{json .Config.Healthcheck}}', service.name)
    const [kind, ...words] = JSON.parse(health.output).Test
    assert.equal(kind, 'CMD')
    assert.equal((await service.run(...words)).code, 0)
  })
  await t.test('registers a device and stores its uplink', () => useDevice(t, service.address))
  await t.test('runs the commands', async () => {
    const console = (...words: string[]) => service.run('node', 'bin/lora-console.js', ...words)
    assert.match((await console('check')).output, /^The settings are right\./)
    assert.match((await console('migrate', '--check')).output, / is up to date\.\n$/)
    assert.match((await console('backup', '/tmp/backup')).output, /Every count was checked\./)
    const script = 'function decodeUplink() { return { data: { temperature: 1 } } }'
    await service.run('node', '-e', `fs.writeFileSync('/tmp/probe.js', '${script}')`)
    assert.equal((await console('codec', '--check', '/tmp/probe.js')).code, 0)
  })
  const start = performance.now()
  await runEngine('stop', '-t', String(stopPatience / 1000), service.name)
  const took = performance.now() - start
  t.diagnostic(`stopped after ${Math.round(took)} ms`)
  assert.ok(took < stopPromise)
  const end = await runEngine('inspect', '-f', '{{.State.ExitCode}}', service.name)
  assert.equal(end.output, '0\n')
})

/** An empty PostgreSQL, which a container of this machine's network can reach. */
async function startDatabase(t: TestContext): Promise<{ url: string }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lora-fleet-image-'))
  const port = String(await findFreePort())
  const settings = { listen_addresses: '127.0.0.1', port, fsync: 'off' }
  const { url, stop } = await startEmbedded({ dataDir, log: quiet, settings })
  t.after(async () => {
    await stop()
    await removeEmbedded({ dataDir, log: quiet })
  })
  const address = new URL(url)
  address.host = `127.0.0.1:${port}`
  address.search = ''
  return { url: address.href }
}

async function startImage(t: TestContext, url: string) {
  const port = String(await findFreePort())
  const address = `http://127.0.0.1:${port}`
  const name = `lora-fleet-check-${process.pid}`
  const login = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password }
  const settings = { DATABASE_URL: url, SECRET_KEY: key, PORT: port, PUBLIC_URL: address, ...login }
  const start = performance.now()
  const words = ['--detach', '--name', name, ...confinement, ...given(settings), image]
  const begun = await runEngine('run', ...words)
  t.after(() => runEngine('rm', '-f', name))
  assert.equal(begun.code, 0, begun.errors)
  await until(() => isReady(address), 'ready', 180_000).catch(async (error) => {
    const { output, errors } = await runEngine('logs', name)
    throw new Error(`${error.message}\n${output}${errors}`)
  })
  t.diagnostic(`ready with an empty database after ${Math.round(performance.now() - start)} ms`)
  return { name, address, run: (...words: string[]) => runEngine('exec', name, ...words) }
}

async function isReady(address: string): Promise<boolean> {
  const answer = await fetch(`${address}/readyz`).catch(() => undefined)
  return answer?.ok === true
}

async function useDevice(t: TestContext, address: string): Promise<void> {
  const chirpstack = await startSimulator()
  t.after(() => chirpstack.close())
  const page = await fetch(address, { headers: { accept: 'text/html' } })
  assert.match(await page.text(), /<div id="root">/)
  const { token } = await call(`${address}/v1/auth/login`, { method: 'POST', body: admin })
  const headers = { authorization: `Bearer ${token}`, organization: '1' }
  const send = (method: string, path: string, body?: object) =>
    call(`${address}/v1${path}`, { method, headers, ...(body ? { body } : {}) })
  await send('PUT', '/network-accounts/chirpstack', chirpstack.account)
  await send('POST', '/devices', registrationOf(1))
  await until(() => chirpstack.findDevice(euiOf(1)) !== undefined, 'registered')
  await chirpstack.sendUplink(euiOf(1), '100301')
  assert.equal((await send('GET', `/devices/${euiOf(1)}/uplink`)).meta.total, 1)
}

function refuses(end: CommandEnd, words: RegExp): void {
  assert.equal(end.code, 1, end.errors)
  assert.match(end.errors, words)
}

/** Runs a container to its end, with only these settings. */
async function runImage(settings: Record<string, string>, ...words: string[]): Promise<CommandEnd> {
  const port = { PORT: String(await findFreePort()), HOST: '127.0.0.1' }
  return runEngine(
    'run',
    '--rm',
    ...confinement,
    ...given({ ...port, ...settings }),
    image,
    ...words,
  )
}

const given = (settings: Record<string, string>): string[] =>
  Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`])

async function runEngine(...words: string[]): Promise<CommandEnd> {
  const child = spawn(program, [...engineOptions, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { code, output, errors }
}
