import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTestDatabase } from '../../../../test/database.ts'
import { createSealer, keyIdOf } from '../../../db/seal.ts'
import { keyFileOf, makeKeyFile, readSecretKeys } from '../../../db/secret-keys.ts'
import { unlockSecrets } from './proof.ts'
import { insertProof, lockProofs, readProofs } from './seal-queries.ts'

const [first, second] = ['the first key;'.repeat(3), 'the second key;'.repeat(3)]

describe('the keys of a start', () => {
  async function makeSource(t: TestContext) {
    const database = await createTestDatabase()
    t.after(() => database.drop())
    const dataDir = await mkdtemp(join(tmpdir(), 'lora-fleet-keys-'))
    t.after(() => rm(dataDir, { recursive: true }))
    return { db: database.db, dataDir }
  }
  const idOf = (key: string) => {
    const [made] = readSecretKeys({ secretKeys: [key], dataDir: '/nowhere' })
    assert.ok(made)
    return keyIdOf(made)
  }
  const missing = (id: Buffer, rest: string) =>
    new RegExp(`^Secrets in the database are sealed with the key ${id.toString('hex')}, ${rest}`)

  test('are proved while nothing is sealed, too', async (t) => {
    const { db, dataDir } = await makeSource(t)
    assert.deepEqual(await unlockSecrets(db, { secretKeys: [first], dataDir }), {
      hasOlderKeys: false,
    })
    await assert.rejects(unlockSecrets(db, { secretKeys: [second], dataDir }), {
      message: missing(idOf(first), `and SECRET_KEY gives ${idOf(second).toString('hex')}\\. Set`),
    })
    const both = await unlockSecrets(db, { secretKeys: [second, first], dataDir })
    assert.deepEqual(both, { hasOlderKeys: true })
    const ids = (await readProofs(db)).map(({ key_id }) => key_id)
    assert.deepEqual(ids, [idOf(first), idOf(second)])
  })

  test('begin with a file, which is needed from then on', async (t) => {
    const { db, dataDir } = await makeSource(t)
    const source = { secretKeys: [], dataDir }
    assert.deepEqual(await unlockSecrets(db, source), { hasOlderKeys: false })
    const [made] = readSecretKeys(source)
    assert.ok(made)
    assert.deepEqual(await unlockSecrets(db, source), { hasOlderKeys: false })
    assert.equal((await readProofs(db)).length, 1)
    await rm(keyFileOf(dataDir))
    await assert.rejects(unlockSecrets(db, source), {
      message: missing(keyIdOf(made), 'and there is no key: SECRET_KEY is not set'),
    })
  })

  test('of a file are named by it', async (t) => {
    const { db, dataDir } = await makeSource(t)
    await unlockSecrets(db, { secretKeys: [first], dataDir })
    makeKeyFile(dataDir)
    await assert.rejects(unlockSecrets(db, { secretKeys: [], dataDir }), {
      message: missing(idOf(first), `and .*secret\\.key holds [0-9a-f]{8}\\. Set`),
    })
  })

  test('do not open a damaged proof', async (t) => {
    const { db, dataDir } = await makeSource(t)
    const source = { secretKeys: [first], dataDir }
    await unlockSecrets(db, source)
    await db.query('update seal_proofs set proof = substr(proof, 1, length(proof) - 1)')
    await assert.rejects(unlockSecrets(db, source), { message: missing(idOf(first), 'and') })
  })

  test('without a proof are checked with a sealed value, which is named', async (t) => {
    const { db, dataDir } = await makeSource(t)
    const [key] = readSecretKeys({ secretKeys: [second], dataDir })
    assert.ok(key)
    const sealed = createSealer(key).seal('invented', 'activity_chains.sealed_head:1')
    await db.query(
      `with own as (insert into organizations (name) values ('Invented') returning id)
       insert into activity_chains (organization_id, position, removed_position, sealed_head)
       select id, 0, 0, $1 from own`,
      [sealed],
    )
    await assert.rejects(unlockSecrets(db, { secretKeys: [first], dataDir }), {
      message: missing(idOf(second), 'and SECRET_KEY gives'),
    })
    await unlockSecrets(db, { secretKeys: [second], dataDir })
  })

  test('of two starts at once are checked one after the other', async (t) => {
    const { db, dataDir } = await makeSource(t)
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    const { promise: isLocked, resolve: tellLocked } = Promise.withResolvers<void>()
    const other = db.transaction(async (tx) => {
      await lockProofs(tx)
      await insertProof(tx, { key_id: idOf(second), proof: Buffer.from('invented') })
      tellLocked()
      await mayEnd
    })
    await isLocked
    const unlocking = assert.rejects(unlockSecrets(db, { secretKeys: [first], dataDir }), {
      message: missing(idOf(second), 'and'),
    })
    const waiting = `select from pg_locks where not granted and relation = 'seal_proofs'::regclass`
    while ((await db.query(waiting)).length === 0) await sleep(5)
    end()
    await Promise.all([other, unlocking])
  })
})
