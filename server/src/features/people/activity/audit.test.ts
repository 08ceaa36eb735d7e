import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { runCommand } from '../../../../test/command.ts'
import { foundOrganization } from '../../../../test/members.ts'
import { type Login, startTestService, testKey } from '../../../../test/service.ts'
import { chainActivities } from './chain-activities.ts'
import { hashOfRecord } from './chain-record.ts'
import { removeOldActivities } from './remove-old-activities.ts'

const service = await startTestService({ after })
const { db } = service.services
const folder = mkdtempSync(join(tmpdir(), 'audit-test-'))
after(() => rmSync(folder, { recursive: true }))
writeFileSync(join(folder, 'secret.key'), `${testKey.toString('base64url')}\n`, { mode: 0o600 })

const audit = (...words: string[]) =>
  runCommand(['audit', ...words], { DATABASE_URL: service.databaseUrl, DATA_DIR: folder })

async function createGroups(as: Login, ...names: string[]) {
  for (const groupName of names) {
    const { status } = await service.call('POST', '/v1/device-groups', { as, body: { groupName } })
    assert.equal(status, 200)
  }
  await chainActivities(service.services)
}

const exportLines = async (as: Login, query = '') =>
  (await service.call('GET', `/v1/fleet/activity/lines${query}`, { as })).text

async function verify(as: Login) {
  const { status, body } = await service.call('GET', '/v1/fleet/activity/verification', { as })
  assert.equal(status, 200)
  return body.data
}

// shows 11.8.1-3
test('chains what was changed, and exports it with hashes that anybody can check', async () => {
  const as = await foundOrganization(service, 'chain@example.test')
  await createGroups(as, 'A', '=B "quoted" \\ é')
  await createGroups(as, 'C')
  const text = await exportLines(as)
  const records = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(
    records.map(({ position, name, address, operation, user_email, organization_id }) => [
      ...[position, name, address, operation, user_email, organization_id],
    ]),
    ['A', '=B "quoted" \\ é', 'C'].map((name, index) => [
      ...[index + 1, name, '127.0.0.1', 'POST /device-groups'],
      ...['chain@example.test', as.organizationId],
    ]),
  )
  assert.equal(records[0].previous, '0'.repeat(64))
  assert.equal(records[2].previous, records[1].hash)
  assert.equal(await exportLines(as, '?after=2'), `${text.trimEnd().split('\n')[2]}\n`)
  const csv = await service.call('GET', '/v1/fleet/activity/export?after=2', { as })
  assert.match(csv.text, /^position,at,user_email.*\r\n3,2026-03-01T12:00:00\.000000Z,chain@/)
  assert.ok(csv.text.endsWith(`${records[1].hash},${records[2].hash}\r\n`))
  const state = await verify(as)
  assert.deepEqual(
    [state.is_whole, state.records, state.last_hash, state.waiting, state.fault],
    [true, 3, records[2].hash, 0, null],
  )
  const path = join(folder, 'chain.ndjson')
  writeFileSync(path, text)
  assert.equal((await runDocumented(path)).code, 0)
  const end = await audit('verify', '--file', path, '--organization', String(as.organizationId))
  assert.equal(end.code, 0, end.errors)
  assert.match(end.output, /3 records \(1 to 3\) fit together/)
  assert.match(end.output, /continues after them/)

  writeFileSync(path, text.replace('"name":"C"', '"name":"D"'))
  const forged = await runDocumented(path)
  assert.deepEqual([forged.code, forged.errors], [1, 'Record 3 does not fit.\n'])
  const refused = await audit('verify', '--file', path)
  assert.equal(refused.code, 1)
  assert.match(refused.errors, /Record 3 has another hash than its content gives/)
})

/** The program of docs/audit.md. */
async function runDocumented(path: string) {
  const page = readFileSync(new URL('../../../../../docs/audit.md', import.meta.url), 'utf8')
  const program = /```js\n(.*?)```/s.exec(page)?.[1] ?? ''
  assert.ok(program.split('\n').length <= 21)
  const file = join(folder, 'verify.mjs')
  writeFileSync(file, program)
  const { status, stderr } = spawnSync(process.execPath, [file, path], { encoding: 'utf8' })
  return { code: status, errors: stderr }
}

const tamperings: [string, string, RegExp][] = [
  ['a changed record', "update activities set name = 'X' where POSITION 2", /^Record 2 has/],
  ['another user', 'update activities set user_id = 1 where POSITION 2', /^Record 2 has/],
  ['a removed record', 'delete from activities where POSITION 2', /^Record 2 is missing/],
  ['removed oldest records', 'delete from activities where POSITION 1', /^Record 1 is missing/],
  ['removed newest records', 'delete from activities where POSITION 4', /^Record 4 is missing/],
  [
    'a record that is chained once more',
    'update activities set position = null where POSITION 3',
    /^Record 3 is missing/,
  ],
  [
    'a newest record with a hash that fits',
    `update activities set name = 'X', hash = 'HASH' where POSITION 4`,
    /^Record 4 is not the one that the service has sealed/,
  ],
  [
    'a shortened chain',
    `with gone as (delete from activities where POSITION 4)
     update activity_chains set position = 3 where organization_id = ORGANIZATION`,
    /^The head of the chain does not open/,
  ],
  [
    'the head of another chain',
    `update activity_chains set sealed_head = (
       select sealed_head from activity_chains where organization_id <> ORGANIZATION limit 1
     ) where organization_id = ORGANIZATION`,
    /^The head of the chain does not open/,
  ],
  [
    'a missing head',
    'delete from activity_chains where organization_id = ORGANIZATION',
    /^The head of the chain is missing/,
  ],
  [
    'a record behind the end',
    'update activities set position = 5 where POSITION 4',
    /^Record 4 is missing/,
  ],
]

// shows 11.8.4
test('names the first record that does not fit, whatever was done to the database', async (t) => {
  for (const [index, [name, statement, message]] of tamperings.entries()) {
    await t.test(name, async () => {
      const as = await foundOrganization(service, `tampering-${index}@example.test`)
      await createGroups(as, 'A', 'B', 'C', 'D')
      assert.equal((await verify(as)).is_whole, true)
      const forged = forgeLast(await exportLines(as))
      const where = `organization_id = ${as.organizationId} and position =`
      await db.query(
        statement
          .replaceAll('POSITION', where)
          .replaceAll('ORGANIZATION', String(as.organizationId))
          .replaceAll('HASH', `\\x${forged}`),
      )
      const state = await verify(as)
      assert.equal(state.is_whole, false)
      assert.match(state.fault.message, message)
    })
  }
  const end = await audit('verify')
  assert.equal(end.code, 1)
  assert.match(end.output, /^Organization \d+: 3 records \(1 to 3\) fit together/m)
  assert.match(end.errors, /^Organization \d+: Record 2 is missing\.$/m)
})

/** The hash that the last record has with the name X, as a forger computes it. */
function forgeLast(text: string): string {
  const { hash: _, ...last } = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '')
  return hashOfRecord({ ...last, name: 'X' })
}

// shows 11.8.5
test('goes on where retention has removed the oldest records', async () => {
  const as = await foundOrganization(service, 'retention@example.test')
  await createGroups(as, 'A', 'B', 'C', 'D', 'E')
  const early = join(folder, 'early.ndjson')
  writeFileSync(early, await exportLines(as))
  await removeOldActivities(service.services, { most: 2 })
  const state = await verify(as)
  assert.deepEqual([state.is_whole, state.records, state.removed, state.last], [true, 2, 3, 5])
  const path = join(folder, 'late.ndjson')
  const organization = String(as.organizationId)
  const exported = await audit('export', path, '--organization', organization)
  assert.equal(exported.code, 0, exported.errors)
  assert.equal(readFileSync(path, 'utf8'), await exportLines(as))
  assert.equal((await runDocumented(path)).code, 0)
  const whole = await audit('verify', '--organization', organization, '--json')
  assert.equal(whole.code, 0, whole.errors)
  const [chain] = JSON.parse(whole.output).chains
  assert.deepEqual([chain.removed, chain.records, chain.fault], [3, 2, null])

  await createGroups(as, 'F')
  const compared = await audit('verify', '--file', early, '--organization', organization)
  assert.equal(compared.code, 0, compared.errors)
  await db.query('delete from activities where organization_id = $1', [as.organizationId])
  await db.query('delete from activity_chains where organization_id = $1', [as.organizationId])
  await createGroups(as, 'G', 'H', 'I', 'J', 'K')
  assert.equal((await verify(as)).is_whole, true)
  const again = await audit('verify', '--file', early, '--organization', organization)
  assert.equal(again.code, 1)
  assert.match(again.errors, /Record 5 of the database is not that of the file/)
})

test('two processes chain at the same time, and none waits for the other', async () => {
  const as = await foundOrganization(service, 'two@example.test')
  const names = Array.from({ length: 40 }, (_, index) => `G${index}`)
  const bodies = names.map((groupName) => ({ as, body: { groupName } }))
  await Promise.all([
    ...bodies.map((options) => service.call('POST', '/v1/device-groups', options)),
    ...names.map(() => chainActivities(service.services)),
  ])
  await chainActivities(service.services)
  const state = await verify(as)
  assert.deepEqual([state.is_whole, state.records, state.waiting], [true, 40, 0])
})
