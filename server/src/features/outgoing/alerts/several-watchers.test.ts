import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startAlertTest } from '../../../../test/alerts.ts'
import { connectChirpStack, makeUp, post } from '../../../../test/chirpstack-uplinks.ts'
import { addLocalDevice, euiOf } from '../../../../test/fleet.ts'
import { foundOrganization } from '../../../../test/members.ts'
import { ClaimLost, claim, whileClaimed } from './watch-queries.ts'
import { createAlertWatcher } from './watcher.ts'

const service = await startAlertTest({ after }, { devices: 6 })
const { call, createRule, uplink, alerts, pass, services, server } = service

test('several processes look after an organization, and each thing is found once', async () => {
  const rule = await createRule({ kind: 'tamper' })
  await services.alertWatcher.idle()
  const others = [1, 2].map(() =>
    createAlertWatcher(services, services.alertMessages, services.downlinkSender),
  )
  const devices = [1, 2, 3, 4, 5, 6]
  for (let round = 0; round < 10; round += 1) {
    for (const hex of ['100200', '100201']) {
      await Promise.all(devices.map((device) => uplink(device, { hex })))
      for (const watcher of [services.alertWatcher, ...others]) watcher.wake()
      // Later readings have later times.
      service.setClock(new Date(services.now().getTime() + 1000))
    }
  }
  await Promise.all([services.alertWatcher, ...others].map((watcher) => watcher.idle()))
  await pass(0)
  const found = await alerts(`rule=${rule.id}&limit=200`)
  assert.equal(found.length, 60)
  assert.ok(found.every(({ state }) => state === 'closed'))
  await pass(2)
  await pass(2)
  assert.equal(server.mails.length, 1)
  for (const watcher of others) await watcher.close()
})

test('a process that lost its claim writes nothing', async () => {
  const { db, now, presence } = services
  await createRule({ kind: 'threshold', settings: { key: 'battery', below: 2 } })
  await services.alertWatcher.idle()
  await db.query(`update alert_watches set next_look_at = 'epoch'`)
  const watch = await claim(db, 1, { now: now(), presence })
  assert.ok(watch)
  assert.equal(await claim(db, 1, { now: now(), presence }), undefined)
  await createRule({ kind: 'threshold', settings: { key: 'battery', below: 1 } })
  const late = whileClaimed(db, watch, watch.uplink_ordinal, async (tx) => {
    await tx.query('delete from alert_rules where organization_id = 1')
  })
  await assert.rejects(late, ClaimLost)
  assert.ok((await db.query('select from alert_rules')).length > 0)
})

test('several organizations: what is quiet is passed together, and what is not is found', async () => {
  const neighbour = await foundOrganization(service, 'neighbour@example.test')
  const callback = await connectChirpStack(service, { as: neighbour })
  await addLocalDevice(service, 90, {}, neighbour)
  const body = { name: 'Cases', kind: 'tamper' }
  assert.equal((await call('POST', '/v1/alert-rules', { as: neighbour, body })).status, 201)
  await pass(2)
  const states: unknown[] = []
  for (const [own, other] of [
    ['100201', '100201'],
    ['100201', '100200'],
    ['100200', '100200'],
    ['100201', '100201'],
  ] as const) {
    await uplink(1, { hex: own })
    const time = services.now().toISOString()
    const up = makeUp({ eui: euiOf(90), time, hex: other })
    assert.equal((await post(service, callback, up)).status, 200)
    service.setClock(new Date(services.now().getTime() + 1000))
    await pass(0)
    const theirs = await call('GET', '/v1/alerts?state=open', { as: neighbour })
    states.push([(await alerts('state=open')).length, theirs.body.data.length])
  }
  assert.deepEqual(states, [
    [0, 0],
    [0, 1],
    [1, 1],
    [0, 0],
  ])
  const behind = await services.db.query(
    `select from alert_watches as watches
     join organization_counters as counter using (organization_id)
     where counter.uplink_count > watches.uplink_ordinal`,
  )
  assert.equal(behind.length, 0)
})
