import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { kill, openTrial, readAnswer, run, type Trial } from '../../../test/embedded-trial.ts'
import { isPostmasterAlive, readPostmasterFile } from './postmaster-file.ts'

let trial: Trial

before(async () => {
  // A killed process does not need the disk to have followed; a killed machine would.
  trial = await openTrial({ fsync: 'off' })
})
after(() => trial.close())

describe('the first start', () => {
  test('can be killed at any moment and done again', async () => {
    for (const delay of [150, 300, 500, 700, 900, 1100]) {
      const server = trial.spawnServer('killed')
      await wait(delay)
      await kill(server)
    }
    const postgres = await trial.start('killed')
    const [row] = await run(postgres, 'select current_user as "user", current_database() as name')
    assert.deepEqual(row, { user: 'lora_fleet_console', name: 'lora_fleet_console' })
    await postgres.stop()
  })

  test('has one winner when two servers begin at once', async () => {
    const answers = await Promise.all(
      [trial.spawnServer('race'), trial.spawnServer('race')].map(readAnswer),
    )
    const [loser, winner] = answers.sort()
    assert.equal(winner, 'started')
    assert.match(loser ?? '', /^The data directory .* is in use by another server \(process \d+ on/)
  })

  test('finds a short place for the socket when the path is long', async () => {
    const name = 'long'.repeat(30)
    const postgres = await trial.start(name)
    assert.match(postgres.url, /host=%2Ftmp%2Flora-fleet-console-/)
    assert.deepEqual(await run(postgres, 'select 1 as n'), [{ n: 1 }])
    await postgres.stop()
    const socketDirectory = new URL(postgres.url).searchParams.get('host')
    assert(socketDirectory && !existsSync(socketDirectory))
  })
})

test('a directory is removed together with the orphan in it', async () => {
  const server = trial.spawnServer('removed')
  assert.equal(await readAnswer(server), 'started')
  const orphan = await readPostmasterFile(join(trial.dataDir('removed'), 'postgres', 'cluster'))
  assert(orphan && (await isPostmasterAlive(orphan)))
  await assert.rejects(trial.remove('removed'), /is in use/)
  await kill(server)
  await trial.remove('removed')
  assert.equal(await isPostmasterAlive(orphan), false)
  assert(!existsSync(trial.dataDir('removed')))
})
