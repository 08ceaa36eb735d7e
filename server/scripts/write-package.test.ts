import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { createTestDatabase } from '../test/database.ts'
import { findFreePort } from '../test/port.ts'
import { until } from '../test/until.ts'

/** As npm installs it: below node_modules, with only the dependencies that it names. */

const root = join(import.meta.dirname, '../..')
const scratch = await mkdtemp(join(tmpdir(), 'lora-package-'))
after(() => rm(scratch, { recursive: true }))
const modules = join(scratch, 'node_modules')
const installed = join(modules, 'lora-fleet-console')
// Instead of the one that is built, which may be old or missing.
const builtConsole = join(scratch, 'console')
await mkdir(join(builtConsole, 'guide'), { recursive: true })
await writeFile(join(builtConsole, 'index.html'), '<div id="root"></div>')
await writeFile(join(builtConsole, 'guide/index.html'), '<h1 id="guide">Guide</h1>')
const writer = join(import.meta.dirname, 'write-package.ts')
await promisify(execFile)(process.execPath, ['--no-warnings', writer, installed, builtConsole])
const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
for (const name of Object.keys(manifest.dependencies)) {
  await mkdir(dirname(join(modules, name)), { recursive: true })
  await symlink(join(root, 'node_modules', name), join(modules, name))
}
const program = join(installed, manifest.bin['lora-console'])

/** They do something when they are loaded. */
const isStarted = /(main|worker|openapi-viewer|lora-console|import-codec)\.js$/

test('package, command and image have one Node', async () => {
  const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const nodes = Object.entries<string>(manifest.optionalDependencies)
  assert.ok(nodes.length > 3)
  assert.equal(manifest.dependencies.node, undefined)
  for (const [name, version] of nodes) assert.equal(version, dependencies.node, name)
  const dockerfile = await readFile(join(root, 'Dockerfile'), 'utf8')
  const base = /^ARG BASE=docker\.io\/library\/node:([\d.]+)-slim$/m.exec(dockerfile)
  assert.equal(base?.[1], dependencies.node)
  // The command reads what it needs there.
  assert.equal(manifest.engines.node, `>=${dependencies.node.split('.')[0]}`)
})

test('the package lists its parts in CycloneDX', async () => {
  const bill = JSON.parse(await readFile(join(installed, 'sbom.cdx.json'), 'utf8'))
  assert.equal(bill.bomFormat, 'CycloneDX')
  assert.equal(bill.metadata.component.name, manifest.name)
  const names = new Set(
    bill.components.map(({ group, name }: { group?: string; name: string }) =>
      group ? `${group}/${name}` : name,
    ),
  )
  for (const name of [...Object.keys(manifest.dependencies), 'react'])
    assert.ok(names.has(name), name)
  assert.ok(!names.has('fast-check'))
})

test('every file of the package loads with only its dependencies', async () => {
  const paths = await readdir(join(installed, 'server'), { recursive: true })
  const files = paths.filter((path) => path.endsWith('.js') && !isStarted.test(path))
  assert.ok(files.length > 500)
  const list = join(scratch, 'load.mjs')
  await writeFile(
    list,
    files.map((path) => `import '${join(installed, 'server', path)}'\n`).join(''),
  )
  await promisify(execFile)(process.execPath, [list])
  for (const name of ['react', 'vite']) assert.equal(manifest.dependencies[name], undefined)
})

test('the package serves API, console and reference, and runs its commands', async (t) => {
  const database = await createTestDatabase()
  t.after(() => database.drop())
  const { PATH = '', HOME = '' } = process.env
  const port = String(await findFreePort())
  const env = { PATH, HOME, DATABASE_URL: database.url, SECRET_KEY: 'x'.repeat(32), WORKERS: '2' }
  const child = spawn(process.execPath, [program, 'serve', '--port', port], { cwd: scratch, env })
  t.after(() => child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  const errors = text(child.stderr)
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
  })
  await until(() => output.includes('"msg":"serving"') || child.exitCode !== null)
  assert.equal(child.exitCode, null, output)
  const address = `http://127.0.0.1:${port}`
  const read = async (path: string) =>
    (await fetch(`${address}${path}`, { headers: { accept: 'text/html' } })).text()
  assert.match(await read('/'), /<div id="root">/)
  assert.match(await read('/docs'), /<html/)
  assert.match(await read('/guide/'), /<h1 id="guide">/)
  assert.match(await read('/openapi.json'), /"openapi":"3/)
  const users = [program, 'user', 'list', '--json']
  const { stdout } = await promisify(execFile)(process.execPath, users, { env })
  assert.equal(JSON.parse(stdout).users[0].email, 'admin@localhost')
  child.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null])
  assert.equal(await errors, '')
})
