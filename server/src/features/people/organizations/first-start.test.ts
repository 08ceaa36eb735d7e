import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createTestDatabase } from '../../../../test/database.ts'
import { isPassword } from '../users/passwords.ts'
import { findCredentials } from '../users/user-queries.ts'
import { createFirstOrganization } from './first-start.ts'

const password = 'an admin password'

async function startEmpty(t: TestContext) {
  const database = await createTestDatabase()
  t.after(() => database.drop())
  const now = () => new Date('2026-03-01T12:00:00Z')
  return { db: database.db, services: { db: database.db, now } }
}

test('makes organization 1 and its owner from the settings', async (t) => {
  const { db, services } = await startEmpty(t)
  const admin = { email: 'root@example.test', password }
  assert.deepEqual(await createFirstOrganization(services, admin), {
    isNew: true,
    email: 'root@example.test',
    password: undefined,
  })
  const [row] = await db.query(
    `select organizations.id, organizations.name, organizations.parent_org_id, users.email,
       members.is_owner, organization_counters.uplink_count
     from organizations
     join users on users.id = organizations.owner_user_id
     join members on members.organization_id = organizations.id and members.user_id = users.id
     join organization_counters on organization_counters.organization_id = organizations.id`,
  )
  assert.deepEqual(row, {
    id: 1,
    name: 'Organization 1',
    parent_org_id: null,
    email: 'root@example.test',
    is_owner: true,
    uplink_count: 0,
  })
  const credentials = await findCredentials(db, admin.email)
  assert.equal(await isPassword(password, credentials?.password_hash), true)
  assert.equal(credentials?.must_change_password, false)
})

test('makes a random password where there is none in the settings', async (t) => {
  const { db, services } = await startEmpty(t)
  const made = await createFirstOrganization(services, { email: undefined })
  assert.ok(made.isNew)
  assert.equal(made.email, 'admin@localhost')
  assert.match(made.password ?? '', /^[\w-]{24}$/)
  // It was shown, so its owner chooses another one at the first login.
  const credentials = await findCredentials(db, 'admin@localhost')
  assert.equal(credentials?.must_change_password, true)
  assert.equal(await isPassword(made.password ?? '', credentials?.password_hash), true)
})

test('does nothing at later starts, whatever the settings say', async (t) => {
  const { db, services } = await startEmpty(t)
  await createFirstOrganization(services, { password })
  const again = await createFirstOrganization(services, { email: 'new@example.test', password })
  assert.deepEqual(again, { isNew: false })
  assert.equal(await findCredentials(db, 'new@example.test'), undefined)
  const credentials = await findCredentials(db, 'admin@localhost')
  assert.equal(await isPassword(password, credentials?.password_hash), true)
})

test('makes one when several processes start at the same instant', async (t) => {
  const { db, services } = await startEmpty(t)
  const starts = Array.from({ length: 4 }, () => createFirstOrganization(services, {}))
  const made = (await Promise.all(starts)).filter(({ isNew }) => isNew)
  assert.equal(made.length, 1)
  assert.equal((await db.query('select 1 from organizations')).length, 1)
  assert.equal((await db.query('select 1 from users')).length, 1)
})

test('gives it the id 1 even after a start that failed', async (t) => {
  const { db, services } = await startEmpty(t)
  await db.query("select nextval(pg_get_serial_sequence('organizations', 'id'))")
  await createFirstOrganization(services, {})
  assert.deepEqual(await db.query('select id from organizations'), [{ id: 1 }])
})

test('refuses a password that strangers try first, and does not repeat it', async (t) => {
  const { db, services } = await startEmpty(t)
  for (const [password, reason] of [
    ['Password123', /^ADMIN_PASSWORD can't be used\. The password is too common\.$/],
    ['me@Example.test1', /^ADMIN_PASSWORD can't be used\. The password may not be the e-mail/],
  ] as const) {
    const start = createFirstOrganization(services, { email: 'me@example.test', password })
    await assert.rejects(start, { message: reason })
  }
  assert.deepEqual(await db.query('select 1 from users'), [])
})
