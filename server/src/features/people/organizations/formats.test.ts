import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startAlertTest } from '../../../../test/alerts.ts'
import { euiOf } from '../../../../test/fleet.ts'
import { joinMember } from '../../../../test/members.ts'
import { usualFormats } from '../../../lora/formats.ts'

const service = await startAlertTest({ after })
const { call, createRule, pass, uplink, server } = service
const url = '/v1/organization/formats'
const none = {
  ...{ temperature: null, units: null, date: null },
  ...{ time: null, numbers: null, week_start: null },
  language: null,
}
const unset = {
  ...usualFormats,
  by_language: ['temperature', 'units', 'date', 'time', 'numbers', 'week_start'],
}

async function formatsOfSession(as = service.owner) {
  const { body } = await call('GET', '/v1/auth/session', { as })
  const [organization] = body.data.organizations
  return { own: body.data.user.formats, organization: organization.formats }
}

test('an organization has formats, and a user may have others', async () => {
  assert.deepEqual(await formatsOfSession(), { own: none, organization: unset })
  assert.deepEqual((await call('GET', url)).body, { data: unset })
  const body = { temperature: 'fahrenheit', units: 'us' }
  const changed = await call('PATCH', url, { body })
  const by_language = ['date', 'time', 'numbers', 'week_start']
  assert.deepEqual(changed.body, { data: { ...unset, ...body, by_language } })
  await call('PATCH', url, { body: { units: 'metric' } })
  const own = await call('PATCH', '/v1/user', { body: { formats: { time: '12h' } } })
  assert.deepEqual(own.body.data.formats, { ...none, time: '12h' })
  await call('PATCH', '/v1/user', { body: { formats: { date: 'year_month', time: null } } })
  assert.deepEqual(await formatsOfSession(), {
    own: { ...none, date: 'year_month' },
    organization: { ...unset, temperature: 'fahrenheit', by_language },
  })
  await call('PATCH', '/v1/user', { body: { formats: { date: null } } })
})

test('a language is of the user, or else of the organization, and brings its formats', async () => {
  const { body } = await call('PATCH', url, { body: { language: 'de' } })
  assert.deepEqual([body.data.language, body.data.numbers], ['de', 'point_comma'])
  assert.ok(body.data.by_language.includes('numbers'))
  const own = await call('PATCH', '/v1/user', { body: { formats: { language: 'pl' } } })
  assert.equal(own.body.data.formats.language, 'pl')
  assert.equal((await formatsOfSession()).own.language, 'pl')
  await call('PATCH', '/v1/user', { body: { formats: { language: null } } })
  await call('PATCH', url, { body: { language: null } })
  assert.equal((await formatsOfSession()).organization.numbers, 'comma_point')
})

test('refuses what is no format', async () => {
  for (const [body, field] of [
    [{ temperature: 'kelvin' }, 'temperature'],
    [{ time: null }, 'time'],
    [{ numbers: 1 }, 'numbers'],
    [{ language: 'tlh' }, 'language'],
  ] as const) {
    const answer = await call('PATCH', url, { body })
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, [field]])
  }
  const own = await call('PATCH', '/v1/user', { body: { formats: { units: 'roman' } } })
  assert.deepEqual(own.body.errors, {
    'formats.units': ['The units must be one of: metric, us.'],
  })
})

test('mails write in the formats and the time zone of each recipient', async () => {
  const member = await joinMember(service, 'celsius@example.test')
  const { id } = (await call('GET', '/v1/user/get-org-user/me', { as: member })).body.data
  const me = (await call('GET', '/v1/user/get-org-user/me')).body.data.id
  const formats = { temperature: 'celsius', date: 'month_day', time: '12h', numbers: 'point_comma' }
  const body = { formats, time_zone: 'America/New_York' }
  assert.equal((await call('PATCH', '/v1/user', { as: member, body })).status, 200)
  await call('PATCH', url, { body: { temperature: 'fahrenheit' } })
  await createRule({
    kind: 'threshold',
    settings: { key: 'temperature', above: 20 },
    recipients: [me, id],
    tells_back: false,
  })
  await call('PATCH', `/v1/devices/${euiOf(1)}`, { body: { deviceType: 112 } })
  await uplink(1, { hex: '100d0015703100' })
  await pass(1)
  await pass(2)
  const raw = (to: string) => server.mails.find((mail) => mail.to.includes(to))?.raw ?? ''
  const own = server.mails.find((mail) => !mail.to.includes('celsius@example.test'))?.raw ?? ''
  assert.match(raw('celsius@example.test'), /Temperature 21,7 =C2=B0C, limit 20 =C2=B0C/)
  assert.match(own, /Temperature 71.1 =C2=B0F, limit 68 =C2=B0F/)
  const [alert] = await service.alerts()
  assert.deepEqual([alert.value, alert.unit, alert.value_text], [21.7, '°C', '21.7 °C'])
})

test('mails are in the language of each recipient', async () => {
  const member = await joinMember(service, 'kalt@example.test')
  const { id } = (await call('GET', '/v1/user/get-org-user/me', { as: member })).body.data
  const formats = { language: 'de', temperature: 'celsius' }
  await call('PATCH', '/v1/user', { as: member, body: { formats } })
  await createRule({
    kind: 'threshold',
    settings: { key: 'temperature', above: 20 },
    recipients: [id],
    tells_back: false,
  })
  server.mails.length = 0
  await uplink(1, { hex: '100d0015703100' })
  await pass(1)
  await pass(2)
  const mail = server.mails.find(({ to }) => to.includes('kalt@example.test'))
  const raw = mail?.raw.replaceAll('=\r\n', '') ?? ''
  assert.match(raw, /Grenzwert 20 =C2=B0C/)
  assert.match(raw, /sendet Ihnen diese Nachricht/)
})
