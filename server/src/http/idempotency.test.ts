import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, beforeEach, test } from 'node:test'
import { registrationOf } from '../../test/fleet.ts'
import { foundOrganization, joinMember } from '../../test/members.ts'
import { type CallOptions, startTestService } from '../../test/service.ts'
import { showLife } from '../db/presence.ts'
import { createAnswerStore, removeOldKeys } from '../features/operation/idempotency/answer-store.ts'
import { takeOver } from '../features/operation/idempotency/key-queries.ts'

const service = await startTestService({ after })
const { db } = service.services
const start = new Date('2026-03-01T12:00:00.000Z')
const minute = 60_000

beforeEach(() => service.setClock(start))

let lastNumber = 0
/** A registration that nobody has sent yet. */
function newDevice() {
  lastNumber += 1
  return registrationOf(lastNumber, { consoleOnly: true })
}

function register(body: object, key: string, options: CallOptions = {}) {
  return service.call('POST', '/v1/devices', {
    body,
    ...options,
    headers: { 'idempotency-key': key, ...options.headers },
  })
}

function isTaken(answer: { status: number; body: { errors?: Record<string, string[]> } }) {
  assert.equal(answer.status, 422)
  assert.deepEqual(answer.body.errors?.deviceId, ['The device id has already been taken.'])
}

// shows 10.6.22
test('repeats the first answer, word by word, and does the work once', async () => {
  const body = newDevice()
  const first = await register(body, 'once')
  assert.equal(first.status, 200)
  assert.equal(first.headers['idempotent-replayed'], undefined)
  await service.call('PATCH', `/v1/devices/${body.deviceId}`, { body: { device_name: 'Gate' } })
  const again = await register(body, 'once')
  assert.equal(again.status, 200)
  assert.equal(again.text, first.text)
  assert.equal(again.headers['content-type'], first.headers['content-type'])
  assert.equal(again.headers['idempotent-replayed'], 'true')
})

test('repeats the status too', async () => {
  const body = {
    email: 'new@example.test',
    password: 'four words make sense',
    first_name: 'Ada',
    last_name: 'New',
    permissions: [],
  }
  const options = { body, headers: { 'idempotency-key': 'member' } }
  const first = await service.call('POST', '/v1/organization/users', options)
  const again = await service.call('POST', '/v1/organization/users', options)
  assert.deepEqual([first.status, again.status], [201, 201])
  assert.equal(again.text, first.text)
})

// shows 10.6.23
test('refuses another body, or another query, under the same key', async () => {
  const body = newDevice()
  await register(body, 'other body')
  const wrong = 'The Idempotency-Key was used for another request before.'
  const refused = {
    message: wrong,
    errors: { 'Idempotency-Key': [wrong] },
    error_codes: { 'Idempotency-Key': ['key_used'] },
    error_values: { 'Idempotency-Key': [{}] },
  }
  const answer = await register({ ...body, deviceName: 'Gate' }, 'other body')
  assert.equal(answer.status, 422)
  assert.deepEqual(answer.body, refused)
  const queried = await service.call('POST', '/v1/devices?organization=1', {
    body,
    headers: { 'idempotency-key': 'other body' },
  })
  assert.deepEqual(queried.body, refused)
})

test('keeps keys apart by user, organization and path', async () => {
  const body = newDevice()
  await register(body, 'shared')
  const member = await joinMember(service, 'member@example.test', ['manage_devices'])
  isTaken(await register(body, 'shared', { as: member }))
  const stranger = await foundOrganization(service, 'stranger@example.test')
  const theirs = await register(body, 'shared', { as: stranger })
  assert.equal(theirs.status, 200, theirs.text)
  const elsewhere = await service.call('POST', '/v1/organizations', {
    body: {},
    headers: { 'idempotency-key': 'shared' },
  })
  assert.deepEqual(Object.keys(elsewhere.body.errors), ['name', 'owner'])
  const withSlash = await service.call('POST', '/v1/devices/', {
    body,
    headers: { 'idempotency-key': 'shared' },
  })
  assert.equal(withSlash.headers['idempotent-replayed'], 'true')
})

test('keeps keys of one user apart by organization', async () => {
  const stranger = await foundOrganization(service, 'two@example.test')
  const below = await foundOrganization(service, 'below.two@example.test', stranger)
  const body = newDevice()
  assert.equal((await register(body, 'two', { as: stranger })).status, 200)
  const there = await joinMember(service, 'two@example.test', ['manage_devices'], below)
  const answer = await register(newDevice(), 'two', { as: there })
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.headers['idempotent-replayed'], undefined)
})

test('of other methods is ignored', async () => {
  const { deviceId } = newDevice()
  await register({ ...newDevice(), deviceId }, 'method')
  const headers = { 'idempotency-key': 'method' }
  for (const name of ['Gate', 'Door']) {
    const body = { device_name: name }
    const answer = await service.call('PATCH', `/v1/devices/${deviceId}`, { body, headers })
    assert.equal(answer.status, 200, answer.text)
    const read = await service.call('GET', `/v1/devices/${deviceId}`, { headers })
    assert.equal(read.headers['idempotent-replayed'], undefined)
    assert.match(read.text, new RegExp(name))
  }
})

test('asks again whether the caller may', async () => {
  const member = await joinMember(service, 'leaves@example.test', ['manage_devices'])
  const body = newDevice()
  assert.equal((await register(body, 'leaves', { as: member })).status, 200)
  await service.call('DELETE', `/v1/organization/users/${member.userId}`)
  assert.equal((await register(body, 'leaves', { as: member })).status, 403)
})

test('does not keep a failure', async () => {
  const taken = newDevice()
  await register(taken, 'first')
  isTaken(await register(taken, 'fails'))
  await service.call('DELETE', `/v1/devices/${taken.deviceId}`)
  assert.equal((await register(taken, 'fails')).status, 200)
  assert.equal((await register({}, 'empty')).status, 422)
  assert.equal((await register(newDevice(), 'empty')).status, 200)
})

test('answers 409 while the first request is being handled', async () => {
  const body = newDevice()
  const { promise: isHeld, resolve: tellHeld } = Promise.withResolvers<void>()
  const { promise: isOver, resolve: letGo } = Promise.withResolvers<void>()
  const holding = db.transaction(async (tx) => {
    await tx.query('select id from organizations where id = 1 for update')
    tellHeld()
    await isOver
  })
  await isHeld
  const first = register(body, 'busy')
  while ((await countOf('answer_status is null')) === 0) await new Promise(setImmediate)
  const second = await register(body, 'busy')
  assert.equal(second.status, 409)
  assert.equal(second.headers['retry-after'], '1')
  assert.deepEqual(second.body, {
    message: 'A request with this Idempotency-Key is still being handled.',
  })
  assert.equal((await register({ ...body, deviceName: 'Gate' }, 'busy')).status, 422)
  letGo()
  await holding
  assert.equal((await first).status, 200)
  assert.equal((await register(body, 'busy')).text, (await first).text)
})

test('of many equal requests at once one does the work', async () => {
  const body = newDevice()
  const answers = await Promise.all(Array.from({ length: 10 }, () => register(body, 'many')))
  const done = answers.filter(({ status }) => status === 200)
  assert.equal(new Set(done.map(({ text }) => text)).size, 1)
  for (const { status } of answers) assert.ok(status === 200 || status === 409, String(status))
  assert.equal(done.filter(({ headers }) => !headers['idempotent-replayed']).length, 1)
})

test('frees the key of a server process that died two minutes ago', async () => {
  const body = newDevice()
  await register(body, 'crash')
  await db.query(
    `update idempotency_keys set answer_status = null, sealed_answer = null
     where claimed_until = (select max(claimed_until) from idempotency_keys)`,
  )
  assert.equal((await register(body, 'crash')).status, 409)
  service.setClock(new Date(start.getTime() + 2 * minute))
  isTaken(await register(body, 'crash'))
})

test('a process that was taken for dead settles nothing, and one follows it', async () => {
  const store = createAnswerStore(service.services)
  const request = {
    organizationId: 1,
    tenantId: 1,
    scope: Buffer.alloc(32, 1),
    fingerprint: 'invented',
  }
  const begin = async () => {
    const beginning = await store.begin(request)
    return beginning.kind === 'begun' ? beginning.claim : beginning
  }
  const first = await begin()
  assert.ok(typeof first === 'string')
  service.setClock(new Date(start.getTime() + 2 * minute))
  const takers = await Promise.all(Array.from({ length: 5 }, begin))
  const [second, ...others] = takers.filter((taken) => typeof taken === 'string')
  assert.ok(second)
  assert.deepEqual(others, [])
  await store.finish(request, first, { status: 200, result: 'the first' })
  await store.release(request, first)
  assert.deepEqual(await begin(), { kind: 'busy' })
  const claim = { scope: request.scope, claim: randomUUID(), now: start, claimedUntil: start }
  const late = { ...claim, claimedBy: null, expiresAt: start, previousClaim: first }
  assert.equal(await takeOver(db, 1, late), false)
  await store.finish(request, second, { status: 201, result: 'the second' })
  const answer = { status: 201, result: 'the second' }
  assert.deepEqual(await begin(), { kind: 'answered', answer })
  assert.equal(await takeOver(db, 1, { ...late, previousClaim: second }), false)
  await store.release(request, second)
  const third = await begin()
  assert.ok(typeof third === 'string')
  // With its quotes, the largest that is kept.
  const largest = { status: 200, result: 'x'.repeat(64 * 1024 - 2) }
  await store.finish(request, third, largest)
  assert.deepEqual(await begin(), { kind: 'answered', answer: largest })
  await db.query('delete from idempotency_keys where scope = $1', [request.scope])
})

test('frees the key of a server process when its signs of life have ended', async () => {
  const process = randomUUID()
  const body = newDevice()
  await register(body, 'died')
  await db.query(
    `update idempotency_keys set answer_status = null, sealed_answer = null, claimed_by = $1
     where claimed_until = (select max(claimed_until) from idempotency_keys)`,
    [process],
  )
  await showLife(db, process, 60)
  assert.equal((await register(body, 'died')).status, 409)
  await showLife(db, process, 0)
  isTaken(await register(body, 'died'))
})

// shows 10.6.22
test('forgets an answer after 24 hours', async () => {
  const body = newDevice()
  await register(body, 'old')
  service.setClock(new Date(start.getTime() + 24 * 60 * minute - 1))
  assert.equal((await register(body, 'old')).status, 200)
  service.setClock(new Date(start.getTime() + 24 * 60 * minute))
  isTaken(await register(body, 'old'))
})

test('removes keys whose time is over, and no others', async () => {
  await db.query('delete from idempotency_keys')
  await register(newDevice(), 'early')
  const late = new Date(start.getTime() + 24 * 60 * minute)
  service.setClock(late)
  await register(newDevice(), 'late')
  await removeOldKeys(db, late)
  assert.equal(await countOf('true'), 1)
})

test('takes keys of 1 to 255 characters', async () => {
  assert.equal((await register(newDevice(), 'k'.repeat(255))).status, 200)
  for (const key of ['', 'k'.repeat(256)]) {
    const answer = await register(newDevice(), key)
    assert.equal(answer.status, 400)
    assert.deepEqual(answer.body, {
      message: 'The Idempotency-Key must have 1 to 255 characters.',
    })
  }
})

test('leaves streams alone', async () => {
  const options = { headers: { 'idempotency-key': 'csv' } }
  for (let time = 0; time < 2; time += 1) {
    const answer = await service.call('POST', '/v1/devices/all/uplink', options)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['idempotent-replayed'], undefined)
  }
})

test('keeps neither request nor answer readable in the database', async () => {
  await register({ ...newDevice(), deviceName: 'Vault door' }, 'secret')
  const rows = await db.query<{ row: string }>(
    `select encode(sealed_request || coalesce(sealed_answer, ''), 'escape') as row
     from idempotency_keys`,
  )
  assert.ok(rows.length > 0)
  for (const { row } of rows) assert.ok(!row.includes('Vault door'))
})

async function countOf(condition: 'true' | 'answer_status is null'): Promise<number> {
  const text = `select count(*) as count from idempotency_keys where ${condition}`
  return (await db.query<{ count: number }>(text))[0]?.count ?? 0
}
