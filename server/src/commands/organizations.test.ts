import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { runCommand } from '../../test/command.ts'
import { createTestDatabase } from '../../test/database.ts'
import { makeInstallation } from '../../test/process.ts'
import { call } from '../../test/traffic.ts'

const owner = { email: 'owner@example.test', password: 'an invented pass phrase' }
const database = await createTestDatabase()
after(() => database.drop())
const settings = { DATABASE_URL: database.url, SECRET_KEY: 'x'.repeat(32) }
const installation = await makeInstallation({ after })
const { address } = installation
const admin = { ADMIN_EMAIL: owner.email, ADMIN_PASSWORD: owner.password }
await installation.start({ ...settings, ...admin }).waitFor('"msg":"serving"')

const { token } = await call(`${address}/v1/auth/login`, { method: 'POST', body: owner })
const headers = { authorization: `Bearer ${token}`, organization: '1' }
const found = await call(`${address}/v1/organizations`, {
  method: 'POST',
  headers,
  body: { name: 'Harbour Cold Storage', owner: { email: owner.email } },
})
const id = String(found.data.id)

const run = (words: string[]) => runCommand(['organization', ...words], settings)

async function refuses(words: string[], message: RegExp): Promise<void> {
  const { code, output, errors } = await run(words)
  assert.deepEqual([code, output], [1, ''])
  assert.match(errors, message)
}

test('lists organizations, with limits and what they use', async () => {
  const { code, output, errors } = await run(['list'])
  assert.equal(code, 0, errors)
  assert.equal(
    output,
    `1\t-\tOrganization 1\t0 of 100000 devices\t1 organizations
${id}\t1\tHarbour Cold Storage\t0 of 100000 devices\t0 of 1000 organizations
`,
  )
  const below = await run(['list', '--below', '1', '--json'])
  assert.deepEqual(
    JSON.parse(below.output).organizations.map((one: { id: number }) => String(one.id)),
    [id],
  )
})

test('sets limits of an organization', async () => {
  const { code, output, errors } = await run(['limit', id, '--devices', '5', '--requests', '600'])
  assert.equal(code, 0, errors)
  assert.match(output, /0 of 5 devices\t0 of 1000 organizations\t600 requests a minute/)
  const list = await call(`${address}/v1/organizations`, { headers })
  assert.deepEqual(list.data[0].limits, {
    devices: 5,
    organizations: 1000,
    requests_per_minute: 600,
  })
  await refuses(['limit', id], /Name a limit/)
  await refuses(['limit', id, '--devices', 'many'], /The device limit must be a whole number/)
  await refuses(['limit', '99', '--devices', '5'], /There is no organization 99/)
})

test('deletes an organization, and tells when it is done', async () => {
  await refuses(['delete', '1', 'Organization 1'], /cannot be deleted/)
  await refuses(['delete', id, 'Harbour'], /is not called Harbour: nothing was changed/)
  const { code, output, errors } = await run(['delete', id, 'Harbour Cold Storage', '--wait'])
  assert.equal(code, 0, errors)
  assert.match(output, /^Harbour Cold Storage is being deleted\.\n[\s\S]*It is deleted\.\n$/)
  assert.deepEqual((await call(`${address}/v1/organizations`, { headers })).data, [])
  const deletions = await call(`${address}/v1/organization/deletions`, { headers })
  assert.deepEqual(
    deletions.data.map((one: { state: string; requested_by: null }) => [
      one.state,
      one.requested_by,
    ]),
    [['done', null]],
  )
})
