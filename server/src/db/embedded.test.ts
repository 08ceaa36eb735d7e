import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import {
  kill,
  openTrial,
  readAnswer,
  readPostmasterId,
  run,
  type Trial,
} from '../../test/embedded-trial.ts'
import { connect } from './connect.ts'
import { isProcessAlive, readPostmasterFile } from './embedded/postmaster-file.ts'
import type { EmbeddedPostgres } from './embedded.ts'

async function addRound(postgres: EmbeddedPostgres, round: number): Promise<void> {
  await run(postgres, 'create table if not exists round (number integer primary key)')
  await run(postgres, `insert into round values (${round})`)
}

async function readRounds(postgres: EmbeddedPostgres): Promise<number[]> {
  const rows = await run<{ number: number }>(postgres, 'select number from round order by 1')
  return rows.map(({ number }) => number)
}

let trial: Trial

before(async () => {
  trial = await openTrial()
})
after(() => trial.close())

describe('the embedded PostgreSQL', () => {
  const name = 'kept "data"'

  test('keeps its data over stop and start, behind a role that is no superuser', async () => {
    const first = await trial.start(name)
    await addRound(first, 1)
    const [settings] = await run(
      first,
      `select current_setting('data_checksums') as checksums, current_setting('fsync') as fsync,
              current_setting('server_encoding') as encoding,
              current_setting('recovery_init_sync_method') as sync, current_user as user,
              (select rolsuper from pg_roles where rolname = current_user) as superuser,
              lower('ÄÖ') as lower, 'Z' < 'a' as points`,
    )
    assert.deepEqual(settings, {
      checksums: 'on',
      fsync: 'on',
      encoding: 'UTF8',
      sync: process.platform === 'linux' ? 'syncfs' : 'fsync',
      user: 'lora_fleet_console',
      superuser: false,
      lower: 'äö',
      points: true,
    })
    await first.stop()
    const second = await trial.start(name)
    assert.equal(second.url, first.url)
    assert.deepEqual(await readRounds(second), [1])
    await second.stop()
    const files = readdirSync(trial.dataDir(name))
    assert.deepEqual(files.sort(), ['postgres', 'postgres.json', 'server.lock'])
    assert.equal(statSync(join(trial.dataDir(name), 'postgres.json')).mode & 0o777, 0o600)
  })

  test('is refused to a second server, which is told the directory and the process', async () => {
    const first = await trial.start(name)
    try {
      const expected = new RegExp(`${trial.dataDir(name)} is in use by .*process ${process.pid} on`)
      assert.match(await readAnswer(trial.spawnServer(name)), expected)
      await assert.rejects(trial.start(name), expected)
      assert.deepEqual(await readRounds(first), [1])
    } finally {
      await first.stop()
    }
  })

  test('is started again when it is killed, at the same address', async () => {
    const postgres = await trial.start(name)
    try {
      for (const round of [2, 3]) {
        await addRound(postgres, round)
        const killed = await readPostmasterId(trial.dataDir(name))
        process.kill(killed, 'SIGKILL')
        await wait(0)
        assert.deepEqual((await readRounds(postgres)).at(-1), round)
        assert.notEqual(await readPostmasterId(trial.dataDir(name)), killed)
      }
    } finally {
      await postgres.stop()
    }
    assert.equal(await readPostmasterFile(postgres.directory), undefined)
  })

  test('can be stopped at once after it was killed', async () => {
    const postgres = await trial.start(name)
    process.kill(await readPostmasterId(trial.dataDir(name)), 'SIGKILL')
    await postgres.stop()
    const again = await trial.start(name)
    assert.deepEqual(await readRounds(again), [1, 2, 3])
    await again.stop()
  })

  test('is stopped without a warning of the connections that are still open', async () => {
    const warnings: string[] = []
    const warn = (_: object, text: string) => warnings.push(text)
    const postgres = await trial.start(name, { debug() {}, info() {}, warn, error: warn })
    const db = connect(postgres.url)
    await db.query('select 1')
    await postgres.stop()
    await db.close()
    assert.deepEqual(warnings, [])
  })

  test('is taken from a server that was killed, whose PostgreSQL still runs', async () => {
    const server = trial.spawnServer(name)
    assert.equal(await readAnswer(server), 'started')
    const orphan = await readPostmasterId(trial.dataDir(name))
    await kill(server)
    assert(isProcessAlive(orphan))
    const postgres = await trial.start(name)
    assert.notEqual(await readPostmasterId(trial.dataDir(name)), orphan)
    assert.deepEqual(await readRounds(postgres), [1, 2, 3])
    await postgres.stop()
  })

  test('starts after server and PostgreSQL were both killed', async () => {
    const server = trial.spawnServer(name)
    assert.equal(await readAnswer(server), 'started')
    process.kill(await readPostmasterId(trial.dataDir(name)), 'SIGKILL')
    await kill(server)
    const postgres = await trial.start(name)
    assert.deepEqual(await readRounds(postgres), [1, 2, 3])
    await postgres.stop()
  })

  test('starts when another process has got its old number', async () => {
    const { uid, gid } = statSync(join(trial.dataDir(name), 'postgres', 'cluster'))
    const isRoot = process.getuid?.() === 0
    const stranger = spawn('sleep', ['60'], isRoot ? { uid, gid, cwd: '/' } : {})
    try {
      const cluster = join(trial.dataDir(name), 'postgres', 'cluster')
      const lines = [stranger.pid, cluster, 1, 5432, '/tmp', '', '  1         1', 'ready   ', '']
      writeFileSync(join(cluster, 'postmaster.pid'), lines.join('\n'))
      const postgres = await trial.start(name)
      assert.deepEqual(await readRounds(postgres), [1, 2, 3])
      await postgres.stop()
      assert(stranger.pid && isProcessAlive(stranger.pid))
    } finally {
      stranger.kill('SIGKILL')
    }
  })
})
