import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { endOf, runCommand } from './command.ts'

/** How people start the program, as documents and messages say it. */

const root = fileURLToPath(new URL('../..', import.meta.url))

function run(program: string, words: readonly string[], more: Record<string, string> = {}) {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const child = spawn(program, words, { cwd: root, env: { ...env, ...more } })
  child.stdin.end()
  return endOf(child)
}

test('no text starts npx for a name that a registry would answer', () => {
  const patterns = [
    '*.md',
    'docs/**/*.{md,json}',
    'server/**/*.{ts,js,json}',
    'bin/*',
    'deploy/**/*',
  ]
  const places = [...patterns, 'console/{src,scripts,guide}/**/*.{ts,tsx}', 'clients/*/*.{md,json}']
  const files = places.flatMap((pattern) => globSync(pattern, { cwd: root, withFileTypes: true }))
  const paths = files
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
  assert.ok(paths.length > 500)
  const wrong = paths.flatMap((path) => {
    const found =
      readFileSync(path, 'utf8').match(/\bnpx\s+(?:-\S+\s+)*lora-console|"npx",?$/gm) ?? []
    return found
      .filter((words) => !/^npx\s+--no-install\s/.test(words))
      .map((words) => [path, words])
  })
  assert.deepEqual(wrong, [])
})

test('an older Node runs it by the one that is installed with it', async () => {
  const older =
    'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.0.0"}})'
  const program = join(root, 'bin/lora-console.js')
  const { code, output } = await run(process.execPath, ['--import', older, program, '--version'])
  assert.deepEqual([code, output], [0, '0.1.0\n'])
})

test('codec without a file fails, and says how it is used', async () => {
  const { code, output, errors } = await runCommand(['codec'])
  assert.deepEqual([code, output], [2, ''])
  assert.match(errors, /^Name a file or a folder\.\n[\s\S]*lora-console codec \[options\]/)
})

test('a file that is not there is told in words', async () => {
  const settings = { API_TOKEN: 'x', LORA_CONSOLE_KEY: 'x' }
  const commands = [
    ['import', 'csv', '/nowhere/a'],
    ['import', 'thingpark', '/nowhere/a'],
    ['audit', 'verify', '--file', '/nowhere/a'],
    ['codec', '--check', '/nowhere/a'],
    ['mcp', '--key-file', '/nowhere/a'],
  ]
  for (const words of commands) {
    const { code, errors } = await runCommand(words, settings)
    assert.equal(code, 1, words.join(' '))
    assert.match(errors, /^\/nowhere\/a.*there is no such file\.\n$/, words.join(' '))
  }
  const { errors } = await runCommand(['import', 'csv', 'a'], { API_TOKEN_FILE: '/nowhere/a' })
  assert.equal(errors, '/nowhere/a: there is no such file.\n')
})

test('npm test -- FILE runs this file only', async () => {
  const child = spawn('npm', ['test', '--', 'server/src/lora/airtime.test.ts'], {
    cwd: root,
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const output = await text(child.stdout)
  const files = [...output.matchAll(/server\/\S+\.test\.ts/g)].map(([file]) => file)
  assert.deepEqual([...new Set(files)], ['server/src/lora/airtime.test.ts'], output.slice(-2000))
})
