import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startAlertTest } from '../../../../test/alerts.ts'
import { euiOf } from '../../../../test/fleet.ts'
import { joinMember } from '../../../../test/members.ts'
import { startPushService } from '../../../../test/push-service.ts'

const service = await startAlertTest({ after })
const { call, pass, uplink, createRule, services } = service

test('a browser shows alerts, until its push service has forgotten it', async (t) => {
  const { public_key } = (await call('GET', '/v1/push-subscriptions')).body
  const push = await startPushService(t, public_key)
  const subscribe = (as = service.owner) =>
    call('POST', '/v1/push-subscriptions', { as, body: push.subscription })
  const list = async (as = service.owner) =>
    (await call('GET', '/v1/push-subscriptions', { as })).body.data
  const other = await joinMember(service, 'other@example.test')
  assert.equal((await subscribe(other)).status, 201)
  // The browser has one subscription, which is now the owner's.
  assert.equal((await subscribe()).status, 201)
  assert.deepEqual([(await list(other)).length, (await list()).length], [0, 1])
  const body = { name: 'Browsers', kind: 'push', severity: 'info' }
  const channel = (await call('POST', '/v1/alert-channels', { body })).body.data
  const rule = await createRule({ kind: 'tamper', severity: 'critical', recipients: [] })
  await services.alertWatcher.idle()
  await uplink(1, { hex: '100200' })
  await pass(1)
  await pass(1)
  const [alert] = await service.alerts(`rule=${rule.id}`)
  assert.deepEqual(
    push.received.map(({ headers, message }) => [
      headers.urgency,
      message.path,
      /Critical: /.test(message.title),
      message.body.includes(euiOf(1)),
    ]),
    [['high', `alerts?alert=${alert.id}`, true, true]],
  )
  assert.notEqual((await list())[0].last_sent_at, null)
  push.status = 503
  const tried = await call('POST', `/v1/alert-channels/${channel.id}/test`)
  assert.deepEqual(tried.body.data, { delivered: false, failure: 'Answer 503: no text' })
  assert.equal((await list()).length, 1)
  push.status = 410
  const gone = await call('POST', `/v1/alert-channels/${channel.id}/test`)
  assert.equal(gone.body.data.failure, 'No browser of the member is subscribed.')
  assert.equal((await list()).length, 0)
})

test('a subscription is checked, has a bound for each user, and only its user deletes it', async (t) => {
  const { public_key } = (await call('GET', '/v1/push-subscriptions')).body
  const { subscription } = await startPushService(t, public_key)
  const post = (body: object, as = service.owner) =>
    call('POST', '/v1/push-subscriptions', { as, body: { ...subscription, ...body } })
  const metadata = await post({ endpoint: 'http://169.254.169.254/push' })
  assert.deepEqual(Object.keys(metadata.body.errors), ['endpoint'])
  const short = await post({ keys: { p256dh: 'AAAA', auth: subscription.keys.auth } })
  assert.deepEqual(Object.keys(short.body.errors), ['keys.p256dh'])
  const ids: number[] = []
  for (let number = 0; number < 11; number += 1) {
    const made = await post({ endpoint: `${subscription.endpoint}${number}` })
    ids.push(made.body.data.id)
  }
  const { data } = (await call('GET', '/v1/push-subscriptions')).body
  assert.deepEqual(
    data.map(({ id }: { id: number }) => id),
    ids.slice(1),
  )
  const other = await joinMember(service, 'another@example.test')
  const path = `/v1/push-subscriptions/${ids[5]}`
  assert.equal((await call('DELETE', path, { as: other })).status, 404)
  assert.equal((await call('DELETE', path)).status, 204)
})
