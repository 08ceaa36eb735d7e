import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { runCommand } from '../../test/command.ts'
import { createTestDatabase } from '../../test/database.ts'
import { makeInstallation } from '../../test/process.ts'
import { call } from '../../test/traffic.ts'

const owner = { email: 'owner@example.test', password: 'an invented pass phrase' }
const email = 'bo@example.test'
const database = await createTestDatabase()
after(() => database.drop())
const settings = { DATABASE_URL: database.url, SECRET_KEY: 'x'.repeat(32) }
const installation = await makeInstallation({ after })
const { address } = installation
const admin = { ADMIN_EMAIL: owner.email, ADMIN_PASSWORD: owner.password }
await installation.start({ ...settings, ...admin }).waitFor('"msg":"serving"')

const run = (words: string[], input?: string) => runCommand(['user', ...words], settings, input)

async function refuses(words: string[], message: RegExp): Promise<void> {
  const { code, output, errors } = await run(words)
  assert.deepEqual([code, output], [1, ''])
  assert.match(errors, message)
}

async function headersOf(person: { email: string; password: string }) {
  const { token } = await call(`${address}/v1/auth/login`, { method: 'POST', body: person })
  return { authorization: `Bearer ${token}`, organization: '1' }
}

async function readMe(headers: Record<string, string>) {
  return (await call(`${address}/v1/user/get-org-user/me`, { headers })).data
}

test('adds a member, sets what the member may do, and ends the membership', async () => {
  const words = [
    'add',
    email,
    '--permissions',
    'manage_groups,manage_devices',
    '--first-name',
    'Bo',
  ]
  const added = await run([...words, '--json'])
  assert.equal(added.code, 0, added.errors)
  const { password, ...told } = JSON.parse(added.output)
  const permissions = ['manage_devices', 'manage_groups']
  const id = told.id as number
  assert.deepEqual(told, { email, organization: 1, permissions, group: null, id, invited: false })
  const headers = await headersOf({ email, password })
  const me = await readMe(headers)
  assert.deepEqual([me.permissions, me.must_change_password], [permissions, true])
  await refuses(words, /^bo@example\.test is a member of Organization 1 already\.$/m)

  const permitted = await run(['permit', ' Bo@Example.test', 'all'])
  assert.match(permitted.output, /has manage_account, .* in Organization 1\.$/m)
  assert.ok((await readMe(headers)).permissions.includes('manage_account'))
  await run(['permit', email, 'installer'])
  assert.deepEqual((await readMe(headers)).permissions, ['manage_devices'])
  const none = await run(['permit', email, 'none', '--json'])
  assert.deepEqual(JSON.parse(none.output), { email, organization: 1, permissions: [] })

  const removed = await run(['remove', email])
  assert.equal(removed.output, 'bo@example.test is no member of Organization 1 any more.\n')
  await refuses(['remove', email], /^bo@example\.test is no member of Organization 1\.$/m)
  const answer = await fetch(`${address}/v1/devices`, { headers })
  assert.ok(answer.status === 401 || answer.status === 403, `${answer.status}`)

  const again = await run(['add', email])
  assert.match(again.output, /has a login, and is invited to Organization 1 for 14 days\.$/m)
  const sent = await call(`${address}/v1/organization/invitations`, {
    headers: await headersOf(owner),
  })
  assert.deepEqual(
    sent.data.map((each: { email: string }) => each.email),
    [email],
  )
})

test('refuses what would lock an organization, and what is none', async () => {
  await refuses(['remove', owner.email], /owns Organization 1: the owner cannot be removed\.$/m)
  await refuses(
    ['permit', owner.email, 'none'],
    /owns Organization 1, and has every permission\.$/m,
  )
  await refuses(['permit', owner.email, 'fly'], /^There is no permission fly: manage_account, /m)
  const add = ['add', 'x@example.test', '--role']
  await refuses([...add, 'boss'], /^There is no role boss: viewer, installer, /m)
  await refuses([...add, 'viewer', '--permissions', 'none'], /^Give --role or .*, not both\.$/m)
  await refuses(['add', 'x@example.test', '--organization', '7'], /^There is no organization 7: /m)
  await refuses(['add', 'x@example.test', '--group', '7'], /^Organization 1 has no group 7: /m)
  await refuses(['add', 'x'], /^x is no e-mail address\.$/m)
  const common = await run(['add', 'x@example.test', '--stdin'], 'baseball\n')
  assert.deepEqual([common.code, common.errors], [1, 'The password is too common.\n'])
})

test('adds a member by the name of a role', async () => {
  const added = await run(['add', 'op@example.test', '--role', 'operator', '--json'])
  assert.equal(added.code, 0, added.errors)
  const { permissions } = JSON.parse(added.output)
  const devices = ['manage_devices', 'manage_gateways', 'manage_groups']
  assert.deepEqual(permissions, ['manage_widget_dashboard', ...devices])
})

test('takes two-factor off, and ends the sessions of the user', async () => {
  const headers = await headersOf(owner)
  const off = await run(['reset-two-factor', owner.email])
  assert.equal(off.output, 'owner@example.test has no two-factor: nothing was changed.\n')
  await database.db.query(
    `insert into two_factors (user_id, sealed_secret, last_step, enabled_at)
     select id, '\\x00', 0, now() from users where email = $1`,
    [owner.email],
  )
  await database.db.query(
    `insert into passkeys (user_id, name, credential_id, public_key, counter, transports, created_at)
     select id, 'Phone', '\\x01', '\\x02', 0, '{}', now() from users where email = $1`,
    [owner.email],
  )
  const reset = await run(['reset-two-factor', owner.email, '--json'])
  assert.deepEqual(JSON.parse(reset.output), { email: owner.email, was_on: true })
  const answer = await fetch(`${address}/v1/devices`, { headers })
  assert.equal(answer.status, 401)
  assert.ok(await headersOf(owner))
  assert.deepEqual(await database.db.query('select from passkeys'), [])
})
