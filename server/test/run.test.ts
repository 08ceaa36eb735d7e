import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { endOf } from './command.ts'
import { serverVariable } from './database.ts'

const root = join(import.meta.dirname, '../..')

test('counts files that fail to load as failures, and CI tests that lack a program too', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'lora-run-'))
  t.after(() => rm(folder, { recursive: true }))
  const head = "import { test } from 'node:test'\n"
  for (const [name, text] of [
    [
      'failing',
      `${head}test('passes', () => {})\ntest('fails', () => { throw new Error('no') })\n`,
    ],
    ['unloaded', `${head}test('passes', () => {})\nthrow new Error('not built')\n`],
    ['unknown', "import './nowhere.ts'\n"],
    [
      'skipped',
      `${head}test('a', { skip: 'mosquitto is not installed' }, () => {})
test('b', { skip: 'only on Linux' }, () => {})\n`,
    ],
  ] as const) {
    await writeFile(join(folder, `${name}.test.ts`), text)
  }
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const words = [join(import.meta.dirname, 'run.ts'), `${relative(root, folder)}/*.test.ts`]
  const child = spawn(process.execPath, words, {
    cwd: root,
    env: { ...env, DATABASE_URL: process.env[serverVariable] },
  })
  child.stdin.end()
  const { code, output } = await endOf(child)
  assert.equal(code, 1)
  assert.match(output, /^ℹ pass 2$/m)
  assert.match(output, /^ℹ fail 3$/m)
  assert.match(output, /not built/)
  assert.match(output, /^ℹ skipped 2$/m)
  if (process.platform === 'win32') return
  const count = ['-f', join(root, '.ci/count.awk')]
  assert.equal(execFileSync('awk', count, { input: output, encoding: 'utf8' }), '2 4\n')
})
