import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import {
  kill,
  openTrial,
  readAnswer,
  readPostmasterId,
  run,
  type Trial,
} from '../../../test/embedded-trial.ts'
import { isProcessAlive } from './postmaster-file.ts'

const noCopies = { skip: process.platform === 'win32' }

let trial: Trial

before(async () => {
  trial = await openTrial()
})
after(() => trial.close())

test('a copied data directory leaves the PostgreSQL of the first one alone', noCopies, async () => {
  const live = await trial.start('live')
  await run(live, 'create table kept (number integer)')
  await run(live, 'checkpoint').catch(() => {})
  const pid = await readPostmasterId(trial.dataDir('live'))
  const copied = spawnSync('cp', ['-a', trial.dataDir('live'), trial.dataDir('copy')])
  assert.equal(copied.status, 0, String(copied.stderr))
  const file = join(trial.dataDir('copy'), 'postgres', 'cluster', 'postmaster.pid')
  assert.match(readFileSync(file, 'utf8'), new RegExp(`^${pid}\n.*/live/`))

  const copy = await trial.start('copy')
  assert.ok(isProcessAlive(pid), 'the first one still runs')
  assert.notEqual(await readPostmasterId(trial.dataDir('copy')), pid)
  await run(copy, 'insert into kept values (1)')
  await run(live, 'insert into kept values (2)')
  assert.deepEqual(await run(copy, 'select number from kept'), [{ number: 1 }])
  assert.deepEqual(await run(live, 'select number from kept'), [{ number: 2 }])
  await copy.stop()
  await live.stop()
})

test('a data directory that was moved is taken from what still runs in it', noCopies, async () => {
  const server = trial.spawnServer('old-name')
  assert.equal(await readAnswer(server), 'started')
  const orphan = await readPostmasterId(trial.dataDir('old-name'))
  await kill(server)
  renameSync(trial.dataDir('old-name'), trial.dataDir('new-name'))
  const postgres = await trial.start('new-name')
  assert.equal(isProcessAlive(orphan), false)
  await postgres.stop()
})
