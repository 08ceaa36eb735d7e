import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { routes } from '../src/routes.ts'
import { securityEvents } from '../src/security-log/security-events.ts'
import { addDevice } from './fleet.ts'
import { foundOrganization, joinMember, memberPassword } from './members.ts'
import { connect, startChirpStack } from './network.ts'
import { ownerEmail, ownerPassword, startTestService } from './service.ts'

interface Line {
  event: string
  userId?: number
  organizationId?: number
  clientIp: string
  email?: string
  target?: Record<string, unknown>
  status?: number
  reason?: string
  unlogged?: number
}

let text = ''
const service = await startTestService(
  { after },
  { loginRateLimit: 1000, takeLine: (line) => (text += line) },
)
const { call } = service
let time = service.services.now().getTime()

/** Each test has its own minute, and so its own bound. */
beforeEach(() => {
  time += 60_000
  service.setClock(new Date(time))
})

/** Returns the lines that `work` writes, except the logins of its helpers. */
async function linesOf(work: () => Promise<unknown>): Promise<Line[]> {
  text = ''
  await work()
  // The service logs a success after its answer.
  await sleep(20)
  const lines = text.split('\n').flatMap((line) => (line ? [JSON.parse(line)] : []))
  return lines.flatMap(({ level, time: _, pid, hostname, msg, ...line }) => {
    assert.ok(level && pid && hostname)
    return msg === 'security event' ? [line as Line] : []
  })
}

function only(lines: Line[], event: string): Line {
  const found = lines.filter((line) => line.event === event)
  assert.equal(found.length, 1, `${event} in ${JSON.stringify(lines)}`)
  return found[0] as Line
}

test('every event belongs to a route', () => {
  const operations = routes.map(({ operation }) => operation)
  const names = Object.keys(securityEvents)
  assert.ok(names.length > 10)
  for (const name of names) assert.ok(operations.includes(name), name)
})

test('logs a login, and failures without what was typed for a password', async () => {
  const attempt = (email: string, password: string) =>
    call('POST', '/v1/auth/login', { as: null, body: { email, password } })
  const success = await linesOf(() => attempt(ownerEmail, ownerPassword))
  assert.deepEqual(success, [{ event: 'logged_in', userId: 1, clientIp: '127.0.0.1' }])
  const failures = await linesOf(async () => {
    await attempt(ownerEmail, 'not the password')
    await attempt('my password, typed in the wrong field', 'x')
  })
  const failed = {
    event: 'login_failed',
    clientIp: '127.0.0.1',
    target: { operation: 'POST /v1/auth/login' },
    status: 401,
    reason: 'These credentials do not match our records.',
  }
  assert.deepEqual(failures, [{ ...failed, email: ownerEmail }, failed])
  assert.doesNotMatch(text, /not the password|my password/)
})

test('logs who is invited, joins, is changed, leaves and is removed', async () => {
  const other = await foundOrganization(service, 'other@example.test')
  const guest = await joinMember(service, 'guest@example.test')
  const { organizationId } = other
  const users = '/v1/organization/users'
  const asked = await linesOf(() =>
    call('POST', users, {
      as: other,
      body: { email: 'guest@example.test', permissions: ['manage_devices'] },
    }),
  )
  assert.deepEqual(only(asked, 'invited'), {
    event: 'invited',
    userId: other.userId,
    organizationId,
    clientIp: '127.0.0.1',
    target: { email: 'guest@example.test', permissions: ['manage_devices'] },
  })
  const list = await call('GET', '/v1/user/invitations', { as: guest })
  const { id } = list.body.data[0]
  const url = `/v1/user/invitations/${id}/accept`
  const accepted = only(
    await linesOf(() => call('POST', url, { as: guest })),
    'invitation_accepted',
  )
  assert.deepEqual([accepted.userId, accepted.target], [guest.userId, { id: String(id) }])

  const of = `${users}/${guest.userId}`
  const changed = await linesOf(() =>
    call('PATCH', of, { as: other, body: { permissions: ['manage_groups'] } }),
  )
  assert.deepEqual(only(changed, 'member_changed').target, {
    user_id: String(guest.userId),
    permissions: ['manage_groups'],
  })
  const removed = await linesOf(() => call('DELETE', of, { as: other }))
  assert.equal(only(removed, 'member_removed').userId, other.userId)
  const left = await linesOf(() => call('DELETE', `${users}/me`, { as: guest }))
  assert.deepEqual(only(left, 'member_left').organizationId, 1)
  const added = await linesOf(() => joinMember(service, 'new@example.test'))
  assert.equal(only(added, 'member_added').target?.email, 'new@example.test')
  assert.doesNotMatch(text, new RegExp(memberPassword))
})

test('logs rotation and deletion, and no secret', async () => {
  const simulator = await startChirpStack({ after })
  const connected = await linesOf(() => connect(service, simulator))
  assert.deepEqual(only(connected, 'network_account_set').target, { network: 'chirpstack' })
  const path = '/v1/network-accounts/chirpstack'
  let value = ''
  const rotated = await linesOf(async () => {
    value = (await call('POST', `${path}/rotate`)).body.data.callback.value
  })
  assert.deepEqual(only(rotated, 'callback_secret_rotated').target, {
    network: 'chirpstack',
    endsFormer: false,
  })
  assert.ok(value !== '' && !text.includes(value))
  const { id } = await addDevice(service, 1)
  const deleted = await linesOf(() => call('DELETE', `/v1/devices/${id}`))
  assert.deepEqual(only(deleted, 'device_deleted').target, { device_id: String(id) })
  const batch = await linesOf(() =>
    call('POST', '/v1/batch-device-requests', {
      body: { devices: [{ action: 'Delete', deviceId: '00AA000000000001' }, { action: 'x' }] },
    }),
  )
  assert.deepEqual(only(batch, 'devices_changed').target, {
    items: 2,
    deletions: 1,
    deleted: ['00AA000000000001'],
  })
})

test('logs who is refused: without a token, a permission, or a membership', async () => {
  const reader = await joinMember(service, 'reader@example.test')
  const foreign = { ...reader, organizationId: 999 }
  const lines = await linesOf(async () => {
    await call('GET', '/v1/devices', { as: { token: 'x'.repeat(43), organizationId: 1 } })
    await call('DELETE', '/v1/organization/users/1', { as: reader })
    await call('GET', '/v1/devices', { as: foreign })
  })
  const clientIp = '127.0.0.1'
  assert.deepEqual(lines, [
    {
      event: 'refused',
      organizationId: 1,
      clientIp,
      target: { operation: 'GET /v1/devices' },
      status: 401,
      reason: 'Unauthenticated.',
    },
    {
      event: 'refused',
      userId: reader.userId,
      organizationId: 1,
      clientIp,
      target: { operation: 'DELETE /v1/organization/users/:user_id', user_id: '1' },
      status: 403,
      reason: 'You do not have the permission manage_account.',
    },
    {
      event: 'refused',
      userId: reader.userId,
      organizationId: 999,
      clientIp,
      target: { operation: 'GET /v1/devices' },
      status: 403,
      reason: 'You are not a member of this organization.',
    },
  ])
})

test('refused callers cannot flood the log, and what was left out is counted', async () => {
  const ask = (address: string) =>
    service.app.inject({ method: 'GET', url: '/v1/devices', remoteAddress: address })
  const askOften = (address: string) => Promise.all(Array.from({ length: 50 }, () => ask(address)))
  const lines = await linesOf(() => askOften('192.0.2.1'))
  assert.equal(lines.length, 20)
  const all = await linesOf(() =>
    Promise.all(Array.from({ length: 40 }, (_, index) => askOften(`198.51.100.${index}`))),
  )
  assert.equal(all.length, 280)
  assert.equal(all[0]?.unlogged, 30)
  service.setClock(new Date(time + 60_000))
  const [next] = await linesOf(() => ask('192.0.2.1'))
  assert.equal(next?.event, 'refused')
  // 301 of 2,051 refusals have a line.
  const unlogged = [...lines, ...all, next].map((line) => line?.unlogged ?? 0)
  assert.equal(
    unlogged.reduce((sum, count) => sum + count, 0),
    1750,
  )
})
