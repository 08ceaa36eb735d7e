import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { connect } from './connect.ts'
import {
  isPostmasterAlive,
  isProcessAlive,
  readPostmasterFile,
} from './embedded/postmaster-file.ts'
import { type EmbeddedPostgres, removeEmbedded, startEmbedded } from './embedded.ts'

const silentLog = { debug() {}, info() {}, warn() {}, error() {} }

/** A server process that does nothing but hold its PostgreSQL; says so on its output. */
const holderScript = `
  const { startEmbedded } = await import(process.argv[1])
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const [dataDir, shelter, more] = process.argv.slice(2)
  const options = { dataDir, shelter, log, ...JSON.parse(more) }
  const started = await startEmbedded(options).catch((error) => error)
  console.log(started instanceof Error ? started.message : 'started')
  setInterval(() => {}, 1000)`

let directory: string
let shelter: string
const holders: ChildProcess[] = []
const started: EmbeddedPostgres[] = []

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'embedded-test-'))
  shelter = join(directory, 'shelter')
  await chmod(directory, 0o755)
})
after(async () => {
  for (const holder of holders) holder.kill('SIGKILL')
  await Promise.all(started.map(({ stop }) => stop()))
  for (const name of readdirSync(directory)) await remove(name)
  await rm(directory, { recursive: true })
})

/** Without waiting for the disk, which a killed process does not need, but for the main case. */
function settingsOf(name: string): { settings?: Record<string, string> } {
  return name === 'matrix' ? {} : { settings: { fsync: 'off' } }
}

async function startHere(name: string): Promise<EmbeddedPostgres> {
  const dataDir = join(directory, name)
  const postgres = await startEmbedded({ dataDir, shelter, log: silentLog, ...settingsOf(name) })
  started.push(postgres)
  return postgres
}

async function remove(name: string): Promise<void> {
  await removeEmbedded({ dataDir: join(directory, name), shelter, log: silentLog })
}

function spawnHolder(name: string): ChildProcess {
  const module = new URL('./embedded.ts', import.meta.url).href
  const parameters = [join(directory, name), shelter, JSON.stringify(settingsOf(name))]
  const args = ['--input-type=module', '-e', holderScript, module, ...parameters]
  const holder = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  holders.push(holder)
  return holder
}

/** What the process says once it has PostgreSQL, or could not get it. */
async function readAnswer(holder: ChildProcess): Promise<string> {
  assert(holder.stdout)
  const [line] = await once(createInterface({ input: holder.stdout }), 'line')
  return line
}

async function kill(holder: ChildProcess): Promise<void> {
  holder.kill('SIGKILL')
  await once(holder, 'exit')
}

/** The process id of the PostgreSQL in a directory. */
async function readPostmasterId(name: string): Promise<number> {
  const file = await readPostmasterFile(join(directory, name, 'postgres', 'cluster'))
  assert(file)
  return file.pid
}

async function run<Row>({ url }: { url: string }, text: string): Promise<Row[]> {
  const db = connect(url, { connectTimeout: 1000 })
  try {
    return await db.query<Row>(text)
  } finally {
    await db.close()
  }
}

/** Waits for PostgreSQL to come back; fails after 10 s. */
async function runWhenBack<Row>(postgres: { url: string }, text: string): Promise<Row[]> {
  const end = performance.now() + 10_000
  for (;;) {
    try {
      return await run<Row>(postgres, text)
    } catch (error) {
      if (performance.now() > end) throw error
      await wait(20)
    }
  }
}

async function addRound(postgres: EmbeddedPostgres, round: number): Promise<void> {
  await run(postgres, 'create table if not exists round (number integer primary key)')
  await run(postgres, `insert into round values (${round})`)
}

async function readRounds(postgres: EmbeddedPostgres): Promise<number[]> {
  const rows = await runWhenBack<{ number: number }>(
    postgres,
    'select number from round order by 1',
  )
  return rows.map(({ number }) => number)
}

describe('the embedded PostgreSQL', () => {
  const name = 'matrix'

  test('keeps its data over stop and start, behind a role that is no superuser', async () => {
    const first = await startHere(name)
    await addRound(first, 1)
    const [settings] = await run(
      first,
      `select current_setting('data_checksums') as checksums, current_setting('fsync') as fsync,
              current_setting('server_encoding') as encoding, current_user as user,
              (select rolsuper from pg_roles where rolname = current_user) as superuser,
              lower('ÄÖ') as lower, 'Z' < 'a' as points`,
    )
    assert.deepEqual(settings, {
      checksums: 'on',
      fsync: 'on',
      encoding: 'UTF8',
      user: 'lora_fleet_console',
      superuser: false,
      lower: 'äö',
      points: true,
    })
    await first.stop()
    const second = await startHere(name)
    assert.equal(second.url, first.url)
    assert.deepEqual(await readRounds(second), [1])
    await second.stop()
    const files = readdirSync(join(directory, name))
    assert.deepEqual(files.sort(), ['postgres', 'postgres.json', 'server.lock'])
    assert.equal(statSync(join(directory, name, 'postgres.json')).mode & 0o777, 0o600)
  })

  test('is refused to a second server, which is told the directory and the process', async () => {
    const first = await startHere(name)
    try {
      const expected = new RegExp(
        `${join(directory, name)} is in use by .*process ${process.pid} on`,
      )
      assert.match(await readAnswer(spawnHolder(name)), expected)
      await assert.rejects(startHere(name), expected)
      assert.deepEqual(await readRounds(first), [1])
    } finally {
      await first.stop()
    }
  })

  test('is started again when it is killed, at the same address', async () => {
    const postgres = await startHere(name)
    try {
      for (const round of [2, 3]) {
        await addRound(postgres, round)
        const killed = await readPostmasterId(name)
        process.kill(killed, 'SIGKILL')
        await wait(0)
        assert.deepEqual((await readRounds(postgres)).at(-1), round)
        assert.notEqual(await readPostmasterId(name), killed)
      }
    } finally {
      await postgres.stop()
    }
    assert.equal(await readPostmasterFile(postgres.directory), undefined)
  })

  test('can be stopped at once after it was killed', async () => {
    const postgres = await startHere(name)
    process.kill(await readPostmasterId(name), 'SIGKILL')
    await postgres.stop()
    const again = await startHere(name)
    assert.deepEqual(await readRounds(again), [1, 2, 3])
    await again.stop()
  })

  test('is taken from a server that was killed, whose PostgreSQL still runs', async () => {
    const holder = spawnHolder(name)
    assert.equal(await readAnswer(holder), 'started')
    const orphan = await readPostmasterId(name)
    await kill(holder)
    assert(isProcessAlive(orphan))
    const postgres = await startHere(name)
    assert.notEqual(await readPostmasterId(name), orphan)
    assert.deepEqual(await readRounds(postgres), [1, 2, 3])
    await postgres.stop()
  })

  test('starts after server and PostgreSQL were both killed', async () => {
    const holder = spawnHolder(name)
    assert.equal(await readAnswer(holder), 'started')
    process.kill(await readPostmasterId(name), 'SIGKILL')
    await kill(holder)
    const postgres = await startHere(name)
    assert.deepEqual(await readRounds(postgres), [1, 2, 3])
    await postgres.stop()
  })

  test('starts when another process has got its old number', async () => {
    const { uid, gid } = statSync(join(directory, name, 'postgres', 'cluster'))
    const isRoot = process.getuid?.() === 0
    const stranger = spawn('sleep', ['60'], isRoot ? { uid, gid, cwd: '/' } : {})
    try {
      const cluster = join(directory, name, 'postgres', 'cluster')
      const lines = [stranger.pid, cluster, 1, 5432, '/tmp', '', '  1         1', 'ready   ', '']
      writeFileSync(join(cluster, 'postmaster.pid'), lines.join('\n'))
      const postgres = await startHere(name)
      assert.deepEqual(await readRounds(postgres), [1, 2, 3])
      await postgres.stop()
      assert(stranger.pid && isProcessAlive(stranger.pid))
    } finally {
      stranger.kill('SIGKILL')
    }
  })
})

describe('the first start', () => {
  test('can be killed at any moment and done again', async () => {
    for (const delay of [150, 300, 500, 700, 900, 1100]) {
      const holder = spawnHolder('killed')
      await wait(delay)
      await kill(holder)
    }
    const postgres = await startHere('killed')
    await addRound(postgres, 1)
    assert.deepEqual(await readRounds(postgres), [1])
    await postgres.stop()
  })

  test('has one winner when two servers begin at once', async () => {
    const answers = await Promise.all([spawnHolder('race'), spawnHolder('race')].map(readAnswer))
    const [loser, winner] = answers.sort()
    assert.equal(winner, 'started')
    assert.match(loser ?? '', /^The data directory .* is in use by another server \(process \d+ on/)
  })

  test('finds a short place for the socket when the path is long', async () => {
    const name = 'long'.repeat(30)
    const postgres = await startHere(name)
    assert.match(postgres.url, /host=%2Ftmp%2Flora-fleet-console-/)
    assert.deepEqual(await run(postgres, 'select 1 as n'), [{ n: 1 }])
    await postgres.stop()
    const socketDirectory = new URL(postgres.url).searchParams.get('host')
    assert(socketDirectory && !existsSync(socketDirectory))
  })
})

test('a directory is removed together with the orphan in it', async () => {
  const holder = spawnHolder('removed')
  assert.equal(await readAnswer(holder), 'started')
  const orphan = await readPostmasterFile(join(directory, 'removed', 'postgres', 'cluster'))
  assert(orphan && (await isPostmasterAlive(orphan)))
  await assert.rejects(remove('removed'), /is in use/)
  await kill(holder)
  await remove('removed')
  assert.equal(await isPostmasterAlive(orphan), false)
  assert(!existsSync(join(directory, 'removed')))
})
