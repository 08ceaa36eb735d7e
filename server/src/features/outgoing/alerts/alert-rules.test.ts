import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { startAlertTest } from '../../../../test/alerts.ts'
import { addType } from '../../../../test/device-types.ts'
import { addDevice, euiOf } from '../../../../test/fleet.ts'
import { joinMember } from '../../../../test/members.ts'
import { startReceiver } from '../../../../test/webhook-receiver.ts'
import { rollUp } from '../../../uplinks/rollups/roll-up.ts'

const service = await startAlertTest({ after })
const { call, pass, uplink, createRule, alerts, server, services } = service
beforeEach(service.removeRules)

/** A supervisory message with a battery of so many tenths of a volt, and the tamper switch. */
function supervisory(tenths: number, isTampered = false): string {
  const battery = (Math.floor(tenths / 10) << 4) | (tenths % 10)
  return Uint8Array.from([0x11, 0x01, isTampered ? 0x08 : 0, 1, battery]).toHex()
}

test('opens at a threshold, and closes when the value is back by the margin', async () => {
  const rule = await createRule({
    kind: 'threshold',
    settings: { key: 'battery', below: 2.5, margin: 0.4 },
    tells_back: false,
  })
  const states: string[][] = []
  for (const tenths of [30, 24, 23, 27, 30, 24]) {
    await uplink(1, { hex: supervisory(tenths) })
    await pass(1)
    states.push((await alerts(`rule=${rule.id}`)).map(({ state }) => state))
  }
  const [last] = await alerts(`rule=${rule.id}`)
  assert.deepEqual([last.key, last.unit, last.value, last.bound], ['battery', 'V', 2.4, 2.5])
  assert.deepEqual([last.label, last.value_text], ['Battery', '2.4 V'])
  const once = ['open']
  assert.deepEqual(states, [[], once, once, once, ['closed'], ['open', 'closed']])
})

test('closes above a threshold by the same margin, and the bound itself is not beyond', async () => {
  const settings = { key: 'battery', above: 3, margin: 0.2 }
  const rule = await createRule({ kind: 'threshold', settings })
  const states: string[][] = []
  for (const tenths of [30, 31, 29, 28]) {
    await uplink(1, { hex: supervisory(tenths) })
    await pass(1)
    states.push((await alerts(`rule=${rule.id}`)).map(({ state }) => state))
  }
  assert.deepEqual(states, [[], ['open'], ['open'], ['closed']])
})

test('a rule on a path fires, and tells the unit and the name that the codec gives', async () => {
  const codec = `function decodeUplink({ bytes }) { return { data: {
    air: { value: bytes[0], unit: '%', displayName: 'Air humidity' }, battery: 92 } } }`
  const type = await addType(service, { codec })
  const [own, plain] = [40, 41]
  await addDevice(service, own, { deviceType: type.id, consoleOnly: true })
  await addDevice(service, plain, { deviceType: type.id, consoleOnly: true })
  const above = { key: 'air.value', above: 60 }
  const rule = await createRule({ kind: 'threshold', settings: above })
  const batteries = await createRule({ kind: 'threshold', settings: { key: 'battery', below: 95 } })
  await uplink(own, { hex: '46' })
  await uplink(plain, { hex: '30' })
  await pass(1)
  const open = await alerts(`rule=${rule.id}`)
  assert.deepEqual(
    open.map(({ device, label, unit, value_text }) => [device?.eui, label, unit, value_text]),
    [[euiOf(own), 'Air humidity', '%', '70 %']],
  )
  const [battery] = await alerts(`rule=${batteries.id}`)
  assert.deepEqual([battery.label, battery.unit, battery.value_text], ['Battery', null, '92'])
})

test('a rule tells of the devices with its tag, and ends its alerts when a device loses it', async () => {
  const tag = (device: number, tags: object) =>
    call('PATCH', `/v1/devices/${euiOf(device)}`, { body: { tags } })
  await tag(1, { floor: '2' })
  await tag(2, { floor: '3' })
  const rule = await createRule({ kind: 'tamper', tag: 'floor:2' })
  assert.equal(rule.tag, 'floor:2')
  for (const device of [1, 2]) await uplink(device, { hex: '100200' })
  await pass(1)
  const open = await alerts(`rule=${rule.id}`)
  assert.deepEqual(
    open.map(({ device, state }) => [device.eui, state]),
    [[euiOf(1), 'open']],
  )
  await tag(1, {})
  await pass(2)
  const [over] = await alerts(`rule=${rule.id}`)
  assert.equal(over.state, 'closed')
  // All of several tags, one of which has a comma.
  await tag(1, { floor: '2', 'a,b': 'c' })
  await tag(2, { floor: '2' })
  const several = await createRule({ kind: 'tamper', tag: 'floor:2,a\\,b:c' })
  for (const device of [1, 2]) await uplink(device, { hex: '100201' })
  for (const device of [1, 2]) await uplink(device, { hex: '100200' })
  await pass(2)
  const both = await alerts(`rule=${several.id}&state=open`)
  assert.deepEqual(
    both.map(({ device }) => device.eui),
    [euiOf(1)],
  )
  const wrong = await call('PATCH', `/v1/alert-rules/${rule.id}`, { body: { tag: ':' } })
  assert.deepEqual(Object.keys(wrong.body.errors), ['tag'])
})

test('a reading that comes late neither opens an alert nor closes one', async () => {
  const rule = await createRule({ kind: 'threshold', settings: { key: 'battery', below: 2.5 } })
  const states: string[][] = []
  for (const [tenths, minutesAgo] of [
    [24, 0],
    [30, 30],
    [30, 0],
    [24, 30],
  ] as const) {
    await uplink(1, { hex: supervisory(tenths), minutesAgo })
    await pass(1)
    states.push((await alerts(`rule=${rule.id}`)).map(({ state }) => state))
  }
  assert.deepEqual(states, [['open'], ['open'], ['closed'], ['closed']])
})

test('waits until a value is beyond its threshold for long enough', async () => {
  const settings = { key: 'battery', below: 2.5, minutes: 30 }
  const rule = await createRule({ kind: 'threshold', settings })
  await uplink(1, { hex: supervisory(24) })
  await uplink(2, { hex: supervisory(24) })
  await pass(20)
  await uplink(1, { hex: supervisory(26) })
  await pass(5)
  assert.equal((await alerts(`rule=${rule.id}`)).length, 0)
  await pass(6)
  const open = await alerts(`rule=${rule.id}`)
  assert.deepEqual(
    open.map(({ device }) => device.eui),
    [euiOf(2)],
  )
})

test('tells webhooks of each alert, also when it is over', async (t) => {
  const receiver = await startReceiver(t)
  const body = { name: 'Alerts', url: receiver.url, events: ['alert'], network: 'chirpstack' }
  const hook = await call('POST', '/v1/webhooks', { body })
  assert.equal(hook.status, 201, hook.text)
  const rule = await createRule({ kind: 'tamper', name: 'Cases', recipients: [] })
  const before = server.mails.length
  await uplink(1, { hex: '100200' })
  await pass(1)
  await uplink(1, { hex: supervisory(30) })
  await pass(1)
  // Opened and closed between two looks.
  await uplink(1, { hex: '100200' })
  await uplink(1, { hex: '100201' })
  await pass(1)
  services.webhookSender.wake()
  await services.webhookSender.idle()
  assert.deepEqual(
    receiver.received.map(({ body: { type, data } }) => [type, data.state, data.rule_id]),
    ['open', 'closed', 'open', 'closed'].map((state) => ['alert', state, rule.id]),
  )
  const [first] = receiver.received
  assert.equal(first?.body.data.device_id, euiOf(1))
  assert.equal(first?.body.data.rule_name, 'Cases')
  await pass(10)
  assert.equal(server.mails.length, before)
  await call('DELETE', `/v1/webhooks/${hook.body.data.id}`)
})

test('knows a low battery by its voltage and by its trend', async () => {
  const rule = await createRule({ kind: 'low_battery' })
  for (let day = 0; day < 100; day += 4) {
    await uplink(1, { hex: supervisory(Math.round(36 - day / 10)) })
    await uplink(2, { hex: supervisory(30) })
    await rollUp(services.db)
    await pass(4 * 24 * 60)
  }
  await service.renewLogin()
  const [alert, ...others] = await alerts(`rule=${rule.id}`)
  assert.equal(others.length, 0)
  assert.equal(alert.device.eui, euiOf(1))
  assert.ok(alert.value > 2.8, 'the trend came first')
  assert.ok(Date.parse(alert.empty_at) > Date.parse(alert.opened_at))
  await uplink(1, { hex: supervisory(36) })
  await pass(1)
  assert.equal((await alerts(`rule=${rule.id}`))[0].state, 'closed')
})

test('knows a low battery of an own type by the level or the voltage that its owner declares', async () => {
  const codec = `function decodeUplink({ bytes }) { return { data: { power: bytes[0] } } }`
  const typeWith = async (said: object) => {
    const measurements = [{ name: 'power', quantity: 'battery', ...said }]
    return (await addType(service, { codec, measurements })).id
  }
  const [percent, tens, plain] = [42, 43, 44]
  await addDevice(service, percent, { deviceType: await typeWith({ unit: '%' }) })
  await addDevice(service, tens, { deviceType: await typeWith({ unit: 'mV' }) })
  await addDevice(service, plain, { deviceType: await typeWith({}) })
  const rule = await createRule({ kind: 'low_battery', settings: { percent: 20 } })
  const seen: unknown[] = []
  for (const level of [60, 20, 25, 90]) {
    for (const number of [percent, tens, plain]) {
      await uplink(number, { hex: Uint8Array.from([level]).toHex() })
    }
    await pass(1)
    const all = await alerts(`rule=${rule.id}`)
    const own = all.find(({ device }) => device?.eui === euiOf(percent))
    seen.push(own && [own.state, own.value_text, own.unit, own.bound])
    const others = all.filter((one) => one !== own)
    assert.deepEqual(
      others.map(({ device, unit, value }) => [device?.eui, unit, value]),
      [[euiOf(tens), 'V', 0.06]],
    )
  }
  const open = ['open', '20 %', '%', 20]
  assert.deepEqual(seen, [undefined, open, open, ['closed', '20 %', '%', 20]])
})

test('finds refused registrations, and ends with the device', async () => {
  const { id } = await addDevice(service, 7)
  await services.db.query(
    `update devices set register_status = 'register_error', register_error = 'Not taken.'
     where id = $1`,
    [id],
  )
  const rule = await createRule({ kind: 'registration_error' })
  await pass(1)
  const [alert] = await alerts(`rule=${rule.id}`)
  assert.deepEqual([alert.device.id, alert.message, alert.state], [id, 'Not taken.', 'open'])
  await services.db.query('update devices set deleted_at = now() where id = $1', [id])
  await pass(1)
  assert.equal((await alerts(`rule=${rule.id}`))[0].ended, 'out_of_scope')
})

test('a rule that is switched off ends its alerts without a word', async () => {
  const rule = await createRule({ kind: 'tamper' })
  await uplink(3, { hex: '100200' })
  await pass(1)
  await pass(2)
  const before = server.mails.length
  const url = `/v1/alert-rules/${rule.id}`
  const changed = await call('PATCH', url, { body: { is_active: false } })
  assert.deepEqual([changed.body.data.is_active, changed.body.data.open], [false, 0])
  await pass(10)
  assert.equal((await alerts(`rule=${rule.id}`))[0].ended, 'rule_off')
  assert.equal(server.mails.length, before)
})

test('suggests what the fleet has, until a rule looks for it', async () => {
  const water = 19
  const { id } = await addDevice(service, 60, { deviceType: 112, deviceName: 'Milk fridge' })
  await addDevice(service, 61, { deviceType: water })
  const suggested = async () => {
    const answer = await call('GET', '/v1/alert-rules/suggestions')
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data
  }
  const first = await suggested()
  const names = (rules: { rule: { name: string } }[]) => rules.map(({ rule }) => rule.name)
  const always = ['Silent devices', 'Low batteries']
  const states = ['Water', 'Open for longer than 10 minutes']
  assert.deepEqual(names(first), [...always, ...states, 'Too warm: Milk fridge'])
  assert.equal(first.at(-1).rule.device, id)
  // Each works as it is.
  for (const { rule } of first.slice(1)) await createRule(rule)
  assert.deepEqual(names(await suggested()), ['Silent devices'])
})

test('refuses rules that cannot work', async () => {
  const refused = async (body: Record<string, unknown>) => {
    const answer = await call('POST', '/v1/alert-rules', { body: { name: 'x', ...body } })
    assert.equal(answer.status, 422, answer.text)
    return Object.keys(answer.body.errors)
  }
  assert.deepEqual(await refused({ kind: 'weather' }), ['kind'])
  assert.deepEqual(await refused({ kind: 'threshold' }), ['settings.key'])
  const settings = { key: 'temperature' }
  assert.deepEqual(await refused({ kind: 'threshold', settings }), ['settings.above'])
  const narrow = { ...settings, above: 5, below: 4, margin: 1 }
  assert.deepEqual(await refused({ kind: 'threshold', settings: narrow }), ['settings.margin'])
  assert.deepEqual(await refused({ kind: 'tamper', settings: { x: 1 } }), ['settings'])
  assert.deepEqual(await refused({ kind: 'gateway_silent', group: 1 }), ['group'])
  assert.deepEqual(await refused({ kind: 'tamper', recipients: [999_999] }), ['recipients'])
  assert.deepEqual(await refused({ kind: 'tamper', network: 'none' }), ['network'])
})

test('mails nobody who has left, and tries again while the mail server is busy', async () => {
  const member = await joinMember(service, 'leaver@example.test')
  const stays = await joinMember(service, 'stays@example.test')
  await createRule({ kind: 'tamper', recipients: [member.userId, stays.userId] })
  await uplink(2, { hex: '100200' })
  await pass(0)
  await call('DELETE', `/v1/organization/users/${member.userId}`)
  const before = server.mails.length
  server.refusals.push(451)
  await pass(2)
  assert.equal(server.mails.length, before)
  await pass(2)
  assert.deepEqual(
    server.mails.slice(before).map(({ to }) => to),
    [['stays@example.test']],
  )
})
