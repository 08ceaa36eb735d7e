import assert from 'node:assert/strict'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { runCommand } from '../../../../test/command.ts'
import { createTestDatabase } from '../../../../test/database.ts'
import { findFreePort } from '../../../../test/port.ts'
import { type Installation, makeInstallation } from '../../../../test/process.ts'
import { keyIdOf } from '../../../db/seal.ts'
import { readSecretKeys, sealedColumns } from '../../../db/secret-keys.ts'
import { countSecretsOfOthers } from './seal-queries.ts'

const owner = { ADMIN_EMAIL: 'owner@example.test', ADMIN_PASSWORD: 'an invented pass phrase' }
const serving = '"msg":"serving"'
const [first, second] = ['the first key;'.repeat(3), 'the second key;'.repeat(3)]

/** Data directories of several machines, on one external database. */
async function makeMachines(t: TestContext) {
  const database = await createTestDatabase()
  t.after(() => database.drop())
  const installation = await makeInstallation(t)
  const settingsOf = (machine: string, keys?: string) => ({
    ...owner,
    DATABASE_URL: database.url,
    DATA_DIR: join(installation.dataDir, machine),
    ...(keys === undefined ? {} : { SECRET_KEY: keys }),
  })
  return { ...database, installation, settingsOf }
}

async function serve(installation: Installation, settings: Record<string, string>) {
  const server = installation.start(settings)
  await server.waitFor(serving)
  return server
}

async function refuses(installation: Installation, settings: Record<string, string>, why: RegExp) {
  // Another service may hold the port of the installation.
  const server = installation.start({ ...settings, PORT: String(await findFreePort()) })
  assert.deepEqual(await server.ended, { code: 1, signal: null })
  assert.match(server.errors(), why)
  assert.doesNotMatch(server.errors() + server.output(), /^ +at /m)
}

async function connectNetwork({ address }: Installation): Promise<void> {
  const json = { 'content-type': 'application/json' }
  const credentials = { email: owner.ADMIN_EMAIL, password: owner.ADMIN_PASSWORD }
  const login = await fetch(`${address}/v1/auth/login`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify(credentials),
  })
  const { token } = (await login.json()) as { token: string }
  const id = '14855bf7-d10d-4aee-b618-ebfcb64dc7ad'
  const answer = await fetch(`${address}/v1/network-accounts/chirpstack`, {
    method: 'PUT',
    headers: { ...json, authorization: `Bearer ${token}`, organization: '1' },
    body: JSON.stringify({
      ...{ server: 'http://127.0.0.1:9', api_key: 'an-invented-key', tenant_id: id },
      ...{ application_id: id, device_profile_id: id },
    }),
  })
  assert.equal(answer.status, 200)
}

describe('a start on an external database', () => {
  test('needs SECRET_KEY, or a key file that is there', async (t) => {
    const { installation, settingsOf } = await makeMachines(t)
    const why = /^SECRET_KEY is missing: with DATABASE_URL it has to be set/
    await refuses(installation, settingsOf('a'), why)
    // A key file from another start, for example with the embedded database.
    const embedded = installation.start({ ...owner, DATA_DIR: join(installation.dataDir, 'b') })
    await embedded.waitFor(serving)
    await embedded.end('SIGTERM')
    await (await serve(installation, settingsOf('b'))).end('SIGTERM')
    await refuses(installation, settingsOf('a', first), /, and SECRET_KEY gives [0-9a-f]{8}\. Set/)
    await rm(join(installation.dataDir, 'b', 'postgres'), { recursive: true })
  })

  test('with another key is refused; the key can be changed while the service runs', async (t) => {
    const { db, installation, settingsOf } = await makeMachines(t)
    const server = await serve(installation, settingsOf('a', first))
    await connectNetwork(installation)
    await server.end('SIGTERM')

    const why =
      /^Secrets in the database are sealed with the key [0-9a-f]{8}, and SECRET_KEY gives /
    await refuses(installation, settingsOf('b', second), why)
    const seal = (keys: string) => runCommand(['seal'], settingsOf('c', keys))
    assert.match((await seal(`${second},${first}`)).errors, /^The service has not run with this fi/)
    assert.match((await seal(second)).errors, why)

    const both = await serve(installation, settingsOf('b', `${second},${first}`))
    assert.match(both.output(), /npx --no-install lora-console seal/)
    await refuses(installation, settingsOf('b', first), why)
    await refuses(installation, settingsOf('b', second), why)
    const done = await seal(`${second},${first}`)
    assert.equal(done.code, 0, done.errors)
    // Two of the account, and those of web push and of a chain if the service had made them.
    assert.match(done.output, /^[2-4] secrets were sealed again with the key [0-9a-f]{8}\.$/m)
    const [key] = readSecretKeys({ secretKeys: [second], dataDir: installation.dataDir })
    assert.ok(key)
    for (const column of Object.values(sealedColumns)) {
      assert.equal(await countSecretsOfOthers(db, column, keyIdOf(key)), 0, column.table)
    }
    assert.match(done.output, /^The other keys are not needed any more/m)
    await both.end('SIGTERM')
    await refuses(installation, settingsOf('a', first), why)
    const last = await serve(installation, settingsOf('c', second))
    assert.doesNotMatch(last.output(), /npx --no-install lora-console seal/)
    assert.equal((await db.query('select 1 from seal_proofs')).length, 1)
    assert.equal((await runCommand(['check'], settingsOf('d', second))).code, 0)
  })

  test('of the version before is proved by what opens', async (t) => {
    const { db, installation, settingsOf } = await makeMachines(t)
    const server = await serve(installation, settingsOf('a', first))
    await connectNetwork(installation)
    await server.end('SIGTERM')
    await db.query('delete from seal_proofs')
    await refuses(
      installation,
      settingsOf('a', second),
      /^Secrets in the database are sealed with /,
    )
    await (await serve(installation, settingsOf('a', first))).end('SIGTERM')
    assert.equal((await db.query('select 1 from seal_proofs')).length, 1)
  })
})

test('a start without the key file of its embedded database is refused', async (t) => {
  const installation = await makeInstallation(t)
  await (await serve(installation, owner)).end('SIGTERM')
  const file = join(installation.dataDir, 'secret.key')
  await rm(file)
  const why = /and there is no key: SECRET_KEY is not set, and there is no file .*secret\.key\./
  await refuses(installation, owner, why)
  await mkdir(file)
  await refuses(installation, owner, /secret\.key/)
})
