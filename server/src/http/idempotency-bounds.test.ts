import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { foundOrganization } from '../../test/members.ts'
import { startTestService } from '../../test/service.ts'
import { removeOldKeys } from '../features/operation/idempotency/answer-store.ts'

const service = await startTestService({ after })
const { db } = service.services
const start = new Date('2026-03-01T12:00:00.000Z')
const minute = 60_000
service.setClock(start)

function sumBytes(organizationId: number) {
  return db.query<{ bytes: number; keys: number }>(
    `select coalesce(sum(octet_length(sealed_answer)), 0)::bigint as bytes, count(*) as keys
     from idempotency_keys where organization_id = $1`,
    [organizationId],
  )
}

test('answers beyond 64 kB are not kept, and their requests are not done again', async () => {
  const as = await foundOrganization(service, 'large@example.test')
  const devices = Array.from({ length: 1000 }, () => ({ deviceId: 'x'.repeat(60) }))
  const options = { as, body: { devices }, headers: { 'idempotency-key': 'large' } }
  const first = await service.call('POST', '/v1/batch-device-requests', options)
  assert.equal(first.status, 200)
  assert.ok(first.text.length > 64 * 1024)
  const again = await service.call('POST', '/v1/batch-device-requests', options)
  assert.equal(again.status, 409)
  assert.match(again.body.message, /was done before, with status 200\. Its answer was too large/)
  assert.equal(again.headers['retry-after'], undefined)
  assert.deepEqual(await sumBytes(as.organizationId), [{ bytes: 0, keys: 1 }])
})

test('what changes nothing is handled each time, and its answers are not kept', async () => {
  const as = await foundOrganization(service, 'trials@example.test')
  const headers = { 'idempotency-key': 'trial' }
  for (const payload of ['1a0301', '1a0300']) {
    const body = { device_type: 16, payload }
    const answer = await service.call('POST', '/v1/frames/explain', { as, body, headers })
    assert.deepEqual([answer.status, answer.headers['idempotent-replayed']], [200, undefined])
    assert.match(answer.text, new RegExp(payload, 'i'))
  }
  assert.deepEqual(await sumBytes(as.organizationId), [{ bytes: 0, keys: 0 }])
})

test('keeps 16 MiB of an organization and 64 MiB of a tenant, of which the newest stay', async () => {
  const as = await foundOrganization(service, 'full@example.test')
  const below = []
  for (const name of ['a', 'b', 'c', 'd']) {
    below.push(await foundOrganization(service, `${name}.full@example.test`, as))
  }
  /** Fills an organization with answers of 60 kB, as requests would. */
  const fill = (organizationId: number, count: number) =>
    db.query(
      `insert into idempotency_keys (organization_id, scope, claim, claimed_until, expires_at,
         sealed_request, answer_status, sealed_answer)
       select $1, sha256(number::text::bytea), gen_random_uuid(), $3::timestamptz, $3::timestamptz - number * interval '1 second',
         '', 200, convert_to(repeat('x', 60000), 'UTF8')
       from generate_series(1, $2::integer) as number`,
      [organizationId, count, new Date(start.getTime() + 20 * 60 * minute)],
    )
  for (const { organizationId } of [as, ...below]) await fill(organizationId, 400)
  await removeOldKeys(db, start)
  let all = 0
  for (const { organizationId } of [as, ...below]) {
    const [sum] = await sumBytes(organizationId)
    assert.ok(sum && sum.bytes <= 16 * 1024 * 1024, `${sum?.bytes} bytes`)
    all += sum.bytes
  }
  assert.ok(all <= 64 * 1024 * 1024 && all > 60 * 1024 * 1024, `${all} bytes`)
  const [newest] = await db.query<{ is_there: boolean }>(
    `select exists (
       select from idempotency_keys where organization_id = $1 and scope = sha256('1')
     ) as is_there`,
    [as.organizationId],
  )
  assert.equal(newest?.is_there, true)
})

test('counts what a key takes besides its answer', async () => {
  const as = await foundOrganization(service, 'small@example.test')
  await db.query(
    `insert into idempotency_keys (organization_id, scope, claim, claimed_until, expires_at,
       sealed_request, answer_status, sealed_answer)
     select $1, sha256(number::text::bytea), gen_random_uuid(), $2, $2, '', 204, ''
     from generate_series(1, 33000) as number`,
    [as.organizationId, new Date(start.getTime() + 20 * 60 * minute)],
  )
  await removeOldKeys(db, start)
  assert.deepEqual(await sumBytes(as.organizationId), [{ bytes: 0, keys: 32_768 }])
})

test('an organization that stores one answer after the other comes to its bound and stays there', async () => {
  const as = await foundOrganization(service, 'many@example.test')
  const devices = Array.from({ length: 400 }, () => ({ deviceId: 'x'.repeat(40) }))
  for (let round = 0; round < 60; round += 1) {
    const keys = Array.from({ length: 8 }, (_, number) => `${round} ${number}`)
    await Promise.all(
      keys.map((key) =>
        service.call('POST', '/v1/batch-device-requests', {
          as,
          body: { devices },
          headers: { 'idempotency-key': key },
        }),
      ),
    )
  }
  const [sum] = await sumBytes(as.organizationId)
  assert.ok(sum && sum.bytes > 8 * 1024 * 1024, `${sum?.bytes} bytes`)
  assert.ok(sum.bytes <= 17 * 1024 * 1024, `${sum.bytes} bytes`)
})
