import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { removeEmbedded } from '../src/db/embedded.ts'
import { createTestDatabase } from './database.ts'
import { makeInstallation } from './process.ts'

/*
 * Runs the commands of docs/operation.md and docs/production.md in their order, in a directory like a clone. Blocks marked
 * `sh` are run. Blocks marked `console` need things that a test lacks, such as systemd.
 */

const root = fileURLToPath(new URL('../..', import.meta.url))
const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const run = promisify(execFile)

async function readBlocks(page: string): Promise<string[]> {
  const text = await readFile(join(root, 'docs', page), 'utf8')
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map((match) => match[1] ?? '')
}

test('docs/operation.md and docs/production.md can be followed to the letter', async (t) => {
  const clone = await mkdtemp(join(tmpdir(), 'lora-fleet-operation-'))
  for (const name of await readdir(root)) {
    if (name !== 'data') await symlink(join(root, name), join(clone, name))
  }
  const [dataDir, restored] = [join(clone, 'data'), join(clone, 'restored')]
  const installation = await makeInstallation(t)
  const database = await createTestDatabase({ isEmpty: true })
  const trial = await createTestDatabase({ isEmpty: true })
  t.after(async () => {
    await database.drop()
    await trial.drop()
    for (const dataDir of [join(clone, 'data'), restored]) {
      await removeEmbedded({ dataDir, log: quiet }).catch(() => {})
    }
    await rm(clone, { recursive: true, force: true })
  })
  const server = installation.start({ DATA_DIR: dataDir })
  await server.waitFor('"msg":"serving"')
  const pages = await Promise.all(['operation.md', 'production.md'].map(readBlocks))
  for (const { length } of pages) assert.ok(length >= 3)
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
  const databases = { NEW_DATABASE_URL: database.url, TRIAL_DATABASE_URL: trial.url }
  const env = { PATH, HOME, NODE_COMPILE_CACHE, ...databases }
  const outputs: string[] = []
  for (const block of pages.flat()) {
    // `npm start` also puts the pinned Node first in PATH.
    const script = `set -e; export PATH="$PWD/node_modules/.bin:$PATH"\n${block}`
    const { stdout } = await run('bash', ['-c', script], { cwd: clone, env })
    outputs.push(stdout)
  }
  await server.end('SIGTERM')
  const all = outputs.join('')
  const backups = [
    ...all.matchAll(/Done: (\d+ rows of \d+ tables), as of .* Every count was checked/g),
  ]
  const restores = [
    ...all.matchAll(/Done: (\d+ rows of \d+ tables)\. Every count is that of the ba/g),
  ]
  assert.equal(backups.length, 3)
  assert.deepEqual(
    restores.map(([, counts]) => counts),
    backups.map(([, counts]) => counts),
  )
  await installation.start({ DATA_DIR: restored }).waitFor('"msg":"serving"')
})
