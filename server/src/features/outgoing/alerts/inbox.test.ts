import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { startAlertTest } from '../../../../test/alerts.ts'
import { addGroup, euiOf } from '../../../../test/fleet.ts'
import { joinMember } from '../../../../test/members.ts'

const service = await startAlertTest({ after })
const { call, pass, uplink, createRule, alerts, server, services } = service
beforeEach(service.removeRules)

/** The case is opened, or closed. */
const cases = { open: '100200', shut: '100201' }
const change = (id: number, body: object) => call('PATCH', `/v1/alerts/${id}`, { body })
const list = async (query: string) => (await call('GET', `/v1/alerts?${query}`)).body
const inHours = (hours: number) =>
  new Date(services.now().getTime() + hours * 3_600_000).toISOString()

async function openOne(device = 1) {
  const rule = await createRule({ kind: 'tamper' })
  await uplink(device, { hex: cases.open })
  await pass(1)
  const [alert] = await alerts(`rule=${rule.id}`)
  return { rule, alert }
}

test('the worst come first and of equals the newest, page by page', async () => {
  const severities = ['info', 'critical', 'warning'] as const
  for (const severity of severities) {
    const rule = await createRule({ kind: 'tamper', name: severity, severity })
    assert.equal(rule.severity, severity)
  }
  for (const device of [1, 2]) await uplink(device, { hex: cases.open })
  await pass(1)
  const seen: [string, string][] = []
  let after: number | null = 0
  while (after !== null) {
    const from: string = after === 0 ? '' : `&after=${after}`
    const page = await list(`state=open&sort=severity&limit=4${from}`)
    for (const { severity, device } of page.data) seen.push([severity, device.eui])
    after = page.after
  }
  assert.deepEqual(
    seen,
    ['critical', 'warning', 'info'].flatMap((severity) => [2, 1].map((n) => [severity, euiOf(n)])),
  )
  assert.equal((await list('state=open&severity=info')).data.length, 2)
  const usual = await createRule({ kind: 'gateway_silent' })
  assert.equal(usual.severity, 'critical')
  const { body } = await call('PATCH', `/v1/alert-rules/${usual.id}`, {
    body: { severity: 'info' },
  })
  assert.equal(body.data.severity, 'info')
  for (const device of [1, 2]) await uplink(device, { hex: cases.shut })
})

test('an alert says where, and a member takes it or gives it to a colleague', async () => {
  const { alert } = await openOne()
  const group = await addGroup(service, 'Roof', { selectedDevices: [alert.device.id] })
  const colleague = await joinMember(service, 'colleague@example.test')
  const given = await change(alert.id, { assignee: colleague.userId, note: 'Please look.' })
  const { assigned_to, acknowledged_by, note, groups } = given.body.data
  assert.equal(assigned_to.id, colleague.userId)
  assert.notEqual(acknowledged_by.id, colleague.userId)
  assert.deepEqual([note, groups], ['Please look.', [{ id: group, name: 'Roof' }]])
  const of = (id: number) => list(`assignee=${id}`).then(({ data }) => data.length)
  assert.deepEqual([await of(colleague.userId), await of(acknowledged_by.id)], [1, 0])
  const back = await change(alert.id, { assignee: null })
  assert.deepEqual([back.body.data.assigned_to, back.body.data.note], [null, 'Please look.'])
  const other = await joinMember(service, 'other@example.test', ['manage_devices'])
  const said = await call('POST', `/v1/alerts/${alert.id}/acknowledge`, {
    body: { note: 'On my way.' },
    as: other,
  })
  const written = (answer: typeof said) =>
    answer.body.data.notes.map(({ text, by }: { text: string; by: { id: number } }) => [
      text,
      by.id,
    ])
  const both = [
    ['Please look.', acknowledged_by.id],
    ['On my way.', other.userId],
  ]
  assert.deepEqual([written(said), said.body.data.note], [both, 'On my way.'])
  // What only repeats the last one is not another.
  assert.deepEqual(written(await change(alert.id, { note: 'On my way.' })), both)
  assert.deepEqual(written(await change(alert.id, { note: null })), both.slice(0, 1))
  for (let number = 1; number <= 51; number += 1) await change(alert.id, { note: `${number}` })
  const many = written(await call('GET', `/v1/alerts/${alert.id}`))
  assert.deepEqual([many.length, many[0][0], many[49][0]], [50, '2', '51'])
  const wrong = await change(alert.id, { assignee: 999_999 })
  assert.deepEqual([wrong.status, Object.keys(wrong.body.errors)], [422, ['assignee']])
  await uplink(1, { hex: cases.shut })
})

test('a snoozed alert waits, and is told again if it is still open then', async () => {
  const { alert } = await openOne()
  await pass(2)
  const before = server.mails.length
  await change(alert.id, { assignee: await me(), snoozed_until: inHours(2) })
  const { snoozed, unacknowledged } = await list('state=open&snoozed=yes')
  assert.deepEqual([snoozed, unacknowledged], [1, 0])
  assert.equal((await list('state=open&snoozed=no')).data.length, 0)
  await pass(60)
  assert.equal(server.mails.length, before)
  await pass(61)
  const [again] = await alerts(`rule=${alert.rule_id}`)
  assert.deepEqual([again.snoozed_until, again.acknowledged_at], [null, null])
  assert.equal(again.assigned_to.id, await me())
  await pass(5)
  assert.equal(server.mails.length, before + 1)
  const late = await change(alert.id, { snoozed_until: '2026-01-01T00:00:00Z' })
  assert.deepEqual(Object.keys(late.body.errors), ['snoozed_until'])
  await uplink(1, { hex: cases.shut })
})

test('what a member closes opens again only after its cause has ended', async () => {
  const { rule, alert } = await openOne()
  const closed = (await change(alert.id, { state: 'closed' })).body.data
  assert.deepEqual(
    [closed.state, closed.ended, closed.closed_by.id],
    ['closed', 'member', await me()],
  )
  const states = async () => (await alerts(`rule=${rule.id}`)).map(({ state }) => state)
  await uplink(1, { hex: cases.open })
  await pass(1)
  assert.deepEqual(await states(), ['closed'])
  await uplink(1, { hex: cases.shut })
  await pass(1)
  await uplink(1, { hex: cases.open })
  await pass(1)
  assert.deepEqual(await states(), ['open', 'closed'])
  const [, first] = await alerts(`rule=${rule.id}`)
  assert.deepEqual([first.closed_at, first.ended], [closed.closed_at, 'member'])
  await uplink(1, { hex: cases.shut })
})

test('a silence that a member closed stays closed until the device is heard', async () => {
  const settings = { missed: 2, at_least_minutes: 5, at_most_minutes: 60 }
  const rule = await createRule({ kind: 'device_silent', settings })
  const ofFirst = async () => {
    const all = await alerts(`rule=${rule.id}`)
    return all.filter(({ device }) => device.eui === euiOf(1))
  }
  await uplink(1, { hex: cases.shut })
  await pass(70)
  const [alert] = await ofFirst()
  await change(alert.id, { state: 'closed' })
  await pass(70)
  assert.deepEqual(
    (await ofFirst()).map(({ state }) => state),
    ['closed'],
  )
  await uplink(1, { hex: cases.shut })
  await pass(1)
  await pass(70)
  assert.deepEqual(
    (await ofFirst()).map(({ state }) => state),
    ['open', 'closed'],
  )
})

async function me(): Promise<number> {
  return (await call('GET', '/v1/user/get-org-user/me')).body.data.id
}
