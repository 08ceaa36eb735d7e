import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { Ajv } from 'ajv'
import { startAlertTest } from '../../../../test/alerts.ts'
import { channelSchemas } from '../../../../test/channel-schemas.ts'
import { addGroup, euiOf } from '../../../../test/fleet.ts'
import { joinMember } from '../../../../test/members.ts'
import { startReceiver } from '../../../../test/webhook-receiver.ts'

const service = await startAlertTest({ after }, { devices: 12 })
const { call, pass, uplink, createRule, server, services } = service
const receiver = await startReceiver({ after })
const ajv = new Ajv({ strict: true, formats: { uri: (text: string) => URL.canParse(text) } })

beforeEach(async () => {
  receiver.answer((response) => response.end())
  await service.removeRules()
  for (const { id } of (await call('GET', '/v1/alert-channels')).body.data) {
    assert.equal((await call('DELETE', `/v1/alert-channels/${id}`)).status, 204)
  }
  // Beyond the hour in which messages are counted.
  await pass(61)
  await service.renewLogin()
  receiver.received.length = 0
})

const cases = { open: '100200', shut: '100201' }
const origin = new URL(receiver.url).origin
const routingKey = '0123456789abcdef0123456789abcdef'

async function addChannel(body: Record<string, unknown>) {
  const ntfy = { kind: 'ntfy', settings: { server: origin, topic: 'lora' } }
  const answer = await call('POST', '/v1/alert-channels', {
    body: { name: 'Mine', severity: 'info', ...ntfy, ...body },
  })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.data
}

/** Lets what was found be told and sent. */
async function tell() {
  await pass(1)
  await pass(1)
}

async function openCases(devices: readonly number[]) {
  // A new rule is looked at in the background.
  await services.alertWatcher.idle()
  for (const device of devices) await uplink(device, { hex: cases.open })
}

async function shutCases(devices: readonly number[]) {
  for (const device of devices) await uplink(device, { hex: cases.shut })
}

const bodies = () => receiver.received.map(({ body }) => body)

test('each service gets what it accepts, with a link, and its test says how it went', async () => {
  const settings = {
    slack: { url: receiver.url },
    teams: { url: receiver.url },
    telegram: { server: origin, token: '123:abc', chat_id: '-100' },
    pagerduty: { server: `${origin}/`, routing_key: routingKey },
    ntfy: { server: origin, topic: 'lora', token: 'tk_secret' },
    sms: { url: receiver.url, to: '+49 170 "0"', authorization: 'Basic c2VjcmV0' },
  }
  const hidden = ['url', 'url', 'token', 'routing_key', 'token', 'authorization']
  const kinds = Object.keys(settings) as (keyof typeof settings)[]
  for (const [at, kind] of kinds.entries()) {
    receiver.received.length = 0
    const rule = await createRule({ kind: 'tamper', severity: 'critical', recipients: [] })
    const channel = await addChannel({
      kind,
      name: 'A "quoted" <name> & *more*',
      settings: settings[kind],
    })
    assert.equal(String(hidden[at]) in channel.settings, false)
    const tested = await call('POST', `/v1/alert-channels/${channel.id}/test`)
    assert.deepEqual(tested.body.data, { delivered: true, failure: null })
    await openCases([1])
    await tell()
    const check = ajv.compile(channelSchemas[kind])
    for (const body of bodies()) assert.ok(check(body), JSON.stringify([body, check.errors]))
    const last = receiver.received.at(-1)
    const [alert] = await service.alerts(`rule=${rule.id}`)
    assert.match(
      last?.text ?? '',
      new RegExp(`https://fleet.example.test/alerts\\?alert=${alert.id}\\b`),
    )
    assert.match(last?.text ?? '', /Critical/)
    await shutCases([1])
    await pass(3)
    if (kind === 'pagerduty') {
      assert.equal((await receivedAfter(1)).at(-1).event_action, 'resolve')
      const keys = new Set(bodies().map(({ dedup_key }) => dedup_key))
      assert.equal(keys.size, 2, 'the test has an incident of its own')
    }
    await call('DELETE', `/v1/alert-channels/${channel.id}`)
    await call('DELETE', `/v1/alert-rules/${rule.id}`)
  }
})

async function receivedAfter(minutes: number) {
  await pass(minutes)
  return bodies()
}

test('a storm is one message, which names the first and counts the rest', async () => {
  await createRule({ kind: 'tamper', recipients: [] })
  await addChannel({})
  const all = Array.from({ length: 12 }, (_, at) => at + 1)
  await openCases(all)
  await tell()
  await pass(5)
  const [message, ...others] = bodies()
  assert.equal(others.length, 0)
  assert.match(message.title, /Critical: 12 alerts$/)
  assert.match(message.message, /…$|and 2 more\.$/)
  assert.equal(message.click, 'https://fleet.example.test/alerts')
  await shutCases(all)
  await tell()
  assert.match(bodies()[1].title, /Over: 12 alerts$/)
})

test('a channel tells of its severity, its group and its tag', async () => {
  const [first] = await services.db.query<{ id: number }>('select id from devices where eui = $1', [
    euiOf(1),
  ])
  const group = await addGroup(service, 'Cold store', { selectedDevices: [first?.id ?? 0] })
  await call('PATCH', `/v1/devices/${euiOf(2)}`, { body: { tags: { floor: '2' } } })
  await createRule({ kind: 'tamper', severity: 'warning', recipients: [] })
  const chosen = {
    'of critical ones': { severity: 'critical' },
    'of the group': { group },
    'of the tag': { tag: 'floor:2' },
  }
  for (const [topic, choice] of Object.entries(chosen)) {
    await addChannel({
      name: topic,
      settings: { server: origin, topic: topic.replaceAll(' ', '-') },
      ...choice,
    })
  }
  await openCases([1, 2, 3])
  await tell()
  assert.deepEqual(
    // Two messages are sent at once, in no order.
    bodies()
      .toSorted((one, other) => one.topic.localeCompare(other.topic))
      .map(({ topic, message }) => [topic, message.includes(euiOf(1)), message.includes(euiOf(2))]),
    [
      ['of-the-group', true, false],
      ['of-the-tag', false, true],
    ],
  )
  await shutCases([1, 2, 3])
})

test('outside of the hours in the time zone of the member, messages wait and become one', async () => {
  const wait = {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'Asia/Tokyo',
  } as const
  const me = await call('PATCH', '/v1/user', { body: { time_zone: 'Asia/Tokyo' } })
  assert.equal(me.status, 200, me.text)
  const at = (hours: number) =>
    new Intl.DateTimeFormat('en-GB', wait).format(services.now().getTime() + hours * 3_600_000)
  await createRule({ kind: 'tamper', recipients: [] })
  await addChannel({ from: at(2), to: at(4) })
  await openCases([1])
  await tell()
  await pass(30)
  await openCases([2])
  await tell()
  assert.equal(bodies().length, 0)
  await pass(90)
  await pass(1)
  assert.deepEqual(
    bodies().map(({ title }) => title.replace(/^.*\] /, '')),
    ['Critical: 2 alerts'],
  )
  await shutCases([1, 2])
})

test('what nobody acknowledges in time is told to somebody else', async () => {
  const other = await joinMember(service, 'second@example.test')
  await createRule({ kind: 'tamper', recipients: [] })
  await addChannel({ kind: 'mail', settings: {}, member: other.userId, after_minutes: 15 })
  await openCases([1, 2])
  await tell()
  const seen = (await service.alerts('state=open')).find(({ device }) => device.eui === euiOf(2))
  await call('POST', `/v1/alerts/${seen.id}/acknowledge`, { body: {} })
  const before = server.mails.length
  await pass(10)
  assert.equal(server.mails.length, before)
  await pass(10)
  const [mail, ...others] = server.mails.slice(before)
  assert.deepEqual([mail?.to, others.length], [['second@example.test'], 0])
  assert.match(mail?.raw ?? '', new RegExp(euiOf(1)))
  assert.doesNotMatch(mail?.raw ?? '', new RegExp(euiOf(2)))
  await shutCases([1, 2])
})

test('a receiver that fails is tried again, one that refuses is not, and the channel says so', async () => {
  await createRule({ kind: 'tamper', recipients: [] })
  const { id } = await addChannel({})
  const find = async () =>
    (await call('GET', '/v1/alert-channels')).body.data.find((one: { id: number }) => one.id === id)
  receiver.answer((response) => response.writeHead(503).end('busy'))
  await openCases([1])
  await tell()
  assert.match((await find()).last_failure, /^Answer 503: busy/)
  receiver.answer((response) => response.end())
  await pass(2)
  const { last_failure, last_sent_at } = await find()
  assert.equal(last_failure, null)
  assert.notEqual(last_sent_at, null)
  receiver.answer((response) => response.writeHead(404).end('no such topic'))
  await pass(2)
  await openCases([2])
  await tell()
  const tries = receiver.received.length
  await pass(60)
  assert.equal(receiver.received.length, tries)
  assert.match((await find()).last_failure, /^Answer 404/)
  await shutCases([1, 2])
})

test('messages of an hour have a limit, above which they wait', async () => {
  await createRule({ kind: 'tamper', recipients: [] })
  await addChannel({ tells_back: false })
  await services.db.query(
    `insert into alert_messages (organization_id, key, user_id, channel_id, subject, body, state,
       next_attempt_at, created_at)
     select 1, 'full_' || number, (select user_id from alert_channels), 0, '', '', 'sent', $1, $1
     from generate_series(1, 30) as number`,
    [services.now()],
  )
  await openCases([1])
  await tell()
  await pass(30)
  assert.equal(bodies().length, 0)
  await pass(31)
  assert.equal(bodies().length, 1)
  await shutCases([1])
})

test('a channel is of its member; others need to manage the account', async () => {
  const viewer = await joinMember(service, 'viewer@example.test')
  const mine = await addChannel({})
  const body = { name: 'Own', kind: 'ntfy', settings: { server: origin, topic: 'own' } }
  const created = await call('POST', '/v1/alert-channels', { as: viewer, body })
  assert.equal(created.status, 201, created.text)
  const listed = await call('GET', '/v1/alert-channels', { as: viewer })
  assert.deepEqual(
    listed.body.data.map(({ id }: { id: number }) => id),
    [created.body.data.id],
  )
  const path = `/v1/alert-channels/${mine.id}`
  for (const [method, rest] of [
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/test'],
  ] as const) {
    const answer = await call(method, path + rest, { as: viewer, body: {} })
    assert.equal(answer.status, 404, `${method} ${answer.text}`)
  }
  const member = (await call('GET', '/v1/user/get-org-user/me')).body.data.id
  const foreign = await call('POST', '/v1/alert-channels', {
    as: viewer,
    body: { ...body, member },
  })
  assert.equal(foreign.status, 403)
  await call('DELETE', `/v1/organization/users/${viewer.userId}`)
  const left = (await call('GET', '/v1/alert-channels')).body.data
  assert.deepEqual(
    left.map(({ id }: { id: number }) => id),
    [mine.id],
  )
})

test('refuses channels that cannot work, and keeps secrets that a change leaves out', async () => {
  const refused = async (body: object) => {
    const answer = await call('POST', '/v1/alert-channels', { body: { name: 'x', ...body } })
    assert.equal(answer.status, 422, answer.text)
    return Object.keys(answer.body.errors)
  }
  assert.deepEqual(await refused({ kind: 'pigeon' }), ['kind'])
  assert.deepEqual(await refused({ kind: 'slack', settings: {} }), ['settings.url'])
  const metadata = { kind: 'slack', settings: { url: 'http://169.254.169.254/' } }
  assert.deepEqual(await refused(metadata), ['settings.url'])
  const broker = { kind: 'ntfy', settings: { server: 'mqtts://broker.example.com', topic: 'x' } }
  assert.deepEqual(await refused(broker), ['settings.server'])
  const empty = { kind: 'sms', settings: { url: receiver.url, to: '1', body: '{}' } }
  assert.deepEqual(await refused(empty), ['settings.body'])
  assert.deepEqual(await refused({ kind: 'mail', from: '08:00' }), ['to'])
  assert.deepEqual(await refused({ kind: 'mail', from: '25:00', to: '08:00' }), ['from'])
  assert.deepEqual(await refused({ kind: 'mail', group: 999_999 }), ['group'])
  const { id } = await addChannel({ settings: { server: origin, topic: 'a', token: 'tk_1' } })
  const path = `/v1/alert-channels/${id}`
  const changed = await call('PATCH', path, { body: { settings: { topic: 'b' } } })
  assert.deepEqual(changed.body.data.settings, { server: origin, topic: 'b' })
  await call('POST', `${path}/test`)
  const { headers, body } = receiver.received.at(-1) ?? assert.fail()
  assert.deepEqual([headers.authorization, body.topic], ['Bearer tk_1', 'b'])
})
