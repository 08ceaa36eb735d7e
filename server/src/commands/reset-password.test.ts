import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { runCommand } from '../../test/command.ts'
import { createTestDatabase } from '../../test/database.ts'
import { makeInstallation } from '../../test/process.ts'
import { createFirstOrganization } from '../features/people/organizations/first-start.ts'

const email = 'owner@example.test'
const before = 'an invented pass phrase'
const admin = { ADMIN_EMAIL: email, ADMIN_PASSWORD: before }

interface LoginAnswer {
  status: number
  token?: string
  must_change_password?: boolean
}

async function logIn(address: string, password: string): Promise<LoginAnswer> {
  const answer = await fetch(`${address}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  return { status: answer.status, ...((await answer.json()) as object) }
}

test('gives an owner a new password beside the service that runs, and without it', async (t) => {
  const { start, dataDir, address } = await makeInstallation(t)
  const settings = { DATA_DIR: dataDir }
  const server = start(admin)
  await server.waitFor('"msg":"serving"')
  const { token } = await logIn(address, before)
  const reset = await runCommand(['user', 'reset-password', ' Owner@Example.TEST'], settings)
  assert.equal(reset.code, 0, reset.errors)
  const password = /^The new password of .* is {2}([\w-]{24})$/m.exec(reset.output)?.[1] ?? ''
  assert.equal((await logIn(address, before)).status, 401)
  const again = await logIn(address, password)
  assert.equal(again.status, 200)
  assert.equal(again.must_change_password, true)
  const headers = { authorization: `Bearer ${token}`, organization: '1' }
  const old = await fetch(`${address}/v1/user/get-org-user/me`, { headers })
  assert.equal(old.status, 401)

  await server.end('SIGTERM')
  const stopped = await runCommand(
    ['user', 'reset-password', '--stdin', email],
    settings,
    'eight quiet harbours\n',
  )
  assert.equal(stopped.code, 0, stopped.errors)
  assert.doesNotMatch(stopped.output, /quiet/)
  await start(admin).waitFor('"msg":"serving"')
  assert.equal((await logIn(address, password)).status, 401)
  assert.equal((await logIn(address, 'eight quiet harbours')).status, 200)
})

const database = await createTestDatabase()
after(() => database.drop())
await createFirstOrganization(
  { db: database.db, now: () => new Date() },
  { email, password: before },
)
const external = { DATABASE_URL: database.url, SECRET_KEY: 'x'.repeat(32) }

test('says who there is when nobody has the e-mail', async () => {
  const end = await runCommand(['user', 'reset-password', 'nobody@example.test'], external)
  assert.equal(end.code, 1)
  assert.equal(
    end.errors,
    'No user has the e-mail nobody@example.test. lora-console user list shows who there is.\n',
  )
  const list = await runCommand(['user', 'list'], external)
  assert.equal(list.output, `1\t${email}\towner of Organization 1\n`)
  const none = await runCommand(['user', 'list', '--search', 'nobody'], external)
  assert.equal(none.output, 'There is no such user.\n')
  const found = await runCommand(['user', 'list', '--search', 'OWNER@'], external)
  assert.equal(found.output, list.output)
})

test('refuses a password that strangers try first, and none at all', async () => {
  const words = ['user', 'reset-password', '--stdin', email]
  const common = await runCommand(words, external, 'baseball\n')
  assert.deepEqual([common.code, common.errors], [1, 'The password is too common.\n'])
  const none = await runCommand(words, external, '')
  assert.deepEqual([none.code, none.errors], [1, 'Standard input has no password.\n'])
})
