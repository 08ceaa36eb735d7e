import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startAlertTest } from '../../../../test/alerts.ts'
import { foundOrganization } from '../../../../test/members.ts'
import { removeOldAlerts } from './retention.ts'
import { deleteAlerts, deleteMails, deleteRules, listWithOld } from './retention-queries.ts'

const service = await startAlertTest({ after }, { devices: 8 })
const { call, pass, uplink, createRule } = service
const other = await foundOrganization(service, 'other@example.test')

test('keeps closed alerts for a year, and open ones for as long as they are open', async () => {
  const { services } = service
  const { db } = services
  const count = async () => {
    const counts = ['alerts', 'alert_messages', 'alert_digests', 'alert_rules'].map(
      (table) => `(select count(*) from ${table} where organization_id = 1)::integer as ${table}`,
    )
    const [row] = await db.query<Record<string, number>>(`select ${counts.join()}`)
    return Object.values(row ?? {})
  }
  const after = (days: number) => new Date(services.now().getTime() + days * 24 * 3_600_000)
  const removeAfter = (days: number) => removeOldAlerts({ db, now: () => after(days) })
  const rule = await createRule({ kind: 'tamper' })
  const unused = await createRule({ kind: 'low_battery' })
  // Another organization that is looked after, and has nothing old.
  const theirs = { name: 'Theirs', kind: 'registration_error', recipients: [] }
  const made = await call('POST', '/v1/alert-rules', { as: other, body: theirs })
  assert.equal(made.status, 201, made.text)
  await uplink(5, { hex: '100200' })
  for (const minutes of [1, 5]) await pass(minutes)
  await uplink(5, { hex: '100201' })
  for (let minutes = 0; minutes < 40; minutes += 10) await pass(10)
  // Stays open.
  await uplink(6, { hex: '100200' })
  for (let minutes = 0; minutes < 40; minutes += 10) await pass(10)
  const [alerts = 0, mails = 0, digests = 0, rules = 0] = await count()
  assert.deepEqual([alerts, rules], [2, 2])
  assert.ok(mails > 1 && digests > 1)
  assert.deepEqual(await listWithOld(db, after(-1)), [])
  for (const days of [0, 365]) await removeAfter(days)
  assert.deepEqual(await count(), [alerts, mails, digests, rules])
  await call('DELETE', `/v1/alert-rules/${unused.id}`)
  assert.deepEqual(await listWithOld(db, after(-1)), [1], 'the deleted rule')
  assert.equal(await deleteAlerts(db, 2, { before: after(999), limit: 9 }), 0)
  await deleteMails(db, 2, after(999))
  await deleteRules(db, 2)
  assert.deepEqual(await count(), [alerts, mails, digests, rules])
  await removeAfter(0)
  assert.deepEqual(await count(), [alerts, mails, digests, 1])
  assert.deepEqual(await listWithOld(db, after(1)), [1])
  const closed = (await service.alerts()).find(({ state }) => state === 'closed')
  // A second after it was closed: the digest that told so is younger.
  const old = Date.parse(closed.closed_at) + 1000
  await removeOldAlerts({ db, now: () => new Date(old + 366 * 24 * 3_600_000) })
  const [left, , told] = await count()
  assert.deepEqual([left, told], [1, 2])
  await removeAfter(367)
  assert.deepEqual(await count(), [1, 0, 1, 1], 'the open alert and its digest')
  await call('DELETE', `/v1/alert-rules/${rule.id}`)
  await pass(1)
  await removeAfter(0)
  assert.deepEqual([(await count())[0], (await count())[3]], [1, 1])
  // Older alerts of another organization are no part of the portion.
  await db.query(
    `insert into alerts (organization_id, rule_id, kind, device_id, state, began_at, changed_at,
       opened_at, closed_at)
     values ($1, $2, 'registration_error', 99, 'closed', $3, $3, $3, $3)`,
    [other.organizationId, made.body.data.id, after(-999)],
  )
  assert.equal(await deleteAlerts(db, 1, { before: after(1), limit: 1 }), 1)
  await removeAfter(367)
  assert.deepEqual(await count(), [0, 0, 0, 0])
})
