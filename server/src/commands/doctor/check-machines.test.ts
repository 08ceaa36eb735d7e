import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { databasesOf, isCluster } from '../../../test/citus.ts'
import { runCommand } from '../../../test/command.ts'
import { createTestDatabase } from '../../../test/database.ts'
import { connect } from '../../db/connect.ts'
import type { Finding } from './finding.ts'

const folder = await mkdtemp(join(tmpdir(), 'lora-doctor-'))
after(() => rm(folder, { recursive: true }))
const { url, drop } = await createTestDatabase()
after(drop)
const server = new URL(url)
const name = server.pathname.slice(1)
server.pathname = '/postgres'
const workers = databasesOf(server.href, 'postgres').slice(1)

async function find(): Promise<Finding | undefined> {
  const settings = { DATABASE_URL: url, DATA_DIR: folder, PUBLIC_URL: 'http://127.0.0.1:1' }
  const { output } = await runCommand(['doctor', '--json'], settings)
  const { findings }: { findings: Finding[] } = JSON.parse(output)
  return findings.find(({ check }) => check === 'database.machines')
}

async function alterOnWorker(change: string): Promise<void> {
  const db = connect(workers[0] ?? '', { max: 1 })
  await db.query(`alter database ${name} ${change}`).finally(db.close)
}

test('doctor says nothing of machines where there is one', { skip: isCluster() }, async () => {
  assert.equal(await find(), undefined)
})

test('doctor names the machines that do not answer, or lose what is committed', {
  skip: !isCluster(),
}, async () => {
  const machine = new URL(workers[0] ?? '').host
  await alterOnWorker('set synchronous_commit = off')
  const careless = await find()
  assert.equal(careless?.status, 'problem')
  assert.match(
    careless?.says ?? '',
    new RegExp(`On ${machine} \\S.*synchronous_commit of PostgreSQL are off`),
  )
  await alterOnWorker('reset synchronous_commit')
  const careful = await find()
  // The machines of the tests do without full_page_writes.
  assert.doesNotMatch(careful?.says ?? '', /synchronous_commit/)
  await alterOnWorker('with allow_connections false')
  const away = await find()
  assert.equal(away?.status, 'problem')
  assert.match(away?.says ?? '', new RegExp(`${machine} does not answer: `))
  await alterOnWorker('with allow_connections true')
})
