import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { runCommand } from '../../../test/command.ts'
import { startReplicated } from '../../../test/replicated.ts'
import { until } from '../../../test/until.ts'
import type { Finding } from './finding.ts'

const folder = await mkdtemp(join(tmpdir(), 'lora-doctor-'))
after(() => rm(folder, { recursive: true }))
const { primary, standby, url } = await startReplicated({ after }, { isSynchronous: false })

async function find(databaseUrl = url): Promise<Finding | undefined> {
  const settings = { DATABASE_URL: databaseUrl, DATA_DIR: folder, PUBLIC_URL: 'http://127.0.0.1:1' }
  const { output } = await runCommand(['doctor', '--json'], settings)
  const { findings }: { findings: Finding[] } = JSON.parse(output)
  return findings.find(({ check }) => check === 'database.standbys')
}

const [one, two] = [primary, standby].map(({ port }) => `127.0.0.1:${port}`)

test('doctor says which standby can take over', async () => {
  await until(async () => (await standby.run('select from pg_stat_wal_receiver')).length === 1)
  assert.deepEqual(await find(), {
    check: 'database.standbys',
    status: 'ok',
    says: `${one} takes writes, and ${two} can take over.`,
  })
  assert.equal(await find(primary.url), undefined, 'with one server there is nothing to say')
  const twice = await find(primary.url.replace(`${one}`, `${one},localhost:${primary.port}`))
  assert.equal(twice?.says, `All addresses in DATABASE_URL lead to one server, ${one}.`)
})

test('doctor warns of a standby that follows nobody, or is away', async () => {
  // "all" leaves replication out.
  await writeFile(join(primary.data, 'pg_hba.conf'), 'host all all 127.0.0.1/32 trust\n')
  await primary.run('select pg_reload_conf(), pg_terminate_backend(pid) from pg_stat_replication')
  await until(async () => (await standby.run('select from pg_stat_wal_receiver')).length === 0)
  const lone = await find()
  assert.equal(lone?.status, 'warning')
  assert.match(lone?.says ?? '', /receives nothing from a primary/)
  await standby.stop()
  const away = await find()
  assert.equal(away?.status, 'warning')
  assert.match(away?.says ?? '', new RegExp(`^${two} does not answer: .*ECONNREFUSED`))
  await standby.start()
})

test('two servers that take writes, or none, are a problem', async () => {
  await standby.run('select pg_promote()')
  const both = await find()
  assert.equal(both?.status, 'problem')
  assert.match(both?.says ?? '', new RegExp(`^${one} and ${two} all take writes`))
  await Promise.all([primary.stop(), standby.stop()])
  assert.equal((await find())?.says, 'None of the servers in DATABASE_URL takes writes.')
})
