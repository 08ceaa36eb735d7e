import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { startTlsProxy, testCertificate } from '../../../test/certificate.ts'
import { runCommand } from '../../../test/command.ts'
import { connectAccount } from '../../../test/fleet.ts'
import { startMailServer } from '../../../test/mail-server.ts'
import { startChirpStack } from '../../../test/network.ts'
import { findFreePort } from '../../../test/port.ts'
import { startTestService, testKey } from '../../../test/service.ts'
import { unlockSecrets } from '../../features/operation/sealing/proof.ts'
import { readPushKeys } from '../../features/outgoing/channels/push-keys.ts'
import type { Finding } from './finding.ts'

/** The service behind a reverse proxy, as an operator runs it, with mistakes of an operator. */

const folder = await mkdtemp(join(tmpdir(), 'lora-doctor-'))
after(() => rm(folder, { recursive: true }))
await writeFile(join(folder, 'secret.key'), `${testKey.toString('base64url')}\n`, { mode: 0o600 })

/** What an operator can do wrong in the proxy. */
const proxy = { keepsAnswers: false, drops: '', forwards: 'own' as 'own' | 'theirs' | 'none' }
const proxyPort = await startProxy()
const publicUrl = `http://127.0.0.1:${proxyPort}`
const service = await startTestService({ after }, { publicUrl, trustedProxies: ['127.0.0.1'] })
const port = await findFreePort()
await service.app.listen({ host: '127.0.0.1', port })
// As a start of the service does.
await unlockSecrets(service.services.db, { secretKeys: [], dataDir: folder })
await readPushKeys(service.services.db, service.services.sealer)
const simulator = await startChirpStack({ after })
await connectAccount(service, 'chirpstack', simulator.account)

const settings = {
  DATABASE_URL: service.databaseUrl,
  DATA_DIR: folder,
  PORT: String(port),
  PUBLIC_URL: publicUrl,
  TRUSTED_PROXIES: '127.0.0.1',
}

async function startProxy(): Promise<number> {
  const server = createServer(async (incoming, outgoing) => {
    const { 'x-forwarded-for': theirs, ...sent } = incoming.headers
    const kept = Object.entries(sent).filter(
      ([name]) => !proxy.drops || !name.startsWith(proxy.drops),
    )
    const headers = Object.fromEntries(kept)
    const address = { own: '198.51.100.9', theirs, none: undefined }[proxy.forwards]
    const inner = request({
      ...{ host: '127.0.0.1', port, path: incoming.url, method: incoming.method },
      headers: { ...headers, ...(address ? { 'x-forwarded-for': address } : {}) },
    })
    incoming.pipe(inner)
    inner.on('error', () => outgoing.writeHead(502).end())
    inner.on('response', async (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      if (proxy.keepsAnswers) outgoing.end(Buffer.concat(await answer.toArray()))
      else answer.pipe(outgoing)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.closeAllConnections())
  after(() => void server.close())
  return (server.address() as AddressInfo).port
}

async function examine(changes: Record<string, string> = {}, words: string[] = []) {
  const end = await runCommand(['doctor', '--json', ...words], { ...settings, ...changes })
  assert.ok(end.output, end.errors)
  const findings: Finding[] = JSON.parse(end.output).findings
  const find = (check: string) => {
    const found = findings.find((one) => one.check === check)
    assert.ok(found, `${check} is not among ${findings.map((one) => one.check)}`)
    return found
  }
  return { ...end, findings, find, statusOf: (check: string) => find(check).status }
}

test('finds nothing wrong with a service behind a right proxy', async () => {
  const { code, findings, find } = await examine()
  assert.deepEqual(
    // The PostgreSQL of tests flushes nothing, to be quick.
    findings.filter(({ status }) => status === 'problem').map(({ check }) => check),
    ['database.durability'],
  )
  assert.equal(code, 1)
  const right = [
    ...['service.ready', 'disk.space', 'disk.write', 'database.server', 'clock.database'],
    ...['database.migrations', 'keys.sealing', 'keys.file', 'network.chirpstack', 'push.keys'],
    ...['callback.chirpstack', 'address.reach', 'address.proxy', 'address.stream', 'clock.address'],
  ]
  for (const check of right) assert.equal(find(check).status, 'ok', JSON.stringify(find(check)))
  assert.match(find('address.proxy').says, /this call came from 198\.51\.100\.9/)
})

test('a probe stores nothing, and nobody else gets an answer to it', async () => {
  const path = '/v1/network-accounts/chirpstack'
  const before = (await service.call('GET', path)).body.data
  await examine()
  const now = (await service.call('GET', path)).body.data
  assert.deepEqual(now, before)
  assert.deepEqual((await service.call('GET', `${path}/quarantine`)).body.data, [])
  for (const ticket of [undefined, '', 'AAAA', testKey.toString('base64url')]) {
    const headers = ticket === undefined ? {} : { 'x-self-test': ticket }
    const answer = await fetch(`${publicUrl}/v1/callbacks/self-test`, { headers })
    assert.equal(answer.status, 404)
  }
})

test('says what is wrong with the proxy', async (t) => {
  t.after(() => Object.assign(proxy, { keepsAnswers: false, drops: '', forwards: 'own' }))
  Object.assign(proxy, { keepsAnswers: true, forwards: 'theirs', drops: 'x-callback-secret' })
  const first = await examine()
  assert.equal(first.code, 1)
  assert.equal(first.statusOf('address.stream'), 'warning')
  assert.match(first.find('address.proxy').advice ?? '', /set it itself/)
  assert.equal(first.statusOf('address.proxy'), 'problem')
  assert.match(first.find('callback.chirpstack').says, /x-callback-secret.* is lost on the way/)
  Object.assign(proxy, { keepsAnswers: false, forwards: 'none', drops: '' })
  assert.match((await examine()).find('address.proxy').says, /tells no client address/)
})

test('says that the address leads elsewhere, or nowhere', async () => {
  const nowhere = await examine({ PUBLIC_URL: `http://127.0.0.1:${await findFreePort()}` })
  assert.match(nowhere.find('address.reach').says, /nothing listens there/)
  assert.match(nowhere.find('callback.chirpstack').says, /is not reached: nothing listens there/)
  const other = createServer((_request, response) => response.writeHead(200).end('hello'))
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  after(() => void other.close())
  const { port } = other.address() as AddressInfo
  const elsewhere = await examine({ PUBLIC_URL: `http://127.0.0.1:${port}` })
  assert.match(elsewhere.find('address.reach').says, /\(200\) is not this service/)
})

test('checks the certificate as a network does', async (t) => {
  const tlsPort = await startTlsProxy(t, proxyPort)
  const secure = { PUBLIC_URL: `https://127.0.0.1:${tlsPort}` }
  const unknown = await examine(secure)
  assert.match(unknown.find('address.certificate').says, /its certificate is self-signed/)
  assert.match(unknown.find('address.reach').says, /self-signed/)
  const authority = join(folder, 'authority.pem')
  await writeFile(authority, testCertificate)
  const known = await examine({ ...secure, NODE_EXTRA_CA_CERTS: authority })
  assert.match(known.find('address.certificate').says, /is valid until 2126-10-29/)
  assert.equal(known.statusOf('address.reach'), 'ok')
  const named = { PUBLIC_URL: `https://localhost:${tlsPort}`, NODE_EXTRA_CA_CERTS: authority }
  const misnamed = await examine(named)
  assert.match(misnamed.find('address.certificate').says, /for another name/)
  assert.match(misnamed.find('address.certificate').advice ?? '', /IP Address:127\.0\.0\.1/)
})

test('logs in at the mail server, and sends only when it is told to', async (t) => {
  const mails = await startMailServer()
  t.after(() => mails.close())
  const mail = { SMTP_URL: `smtp://127.0.0.1:${mails.settings.port}`, MAIL_FROM: 'a@example.test' }
  assert.equal((await examine(mail)).statusOf('mail.server'), 'ok')
  assert.equal(mails.mails.length, 0)
  const sent = await examine(mail, ['--send-to', 'bo@example.test'])
  assert.equal(sent.statusOf('mail.sent'), 'ok')
  assert.deepEqual(mails.mails[0]?.to, ['bo@example.test'])
  mails.refusals.push(550)
  const refused = await examine(mail, ['--send-to', 'bo@example.test'])
  assert.match(refused.find('mail.sent').advice ?? '', /MAIL_FROM/)
  const away = { ...mail, SMTP_URL: `smtp://127.0.0.1:${await findFreePort()}` }
  assert.match((await examine(away)).find('mail.server').advice ?? '', /host and port/)
})

test('tells the age of the latest backup', async () => {
  const backups = join(folder, 'backups')
  await mkdir(backups)
  const none = await examine({}, ['--backups', backups])
  assert.equal(none.statusOf('backup.age'), 'warning')
  const made = await runCommand(['backup', join(backups, 'night')], settings)
  assert.equal(made.code, 0, made.errors)
  assert.match((await examine()).find('backup.age').says, /0 hours old/)
  const manifest = join(backups, 'night', 'manifest.json')
  const text = await readFile(manifest, 'utf8')
  await writeFile(
    manifest,
    text.replace(/"takenAt": ?"\d{4}/, (old) => `${old.slice(0, -4)}2020`),
  )
  assert.equal((await examine()).statusOf('backup.age'), 'warning')
})

test('says that the service, its key, its database or the disk is missing', async () => {
  const stopped = await examine({ PORT: String(await findFreePort()) })
  assert.equal(stopped.statusOf('service.ready'), 'skipped')
  assert.equal(stopped.statusOf('address.reach'), 'skipped')
  const keyless = await examine({ DATA_DIR: join(folder, 'nothing') })
  assert.equal(keyless.statusOf('keys.sealing'), 'problem')
  assert.equal(keyless.statusOf('disk.space'), 'skipped')
  const url = new URL(service.databaseUrl)
  url.pathname = '/there_is_none'
  const lost = await examine({ DATABASE_URL: url.href })
  assert.equal(lost.statusOf('database.server'), 'problem')
  assert.match(lost.find('database.server').advice ?? '', /DATABASE_URL/)
})

test('a network in the cloud cannot call a local address', async (t) => {
  const at = { id: 0 }
  const account = `insert into network_accounts (organization_id, network, register_method,
    account_fields, sealed_secrets, status, status_message, sealed_callback_secret, callback_hash)
    values (1, 'thethingsnetwork', 'user_account', $1, '', 'refused', 'the key is wrong', '', '')
    returning id`
  const fields = JSON.stringify({ server: 'eu1.cloud.example.com' })
  const [row] = await service.services.db.query<{ id: number }>(account, [fields])
  at.id = row?.id ?? 0
  t.after(() => service.services.db.query('delete from network_accounts where id = $1', [at.id]))
  const { find } = await examine()
  assert.match(find('callback.thethingsnetwork').says, /cannot call PUBLIC_URL/)
  assert.match(find('network.thethingsnetwork').says, /is refused: the key is wrong/)
})

test('neither report nor output holds a secret', async () => {
  // A server that repeats the password that it refuses.
  const server = new SMTPServer({
    authOptional: false,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onAuth: ({ password }, _session, done) => done(new Error(`${password} is the wrong password`)),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  after(() => server.close(() => {}))
  const { port: mailPort } = server.server.address() as AddressInfo
  const secrets = {
    ADMIN_PASSWORD: 'secret-of-the-admin',
    METRICS_TOKEN: 'secret-of-the-metrics',
    SECRET_KEY: 'secret-key-that-has-more-than-32-characters',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=secret-of-the-collector',
    SMTP_URL: `smtp://mailer:secret-of-the-mailer@127.0.0.1:${mailPort}`,
    MAIL_FROM: 'a@example.test',
  }
  const url = new URL(service.databaseUrl)
  url.password = 'secret-of-the-database'
  for (const [name, databaseUrl] of [
    ['right', service.databaseUrl],
    ['wrong', url.href],
  ] as const) {
    const path = join(folder, `report-${name}.md`)
    const changes = { ...secrets, DATABASE_URL: databaseUrl }
    const end = await runCommand(['doctor', '--report', path], { ...settings, ...changes })
    const report = await readFile(path, 'utf8')
    assert.match(report, /^# lora-console doctor, /)
    assert.match(report, /- problem mail\.server: /)
    assert.equal((await stat(path)).mode & 0o777, 0o600)
    const { callback } = (await service.call('GET', '/v1/network-accounts/chirpstack')).body.data
    const known = [callback?.value, simulator.account.api_key, testKey.toString('base64url')]
    for (const text of [report, end.output, end.errors]) {
      assert.doesNotMatch(text, /secret-(of|key)/)
      for (const secret of known) assert.ok(!secret || !text.includes(String(secret)))
    }
    const again = await runCommand(['doctor', '--report', path], { ...settings, ...changes })
    assert.match(again.errors, /it is there already/)
  }
})
