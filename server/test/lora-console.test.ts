import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { programs } from '../programs.ts'
import { commands } from '../src/commands/index.ts'
import { type CommandEnd, runCommand } from './command.ts'
import { createTestDatabase } from './database.ts'
import { makeInstallation } from './process.ts'

const owner = { ADMIN_EMAIL: 'owner@example.test', ADMIN_PASSWORD: 'an invented pass phrase' }

const isWindows = process.platform === 'win32'

function refuses(end: CommandEnd, code: number, words: RegExp) {
  assert.equal(end.code, code, end.errors)
  assert.match(end.errors, words)
  assert.equal(end.errors.trim().split('\n').length, 1, end.errors)
  assert.equal(end.output, '')
}

describe('lora-console', () => {
  test('lists its commands, and tells of each', async () => {
    const { code, output, errors } = await runCommand(['--help'])
    assert.deepEqual({ code, errors }, { code: 0, errors: '' })
    assert.ok(commands.length > 0)
    for (const { usage, name } of commands) {
      assert.match(output, new RegExp(`^ {2}${usage} `, 'm'))
      const own = await runCommand([...name.split(' '), '--help'])
      assert.equal(own.code, 0)
      assert.match(own.output, new RegExp(`^lora-console ${usage}\n`))
    }
  })

  test('refuses wrong words with 2 and one line', async () => {
    refuses(await runCommand([]), 2, /^No command is named: /)
    refuses(await runCommand(['chekc']), 2, /^There is no command "chekc": lora-console --help /)
    refuses(await runCommand(['check', 'all']), 2, /^"all" is too much: lora-console check\.$/m)
    refuses(await runCommand(['check', '--all']), 2, /^Unknown option '--all'\.$/m)
  })

  test('tells without a stack trace why it cannot work', async (t) => {
    const { dataDir } = await makeInstallation(t)
    const settings = { DATA_DIR: join(dataDir, 'none') }
    refuses(
      await runCommand(['check'], settings),
      1,
      /^There is no database in .*none: set DATA_DIR/,
    )
    const wrong = await runCommand(['check'], { ...settings, PORT: 'http' })
    assert.equal(wrong.code, 1)
    assert.doesNotMatch(wrong.errors, / at /)
  })

  test('works on the database of a service that runs, and of one that is stopped', async (t) => {
    const installation = await makeInstallation(t)
    const settings = { DATA_DIR: installation.dataDir }
    const server = installation.start(owner)
    await server.waitFor('"msg":"serving"')
    const answer = /^The settings are right\. The database, the embedded one in .* answers: Post/
    assert.match((await runCommand(['check'], settings)).output, answer)
    await server.end('SIGTERM')
    assert.match((await runCommand(['check'], settings)).output, answer)
    const again = installation.start(owner)
    await again.waitFor('"msg":"serving"')
  })

  test('starts the other programs with their options', async () => {
    assert.ok(programs.length > 0)
    for (const { name, options } of programs) {
      const { code, output } = await runCommand([name, '--help'])
      assert.equal(code, 0)
      assert.match(output, new RegExp(`lora-console ${name} `))
      const told = [...output.matchAll(/^ {2}--([a-z-]+)/gm)].map(([, option = '']) => option)
      assert.deepEqual(told.filter((option) => option !== 'help').sort(), [...options].sort())
      const wrong = ['simulate', 'codec'].includes(name)
        ? [name, 'x', '--wrong']
        : [name, '--wrong']
      refuses(await runCommand(wrong), 2, /--wrong/)
    }
    refuses(await runCommand(['serve', '--prot', '1']), 2, /^Unknown option '--prot'\.$/m)
    const wrong = await runCommand(['serve', '--port', 'http', '--host', 'a b'])
    assert.equal(wrong.code, 1)
    assert.match(wrong.errors, /- HOST must be an address .*\n- PORT must be a whole number/)
  })

  test('prints one object with --json, also of a mistake', async () => {
    const wrong = await runCommand(['check', '--json'], { PORT: 'http' })
    assert.deepEqual([wrong.code, wrong.errors], [1, ''])
    assert.match(JSON.parse(wrong.output).error, /PORT must be a whole number/)
    const unknown = await runCommand(['user', '--json'])
    const usages = commands.flatMap(({ usage }) => (usage.startsWith('user ') ? [usage] : []))
    assert.ok(usages.length > 1)
    const error = `Name one of: ${usages.join(', ')}.`
    assert.deepEqual([unknown.code, JSON.parse(unknown.output)], [2, { error }])
  })

  test('migrates an empty database, and tells whether there is something to do', async (t) => {
    const database = await createTestDatabase({ isEmpty: true })
    t.after(() => database.drop())
    const settings = { DATABASE_URL: database.url, SECRET_KEY: 'x'.repeat(32) }
    const before = await runCommand(['migrate', '--check'], settings)
    assert.equal(before.code, 1)
    assert.match(before.errors, / lacks the migration 0001-schema\.sql\.\n$/)
    const { code, output } = await runCommand(['migrate', '--json'], settings)
    assert.equal(code, 0, output)
    assert.equal(JSON.parse(output).applied[0], '0001-schema.sql')
    const after = await runCommand(['migrate', '--check'], settings)
    assert.match(after.output, / is up to date\.\n$/)
    const list = await runCommand(['user', 'list', '--json'], settings)
    assert.deepEqual(JSON.parse(list.output), { users: [], more: false })
  })

  test('completes its commands and options in bash', { skip: isWindows }, async () => {
    const { output } = await runCommand(['completion', 'bash'])
    const complete = async (...words: string[]) => {
      const script = `${output}
COMP_WORDS=(lora-console "$@"); COMP_CWORD=$#; _lora_console; echo "\${COMPREPLY[*]}"`
      const child = spawn('bash', ['-c', script, 'bash', ...words])
      return (await text(child.stdout)).trim()
    }
    assert.equal(await complete('se'), 'serve seal')
    const users = 'list add permit remove reset-password reset-two-factor'
    assert.equal(await complete('user', ''), users)
    assert.equal(await complete('user', 'list', '--'), '--search --json --help')
    assert.equal(await complete('demo', '--d'), '--devices')
    assert.equal(await complete('restore', '/et'), '')
    for (const shell of ['zsh', 'fish']) {
      assert.match((await runCommand(['completion', shell])).output, /lora-console/)
    }
  })

  test('is found by npx in a clone', async () => {
    const root = fileURLToPath(new URL('../..', import.meta.url))
    const { bin } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    const path = join(root, bin['lora-console'])
    assert.match(await readFile(path, 'utf8'), /^#!\/usr\/bin\/env node\n/)
    assert.equal((await stat(path)).mode & 0o111, 0o111)
    const cache = await mkdtemp(join(tmpdir(), 'npx-'))
    await chmod(cache, 0o755)
    try {
      const env = { ...process.env, npm_config_cache: cache, npm_config_offline: 'true' }
      const child = spawn('npx', ['--no-install', 'lora-console', '--help'], { cwd: root, env })
      assert.match(await text(child.stdout), /^lora-console COMMAND\n/)
    } finally {
      await rm(cache, { recursive: true })
    }
  })
})
