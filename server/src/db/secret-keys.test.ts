import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { makeKeyFile, readSecretKeys } from './secret-keys.ts'

const directory = mkdtempSync(join(tmpdir(), 'secret-keys-test-'))
after(() => rmSync(directory, { recursive: true }))

const setting = 'correct horse battery staple, twice'

describe('the secret keys', () => {
  test('come from the setting, the same each time, in their order', () => {
    const read = (...secretKeys: string[]) => readSecretKeys({ secretKeys, dataDir: '/nowhere' })
    const [key] = read(setting)
    assert.equal(key?.length, 32)
    assert.deepEqual(read(`${setting}!`, setting)[1], key)
    assert.notDeepEqual(read(`${setting}!`, setting)[0], key)
    assert.deepEqual(read(), [])
  })

  test('end with that of the key file, which is made for the owner only', () => {
    const dataDir = mkdtempSync(join(directory, 'made-'))
    assert.deepEqual(readSecretKeys({ secretKeys: [], dataDir }), [])
    const key = makeKeyFile(dataDir)
    assert.deepEqual(makeKeyFile(dataDir), key, 'what is there is not replaced')
    assert.deepEqual(readSecretKeys({ secretKeys: [], dataDir }), [key])
    assert.deepEqual(readSecretKeys({ secretKeys: [setting], dataDir })[1], key)
    assert.deepEqual(readdirSync(dataDir), ['secret.key'])
    assert.equal(statSync(join(dataDir, 'secret.key')).mode & 0o777, 0o600)
  })

  test('are the same for several that start at once', async () => {
    const dataDir = mkdtempSync(join(directory, 'race-'))
    const script = `const { parentPort, workerData } = require('node:worker_threads')
      import(workerData.module).then(({ makeKeyFile }) => {
        parentPort.postMessage(makeKeyFile(workerData.dataDir).toString('hex'))
      })`
    const module = new URL('./secret-keys.ts', import.meta.url).href
    const keys = await Promise.all(
      Array.from({ length: 4 }, () => {
        const worker = new Worker(script, { eval: true, workerData: { module, dataDir } })
        return new Promise((resolve, reject) => worker.on('message', resolve).on('error', reject))
      }),
    )
    assert.equal(new Set(keys).size, 1)
    assert.equal(keys.length, 4)
  })

  test('are never replaced when the file is damaged', () => {
    const dataDir = mkdtempSync(join(directory, 'damaged-'))
    writeFileSync(join(dataDir, 'secret.key'), 'half a key')
    assert.throws(() => readSecretKeys({ secretKeys: [], dataDir }), /secret\.key holds no key/)
    assert.throws(() => makeKeyFile(dataDir), /secret\.key holds no key/)
    assert.equal(readFileSync(join(dataDir, 'secret.key'), 'utf8'), 'half a key')
  })
})
