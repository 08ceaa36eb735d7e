import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startAlertTest } from '../../../../test/alerts.ts'
import { addDevice, addGroup, addLocalDevice, euiOf } from '../../../../test/fleet.ts'
import { learnRhythms } from './learn-rhythms.ts'
import { verdictStates } from './verdict.ts'

const service = await startAlertTest({ after })
const { call, pass, uplink, services } = service
const { db } = services

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
async function read(url: string): Promise<any> {
  const answer = await call('GET', `/v1${url}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

/** What each list, page, count and answer says of a device: the same, or the test fails. */
async function verdictOf(number: number) {
  const { data: page } = await read(`/fleet/devices/${euiOf(number)}`)
  const { verdict, id } = page
  const { data: row } = await read(`/fleet/devices?ids=${id}`)
  assert.deepEqual(row[0].verdict, verdict)
  const { data: summary } = await read('/fleet/summary')
  for (const state of verdictStates) {
    const { data, total } = await read(`/fleet/devices?verdict=${state}&limit=200`)
    assert.equal(total, summary.devices[state], state)
    const own = data.filter((device: { id: number }) => device.id === id)
    assert.equal(own.length, state === verdict.state ? 1 : 0, state)
    assert.deepEqual(
      data.filter((device: typeof page) => device.verdict.state !== state),
      [],
    )
    const { data: ids } = await read(`/fleet/devices/ids?verdict=${state}`)
    assert.equal(ids.includes(id), state === verdict.state)
  }
  const exported = await call('GET', `/v1/fleet/devices/export?ids=${id}&columns=verdict`)
  assert.equal(exported.text.trim().split('\r\n')[1], verdict.state)
  const group = await addGroup(service, `Group of ${number}`, { selectedDevices: [id] })
  const { data: counted } = await read(`/fleet/groups/${group}`)
  for (const state of verdictStates) {
    assert.equal(counted.subtree[state], state === verdict.state ? 1 : 0)
  }
  const { data: entries } = await read(`/device-groups/${group}`)
  const [entry] = entries[0].devices
  assert.equal(entry.device_no_longer_reporting, verdict.state === 'silent' ? 1 : 0)
  const isActive = ['ok', 'attention'].includes(verdict.state)
  assert.equal(entry.device_status, isActive ? 'Active' : 'Inactive')
  await call('DELETE', `/v1/device-groups/${group}`)
  return verdict
}

const codesOf = ({ reasons }: { reasons: { code: string }[] }) => reasons.map(({ code }) => code)

test('a device that was just registered is new for 48 hours, then silent', async () => {
  const verdict = await verdictOf(1)
  const { created_at } = (await read(`/fleet/devices/${euiOf(1)}`)).data
  assert.deepEqual(
    [verdict.state, verdict.since, codesOf(verdict)],
    ['new', created_at, ['never_heard']],
  )
  await pass(48 * 60 - 1)
  assert.equal((await verdictOf(1)).state, 'new')
  await pass(2)
  const late = await verdictOf(1)
  assert.deepEqual([late.state, codesOf(late)], ['silent', ['never_heard']])
  assert.match(late.reasons[0].message, /registered 2 days ago/)
})

test('a door that reports every 10 minutes is silent after an hour, until it is heard', async () => {
  await addLocalDevice(service, 10)
  for (let turn = 0; turn < 5; turn += 1) {
    await uplink(10)
    await pass(10)
  }
  await learnRhythms(services)
  await pass(50)
  assert.equal((await verdictOf(10)).state, 'ok', 'an hour')
  await pass(1)
  const silent = await verdictOf(10)
  const { last_seen } = (await read(`/fleet/devices/${euiOf(10)}`)).data
  assert.deepEqual([silent.state, silent.since, codesOf(silent)], ['silent', last_seen, ['silent']])
  assert.equal(
    silent.reasons[0].message,
    'No message for 1 hour. It usually sends every 10 minutes.',
  )
  await learnRhythms(services)
  assert.equal((await verdictOf(10)).state, 'silent')
  await uplink(10)
  assert.equal((await verdictOf(10)).state, 'ok')
  await learnRhythms(services)
  await pass(59)
  assert.equal((await verdictOf(10)).state, 'ok')
})

test('a device that is silent for three days is silent everywhere, in alerts too', async () => {
  await addLocalDevice(service, 11)
  const rule = await service.createRule({ kind: 'device_silent' })
  await uplink(11)
  await pass(48 * 60)
  assert.equal((await verdictOf(11)).state, 'ok')
  const alertsOf = async () =>
    (await service.alerts(`rule=${rule.id}&state=open`)).filter(
      ({ device }) => device.eui === euiOf(11),
    )
  assert.deepEqual(await alertsOf(), [])
  await pass(24 * 60)
  const ofUnheard = await service.alerts(`rule=${rule.id}&state=open`)
  const unheard = ofUnheard.find(({ device }) => device.eui === euiOf(1))
  assert.equal(unheard.began_at, (await verdictOf(1)).since)
  assert.equal(unheard.message, 'Never heard since its registration.')
  const verdict = await verdictOf(11)
  assert.deepEqual(
    [verdict.state, verdict.reasons[0].message],
    ['silent', 'No message for 3 days.'],
  )
  const [alert] = await alertsOf()
  assert.equal(alert.began_at, verdict.since)
  await service.renewLogin()
})

test('an uplink that comes three days late leaves its device silent at once', async () => {
  await addLocalDevice(service, 12)
  await uplink(12, { minutesAgo: 72 * 60 })
  assert.equal((await verdictOf(12)).state, 'silent')
})

test('what is wrong with a device that is heard needs attention, each with a reason', async () => {
  await addLocalDevice(service, 13)
  // Supervisory: bits 1 to 3 are the battery, the configuration and the case.
  await uplink(13, { hex: '10010e002500000000' })
  const verdict = await verdictOf(13)
  assert.deepEqual(
    [verdict.state, codesOf(verdict)],
    ['attention', ['tamper', 'low_battery', 'config_error']],
  )
  assert.match(verdict.reasons[1].message, /low \(2\.5 V\)/)
  const first = services.now().toISOString().replace('Z', '000Z')
  assert.equal(verdict.since, first)
  await pass(30)
  // The case is closed again, and the battery is still low.
  await uplink(13, { hex: '100102002500000000' })
  const later = await verdictOf(13)
  assert.deepEqual([later.since, codesOf(later)], [first, ['low_battery']])
  await pass(30)
  await uplink(13, { hex: '10010a002500000000' })
  const again = await verdictOf(13)
  assert.equal(again.since, services.now().toISOString().replace('Z', '000Z'))
  assert.deepEqual(codesOf(again), ['tamper', 'low_battery'])
  await addDevice(service, 14, { network: 2 })
  assert.deepEqual(codesOf(await verdictOf(14)), ['register_pending', 'never_heard'])
  const set = (column: string) =>
    db.query(`update devices set ${column} where eui = $1`, [euiOf(14)])
  await set(`register_status = 'register_error', register_error = 'Not taken.'`)
  const refused = await verdictOf(14)
  assert.deepEqual(
    [refused.state, codesOf(refused)],
    ['attention', ['register_error', 'never_heard']],
  )
  await set('is_active = false')
  assert.equal((await verdictOf(14)).state, 'inactive')
})

test('an open alert about what a device sends needs attention, by the name of its rule', async () => {
  await addLocalDevice(service, 24)
  const settings = { key: 'temperature', above: 8 }
  const rule = await service.createRule({ kind: 'threshold', name: 'Too warm', settings })
  const inform = { kind: 'threshold', name: 'Warm', severity: 'info', settings }
  const informing = await service.createRule(inform)
  await pass()
  // 21.0 °C and 45.0 %.
  await uplink(24, { hex: '100d0015002d00' })
  await pass(1)
  assert.equal((await service.alerts(`rule=${informing.id}&state=open`)).length, 1)
  const [alert] = await service.alerts(`rule=${rule.id}&state=open`)
  const verdict = await verdictOf(24)
  assert.deepEqual(
    [verdict.state, verdict.since, verdict.reasons],
    [
      'attention',
      alert.began_at,
      [
        {
          ...{ code: 'alert', title: 'Too warm', action: 'See its alerts.' },
          message: 'The rule Too warm has had an alert about it for 1 minute.',
        },
      ],
    ],
  )
  await call('PATCH', `/v1/alerts/${alert.id}`, { body: { state: 'closed' } })
  assert.equal((await verdictOf(24)).state, 'ok')
})
