import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startAlertTest } from '../../../../test/alerts.ts'
import { addDevice, euiOf, readDevice } from '../../../../test/fleet.ts'
import { joinMember } from '../../../../test/members.ts'
import { startReceiver } from '../../../../test/webhook-receiver.ts'

const service = await startAlertTest({ after })
const { call, pass, uplink, createRule, alerts, services } = service

const [opened, closed] = ['100200', '100201']
const [valve, tank] = [20, 21]
for (const device of [valve, tank]) await addDevice(service, device)
const { id: valveId } = await readDevice(service, valve)
const off = { type: 'downlink', device: valveId, f_port: 10, payload: '01 00' }

const downlinksOf = async (device: number) => {
  const answer = await call('GET', `/v1/devices/${euiOf(device)}/downlinks`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data.map((one: Record<string, unknown>) => [one.bytes, one.f_port])
}

/** What a rule did about its alerts, the newest alert first. */
const actionsOf = async (rule: { id: number }) =>
  (await alerts(`rule=${rule.id}`)).map(({ actions }) =>
    actions.map((one: Record<string, unknown>) => [one.type, one.at, one.state, one.message]),
  )

test('sends a downlink when an alert opens and another when it is over, up to so many in an hour', async () => {
  const actions = [off, { ...off, at: 'close', device: null, payload: '0101' }]
  const rule = await createRule({ kind: 'tamper', actions, actions_per_hour: 3 })
  assert.deepEqual([rule.actions[0].payload, rule.actions_per_hour], ['0100', 3])
  for (const hex of [opened, opened, closed, opened, closed]) {
    await uplink(tank, { hex })
    await pass(1)
  }
  const done = (at: string, state = 'done') => ['downlink', at, state, null]
  assert.deepEqual(await actionsOf(rule), [
    [done('open'), done('close', 'limited')],
    [done('open'), done('close')],
  ])
  assert.deepEqual((await downlinksOf(valve)).toSorted(), [
    ['0100', 10],
    ['0100', 10],
  ])
  assert.deepEqual(await downlinksOf(tank), [['0101', 10]])
  await pass(60)
  await uplink(tank, { hex: opened })
  await pass(1)
  const [[again]] = await actionsOf(rule)
  assert.deepEqual(again, done('open'))
  // One that is recorded here only is at no network.
  await uplink(1, { hex: opened })
  await uplink(1, { hex: closed })
  await pass(61)
  await uplink(1, { hex: opened })
  await pass(1)
  await uplink(1, { hex: closed })
  await pass(1)
  const [[, last]] = await actionsOf(rule)
  assert.deepEqual(last, [
    ...['downlink', 'close', 'failed'],
    'The device is recorded here only, at no network.',
  ])
  await service.removeRules()
})

test('calls webhooks while the rule is muted, whether they have chosen alerts or not', async (t) => {
  const receiver = await startReceiver(t)
  const chosen = await startReceiver(t)
  const add = async (name: string, url: string, events: string[]) => {
    const made = await call('POST', '/v1/webhooks', { body: { name, url, events } })
    return { type: 'webhook', webhook: made.body.data.id }
  }
  const actions = [
    await add('Siren', receiver.url, ['join']),
    await add('Log', chosen.url, ['alert']),
  ]
  const rule = await createRule({ kind: 'tamper', name: 'Cases', actions })
  const until = new Date(services.now().getTime() + 3_600_000).toISOString()
  await call('POST', `/v1/alert-rules/${rule.id}/mute`, { body: { until } })
  await uplink(2, { hex: opened })
  await pass(1)
  services.webhookSender.wake()
  await services.webhookSender.idle()
  assert.deepEqual(
    receiver.received.map(({ body: { type, data } }) => [type, data.rule_name, data.state]),
    [['alert', 'Cases', 'open']],
  )
  assert.equal(receiver.received[0]?.body.data.device_id, euiOf(2))
  assert.equal(chosen.received.length, 1)
  const isDone = ['webhook', 'open', 'done', null]
  assert.deepEqual(await actionsOf(rule), [[isDone, isDone]])
  // Only who may change webhooks lets a rule call one; the rest of the rule is another's to change.
  const as = await joinMember(service, 'installer@example.test', ['manage_devices'])
  const url = `/v1/alert-rules/${rule.id}`
  const renamed = await call('PATCH', url, { as, body: { name: 'Boxes', actions } })
  assert.equal(renamed.status, 200, renamed.text)
  const refused = await call('POST', '/v1/alert-rules', {
    ...{ as, body: { name: 'x', kind: 'tamper', actions } },
  })
  assert.equal(refused.status, 403, refused.text)
  await service.removeRules()
})

test('names what is wrong with actions', async () => {
  const refused = async (kind: string, ...actions: object[]) => {
    const answer = await call('POST', '/v1/alert-rules', { body: { name: 'x', kind, actions } })
    assert.equal(answer.status, 422, answer.text)
    return Object.keys(answer.body.errors)
  }
  assert.deepEqual(await refused('tamper', off, { ...off, device: 999_999 }), ['actions.1.device'])
  assert.deepEqual(await refused('tamper', { ...off, payload: '0' }), ['actions.0.payload'])
  assert.deepEqual(await refused('tamper', { ...off, f_port: 0 }), ['actions.0.f_port'])
  assert.deepEqual(await refused('gateway_silent', { ...off, device: null }), ['actions.0.device'])
  assert.deepEqual(await refused('tamper', { type: 'webhook', webhook: 999_999 }), [
    'actions.0.webhook',
  ])
  assert.deepEqual(await refused('tamper', ...Array.from({ length: 6 }, () => off)), ['actions'])
})
