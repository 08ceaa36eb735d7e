import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { startAlertTest } from '../../../../test/alerts.ts'
import { addType } from '../../../../test/device-types.ts'
import { addDevice, addGroup, euiOf, readDevice } from '../../../../test/fleet.ts'

const service = await startAlertTest({ after })
const { call, pass, uplink, createRule, alerts, services } = service
beforeEach(service.removeRules)

/** A door with a thermometer: the temperature in °F, and whether it is open. Only one of them above 127. */
const codec = `function decodeUplink({ bytes }) {
  const data = { door: bytes[1] ? 'Open' : 'Closed' }
  if (bytes[0] < 128) data.inside = bytes[0]
  return { data }
}`
const measurements = [{ name: 'inside', quantity: 'air.temperature', unit: '°F' }]
const type = await addType(service, { codec, measurements })
const [cold, other] = [50, 51]
for (const device of [cold, other]) await addDevice(service, device, { deviceType: type.id })

const say = (device: number, fahrenheit: number, isOpen: boolean, minutesAgo = 0) =>
  uplink(device, { hex: Uint8Array.from([fahrenheit, isOpen ? 1 : 0]).toHex(), minutesAgo })
/** Above 8 °C, which is 46.4 °F. */
const isWarm = { quantity: 'air.temperature', is: 'above', value: 8 }
const isOpen = { measurement: 'door', is: 'equal', value: 'open' }

async function statesAfter(rule: { id: number }, messages: [number, boolean][]) {
  const seen: (string | undefined)[] = []
  for (const [fahrenheit, open] of messages) {
    await say(cold, fahrenheit, open)
    await pass(1)
    seen.push((await alerts(`rule=${rule.id}`))[0]?.state)
  }
  return seen
}

test('all conditions, or any of them, on the values of one message', async () => {
  const all = await createRule({ kind: 'condition', settings: { conditions: [isWarm, isOpen] } })
  const open = [undefined, undefined, 'open', 'open', 'closed'] as const
  // The fourth has no temperature: it does not decide.
  assert.deepEqual(
    await statesAfter(all, [
      [40, true],
      [50, false],
      [50, true],
      [200, true],
      [50, false],
    ]),
    open,
  )
  const [alert] = await alerts(`rule=${all.id}`)
  assert.deepEqual([alert.severity, alert.message], ['critical', 'Inside 10 °C, Door Open'])
  await service.removeRules()
  const settings = { match: 'any', conditions: [isWarm, isOpen] }
  const any = await createRule({ kind: 'condition', settings })
  assert.deepEqual(
    await statesAfter(any, [
      [40, false],
      [200, true],
      [200, false],
      [40, false],
    ]),
    [undefined, 'open', 'open', 'closed'],
  )
})

test('one condition on a number tells the number and its limit', async () => {
  const rule = await createRule({ kind: 'condition', settings: { conditions: [isWarm] } })
  await say(cold, 50, false)
  await pass(1)
  const [{ value, bound, label, unit, value_text }] = await alerts(`rule=${rule.id}`)
  assert.deepEqual([value, bound, label, unit, value_text], [10, 8, 'Inside', '°C', '10 °C'])
})

test('open for longer than some minutes, though nothing is sent since', async () => {
  const settings = { conditions: [isOpen], minutes: 10 }
  const rule = await createRule({ kind: 'condition', settings })
  await say(cold, 40, true)
  await say(other, 40, true)
  await pass(5)
  await say(other, 40, false)
  await pass(4)
  assert.equal((await alerts(`rule=${rule.id}`)).length, 0)
  await pass(2)
  const open = await alerts(`rule=${rule.id}`)
  assert.deepEqual(
    open.map(({ device }) => device.eui),
    [euiOf(cold)],
  )
})

test('only outside of some hours, in the time zone of the organization', async () => {
  const timeZone = 'Pacific/Auckland'
  await services.db.query('update organizations set timezone_format = $1 where id = 1', [timeZone])
  const at = (hours: number) =>
    new Intl.DateTimeFormat('en-GB', {
      ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone },
    }).format(services.now().getTime() + hours * 3_600_000)
  const outside = { days: [1, 2, 3, 4, 5, 6, 7], from: at(-1), to: at(1) }
  const rule = await createRule({ kind: 'condition', settings: { conditions: [isOpen], outside } })
  await say(cold, 40, true)
  await pass(1)
  assert.equal((await alerts(`rule=${rule.id}`)).length, 0)
  await pass(60)
  await say(cold, 40, true)
  await pass(1)
  assert.equal((await alerts(`rule=${rule.id}`))[0].state, 'open')
  await pass(22 * 60)
  await service.renewLogin()
  await say(cold, 40, true)
  await pass(1)
  assert.equal((await alerts(`rule=${rule.id}`))[0].state, 'closed')
})

test('a value that rises or falls by more than so much in some minutes', async () => {
  const rises = { quantity: 'air.temperature', is: 'rises', value: 5, within_minutes: 30 }
  const rule = await createRule({ kind: 'condition', settings: { conditions: [rises] } })
  const seen: unknown[] = []
  await pass(60)
  // 10 °F are 5.6 °C, and the first 50 is more than 30 minutes ago when 66 comes.
  for (const fahrenheit of [50, 56, 66, 66, 66]) {
    await say(cold, fahrenheit, false)
    await pass(20)
    seen.push((await alerts(`rule=${rule.id}`))[0]?.state)
  }
  assert.deepEqual(seen, [undefined, undefined, 'open', 'closed', 'closed'])
  const [{ message, value }] = await alerts(`rule=${rule.id}`)
  assert.deepEqual([message, value], ['Inside 18.89 °C, 5.556 °C up within 30 min', null])
  await service.removeRules()
  const falls = { ...rises, is: 'falls' }
  const other = await createRule({ kind: 'condition', settings: { conditions: [falls] } })
  await say(cold, 50, false)
  await pass(1)
  assert.equal((await alerts(`rule=${other.id}`))[0].state, 'open')
})

test('a value that differs from that of another device, or from the average of a group', async () => {
  const [{ id: coldId }, { id: otherId }] = await Promise.all(
    [cold, other].map((number) => readDevice(service, number)),
  )
  const group = await addGroup(service, 'Rooms', { selectedDevices: [coldId, otherId] })
  const higher = { quantity: 'air.temperature', is: 'higher', value: 3, than: { device: otherId } }
  const differs = { ...higher, is: 'differs', than: { group } }
  const createFor = (conditions: object[]) =>
    createRule({ kind: 'condition', device: coldId, settings: { conditions } })
  const rules = [await createFor([higher]), await createFor([differs])]
  assert.equal(rules[0].device, coldId)
  const opened = async () => {
    const found = await Promise.all(rules.map(({ id }) => alerts(`rule=${id}`)))
    return found.map(([alert]) => alert && [alert.state, alert.message, alert.device.eui])
  }
  // What the other one said is too old.
  await pass(90)
  await say(cold, 60, false)
  await pass(1)
  assert.deepEqual(await opened(), [undefined, undefined])
  await say(other, 50, false)
  await say(cold, 54, false)
  await pass(1)
  assert.deepEqual(await opened(), [undefined, undefined])
  await say(cold, 59, false)
  await pass(1)
  const said = (rest: string) => ['open', `Inside 15 °C, 5 °C above ${rest}`, euiOf(cold)]
  assert.deepEqual(await opened(), [said(`Device ${other}`), said('Rooms')])
  await say(other, 59, false)
  await say(cold, 59, false)
  await pass(1)
  assert.deepEqual(
    (await opened()).map((one) => one?.[0]),
    ['closed', 'closed'],
  )
})

test('more than so many times within some minutes, and over when it is calm', async () => {
  const often = { conditions: [isOpen], times: 2, times_minutes: 60 }
  const beginnings = await createRule({ kind: 'condition', settings: often })
  const messages = await createRule({
    kind: 'condition',
    settings: { ...often, counts: 'messages' },
  })
  const states = async () => {
    const found = await Promise.all([beginnings, messages].map(({ id }) => alerts(`rule=${id}`)))
    return found.map(([alert]) => alert?.state)
  }
  await pass(3 * 60)
  for (const open of [true, true, false, true, false]) await say(cold, 40, open)
  await pass(10)
  assert.deepEqual(await states(), [undefined, 'open'])
  await say(cold, 40, true)
  await pass(1)
  assert.deepEqual(await states(), ['open', 'open'])
  const [{ message }] = await alerts(`rule=${beginnings.id}`)
  assert.equal(message, 'Door Open, 3 times within 1 h')
  await pass(50)
  // Nothing was said since: the look at the states ends it.
  assert.deepEqual(await states(), ['closed', 'closed'])
})

test('a preview says how often a rule would have fired, and changes nothing', async () => {
  // Beyond what the other tests have sent.
  await pass(8 * 24 * 60)
  await service.renewLogin()
  for (const open of [true, false, true, true, false]) {
    await say(cold, 40, open)
    await pass(20)
  }
  await say(other, 40, true)
  await pass(20)
  const preview = async (settings: object, rest: object = {}) => {
    const body = { name: 'x', kind: 'condition', settings, ...rest }
    const answer = await call('POST', '/v1/alert-rules/preview', { body })
    assert.equal(answer.status, 200, answer.text)
    const { alerts, devices, uplinks } = answer.body.data
    return [alerts, devices, uplinks]
  }
  const conditions = [isOpen]
  assert.deepEqual(await preview({ conditions }), [3, 2, 6])
  // The first opening was over after 20 minutes, the second after 40; the third lasts for 20.
  assert.deepEqual(await preview({ conditions, minutes: 30 }), [1, 1, 6])
  assert.deepEqual(await preview({ conditions, minutes: 15 }), [3, 2, 6])
  assert.deepEqual(await preview({ conditions: [isWarm] }), [0, 0, 6])
  assert.deepEqual(await preview({ conditions }, { tag: 'none' }), [0, 0, 6])
  const often = { name: 'x', kind: 'condition', settings: { conditions, minutes: 15 } }
  const { shown } = (await call('POST', '/v1/alert-rules/preview', { body: often })).body.data
  assert.equal(shown.device.eui, euiOf(cold))
  assert.deepEqual(
    shown.alerts.map(({ to }: { to: string | null }) => typeof to),
    ['string', 'string'],
  )
  assert.equal((await call('GET', '/v1/alert-rules')).body.data.length, 0)
  const body = { name: 'x', kind: 'device_silent' }
  const refused = await call('POST', '/v1/alert-rules/preview', { body })
  assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [422, ['kind']])
})

test('refuses conditions that cannot work, and names them', async () => {
  const refused = async (settings: object) => {
    const body = { name: 'x', kind: 'condition', settings }
    const answer = await call('POST', '/v1/alert-rules', { body })
    assert.equal(answer.status, 422, answer.text)
    return Object.keys(answer.body.errors)
  }
  assert.deepEqual(await refused({}), ['settings.conditions'])
  assert.deepEqual(await refused({ conditions: [] }), ['settings.conditions'])
  const both = { ...isWarm, measurement: 'x' }
  assert.deepEqual(await refused({ conditions: [isWarm, both] }), [
    'settings.conditions.1.measurement',
  ])
  const text = { ...isWarm, value: 'warm' }
  assert.deepEqual(await refused({ conditions: [text] }), ['settings.conditions.0.value'])
  const outside = { days: [8], from: '07:00', to: '18:00' }
  assert.deepEqual(await refused({ conditions: [isOpen], outside }), ['settings.outside.days.0'])
  const wrong = (condition: object, rest: object = {}) =>
    refused({ conditions: [{ ...isWarm, ...condition }], ...rest })
  assert.deepEqual(await wrong({ is: 'higher' }), ['settings.conditions.0.than'])
  const strange = { is: 'lower', than: { device: 999_999 } }
  assert.deepEqual(await wrong(strange), ['settings.conditions.0.than.device'])
  assert.deepEqual(await wrong({ is: 'rises', value: -1 }), ['settings.conditions.0.value'])
  assert.deepEqual(await wrong({}, { times: 2, minutes: 5 }), ['settings.minutes'])
})
