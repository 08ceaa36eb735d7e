import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { makeKey } from '../../../../test/api-keys.ts'
import { connectChirpStack, makeUp, post } from '../../../../test/chirpstack-uplinks.ts'
import { addGroup, addLocalDevice, euiOf } from '../../../../test/fleet.ts'
import { tinyPlan } from '../../../../test/floor-plans.ts'
import { joinMember } from '../../../../test/members.ts'
import { type Login, startTestService } from '../../../../test/service.ts'
import { removeOldLinks } from './link-queries.ts'
import { toSharedData } from './shared-data.ts'

const service = await startTestService({ after }, { clock: new Date('2026-03-01T12:00:00Z') })
const { call, setClock } = service
const { db, now } = service.services
const callback = await connectChirpStack(service)
const airType = 112
const device = await addLocalDevice(service, 1, { deviceType: airType, deviceName: 'Cold room' })
await addLocalDevice(service, 2, { deviceType: airType, deviceName: 'Secret lab' })
const group = await addGroup(service, 'Hidden group name', { selectedDevices: [device] })

/** Tenths of °C, and % of humidity. */
async function send(number: number, tenths: number, time: string) {
  const bytes = [0x10, 0x0d, 0, Math.floor(tenths / 10), (tenths % 10) << 4, 40, 0]
  const hex = Uint8Array.from(bytes).toHex()
  const { status, text } = await post(service, callback, makeUp({ eui: euiOf(number), hex, time }))
  assert.equal(status, 200, text)
}
await send(1, 45, '2026-03-01T11:30:00Z')
await send(2, 990, '2026-03-01T11:30:00Z')

const editor = await joinMember(service, 'editor@example.test', ['manage_widget_dashboard'])
const place = { x: 0, w: 6, h: 4 }
const source = { group, quantity: 'air.temperature' }
const widgets = [
  { type: 'tiles', y: 0, ...place, source },
  { type: 'chart', y: 4, ...place, source, title: 'Temperature' },
  { type: 'table', y: 8, ...place, source: { group } },
  { type: 'counts', y: 12, ...place, source: { group } },
  { type: 'text', y: 16, ...place, options: { text: '# Welcome <script>alert(1)</script>' } },
]

async function makeDashboard(body: object = {}, as: Login = editor): Promise<string> {
  const answer = await call('POST', '/v1/dashboards', {
    as,
    body: { name: 'Cold chain', description: 'Internal words', range: '6h', widgets, ...body },
  })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.data.id
}

async function share(id: string, body: object = {}, as: Login = editor) {
  const path = `/v1/dashboards/${id}/links`
  const answer = await call('POST', path, { as, body: { name: 'Hall', ...body } })
  assert.equal(answer.status, 201, answer.text)
  const { url, id: link } = answer.body.data
  return {
    token: url.split('/').at(-1) as string,
    path: `${path}/${link}`,
    record: answer.body.data,
  }
}

const open = (token: string, headers: Record<string, string> = {}) =>
  call('GET', `/v1/shared-dashboards/${token}`, { as: null, headers })
const read = (token: string, body: object = {}, headers: Record<string, string> = {}) =>
  call('POST', `/v1/shared-dashboards/${token}/data`, { as: null, body, headers })

const dashboard = await makeDashboard()

describe('a link', () => {
  test('shows its dashboard without a login, and no id, source, description or other device', async () => {
    const { token, record } = await share(dashboard)
    assert.match(record.url, /\/shared\/[\w-]{43}$/)
    const shown = await open(token)
    assert.equal(shown.status, 200, shown.text)
    const [only] = shown.body.data.dashboards
    assert.deepEqual(Object.keys(only), ['name', 'range', 'widgets'])
    assert.deepEqual(
      only.widgets.map(({ type }: { type: string }) => type),
      widgets.map(({ type }) => type),
    )
    const data = await read(token)
    assert.equal(data.status, 200, data.text)
    const [tiles, chart, table, counts] = data.body.data.widgets
    assert.equal(tiles.series[0].device_name, 'Cold room')
    assert.equal(tiles.series[0].device_id, tiles.devices[0].device_id)
    assert.equal(chart.series.length, 1)
    assert.equal(table.devices[0].reading.text.startsWith('4.5'), true)
    assert.equal(counts.counts.total, 1)
    for (const { text } of [shown, data]) {
      assert.doesNotMatch(text, /Secret lab|Hidden group|Internal words|"source"/)
      assert.ok(!text.includes(euiOf(1)))
    }
  })

  test('of a dashboard that its owner keeps private later shows nothing', async () => {
    const own = await makeDashboard()
    const { token } = await share(own, {}, service.owner)
    const kept = await share(own)
    const path = `/v1/dashboards/${own}`
    const hidden = await call('PATCH', path, { as: editor, body: { shared: 'private' } })
    assert.equal(hidden.status, 200, hidden.text)
    assert.equal((await open(token)).status, 404)
    assert.equal((await open(kept.token)).status, 200)
  })

  test('is stored as a hash, is listed without its address, and ends at once', async () => {
    const { token, path } = await share(dashboard, { name: 'Ends' })
    const rows = await db.query<{ row: string }>(
      'select dashboard_links::text as row from dashboard_links',
    )
    assert.ok(rows.every(({ row }) => !row.includes(token)))
    await open(token)
    const list = await call('GET', `/v1/dashboards/${dashboard}/links`, { as: editor })
    const listed = list.body.data.find(({ name }: { name: string }) => name === 'Ends')
    assert.equal(listed.last_used_at, '2026-03-01T12:00:00.000000Z')
    assert.equal(list.text.includes(token), false)
    assert.equal((await call('DELETE', path, { as: editor })).status, 204)
    for (const answer of [await open(token), await read(token)]) {
      assert.deepEqual([answer.status, answer.body.message], [404, 'Link not found'])
    }
    assert.equal((await call('DELETE', path, { as: editor })).status, 404)
    const activity = await call('GET', '/v1/fleet/activity')
    assert.match(activity.text, /"shared"/)
    assert.match(activity.text, /"unshared"/)
    assert.ok(!activity.text.includes(token))
  })

  test('needs its password, which is guessed slowly', async () => {
    const { token } = await share(dashboard, { password: 'seven cold rooms' })
    assert.equal((await open(token)).status, 403)
    assert.equal((await read(token, {}, { 'x-link-pass': 'x' })).status, 403)
    const unlock = (password: string) =>
      call('POST', `/v1/shared-dashboards/${token}/pass`, { as: null, body: { password } })
    const { status, body } = await unlock('seven cold rooms')
    assert.equal(status, 200)
    const headers = { 'x-link-pass': body.data.pass }
    assert.equal((await open(token, headers)).status, 200)
    assert.equal((await read(token, {}, headers)).status, 200)
    const statuses: number[] = []
    for (let count = 0; count < 6; count += 1) statuses.push((await unlock('wrong guess')).status)
    assert.deepEqual(statuses, [403, 403, 403, 403, 403, 429])
    assert.equal((await unlock('seven cold rooms')).status, 429)
    const other = await share(dashboard, { password: 'seven cold rooms' })
    assert.equal((await open(other.token, headers)).status, 403)
  })

  test('ends by itself, and is removed a month later', async () => {
    const { token } = await share(dashboard, { expires_at: '2026-03-01T13:00:00Z' })
    assert.equal((await open(token)).status, 200)
    setClock(new Date('2026-03-01T13:00:00Z'))
    assert.equal((await open(token)).status, 404)
    const count = async () =>
      (await db.query('select from dashboard_links where expires_at is not null')).length
    await removeOldLinks(db, now())
    assert.equal(await count(), 1)
    await removeOldLinks(db, new Date('2026-04-02T13:00:00Z'))
    assert.equal(await count(), 0)
    setClock(new Date('2026-03-01T12:00:00Z'))
  })

  test('shows several dashboards, not those that are deleted or of others', async () => {
    const second = await makeDashboard({ name: 'Second', widgets: [] })
    const { token } = await share(dashboard, { more_dashboards: [second], rotate_seconds: 10 })
    const { body } = await open(token)
    const names = (data: { dashboards: { name: string }[] }) =>
      data.dashboards.map(({ name }) => name)
    assert.deepEqual(names(body.data), ['Cold chain', 'Second'])
    assert.equal((await read(token, { index: 1 })).body.data.widgets.length, 0)
    assert.equal((await read(token, { index: 2 })).status, 404)
    await call('DELETE', `/v1/dashboards/${second}`, { as: editor })
    const after = await open(token)
    assert.deepEqual(names(after.body.data), ['Cold chain'])
    assert.notEqual(after.body.data.revision, body.data.revision)
    const own = await makeDashboard({ shared: 'private' }, service.owner)
    const refused = await call('POST', `/v1/dashboards/${dashboard}/links`, {
      as: editor,
      body: { name: 'A', more_dashboards: [own] },
    })
    assert.deepEqual(refused.body.errors, {
      'more_dashboards.0': ['The selected dashboard is invalid.'],
    })
  })

  test('may be framed by the sites that it names, and by no other', async () => {
    const { token } = await share(dashboard, {
      hosts: ['https://Www.example.com', 'https://*.b.test:8443'],
    })
    assert.ok(token)
    const hostile = [
      "https://a.test; script-src 'unsafe-inline'",
      'https://a.test/x',
      '*',
      'a b',
      'data:',
    ]
    for (const host of hostile) {
      const body = { name: 'A', hosts: [host] }
      const { status } = await call('POST', `/v1/dashboards/${dashboard}/links`, {
        as: editor,
        body,
      })
      assert.equal(status, 422, host)
    }
  })

  test('is made by those who change dashboards, not by whoever is limited to a group', async () => {
    const reader = await joinMember(service, 'reader@example.test')
    const limited = await joinMember(service, 'limited@example.test', ['manage_widget_dashboard'])
    await call('PATCH', `/v1/organization/users/${limited.userId}`, { body: { group } })
    const key = await makeKey(service, { permissions: ['manage_widget_dashboard'] })
    const path = `/v1/dashboards/${dashboard}/links`
    for (const as of [reader, limited]) {
      assert.equal((await call('POST', path, { as, body: { name: 'A' } })).status, 403)
      assert.equal((await call('GET', path, { as })).status, 403)
    }
    assert.equal((await key.call('POST', path, { body: { name: 'A' } })).status, 201)
    assert.equal((await key.call('GET', path)).status, 200)
  })

  test('is of no use for anything else', async () => {
    const { token } = await share(dashboard)
    const headers = { authorization: `Bearer ${token}`, organization: '1' }
    for (const path of [
      '/v1/devices',
      '/v1/dashboards',
      '/v1/events',
      `/v1/dashboards/${dashboard}`,
    ]) {
      assert.equal((await call('GET', path, { as: null, headers })).status, 401, path)
    }
    for (const wrong of ['x', `${token}x`, '%00', "' or 1=1", 'a'.repeat(101)]) {
      const path = `/v1/shared-dashboards/${encodeURIComponent(wrong)}`
      const { status } = await call('GET', path, { as: null })
      assert.equal(status, 404, wrong)
    }
  })
})

describe('what widgets show now', () => {
  test('is not sent twice, and is read again when a device of the widget has sent', async () => {
    const { token } = await share(dashboard)
    const first = await read(token)
    const versions = first.body.data.widgets.map(({ version }: { version: string }) => version)
    const states = async () => {
      const { body } = await read(token, { versions })
      return body.data.widgets.map(({ unchanged = false }) => unchanged)
    }
    assert.deepEqual(await states(), [true, true, true, true, true])
    const later = (seconds: number) => setClock(new Date(Date.UTC(2026, 2, 1, 12, 0, seconds)))
    await send(2, 500, '2026-03-01T12:00:05Z')
    later(11)
    // The counts may be about any device.
    assert.deepEqual((await states()).slice(0, 3), [true, true, true])
    await send(1, 50, '2026-03-01T12:00:12Z')
    assert.deepEqual((await states()).slice(0, 3), [true, true, true])
    later(22)
    assert.deepEqual((await states()).slice(0, 3), [false, false, false])
    const member = { widgets: [widgets[2]], range: '6h' }
    const own = await call('POST', '/v1/dashboards/data', { as: editor, body: member })
    assert.equal(own.body.data[0].devices[0].device_id, euiOf(1))
    later(0)
  })

  test('has the floor plans of its widgets with their images, and no others', async () => {
    const plan = async (of: number) => {
      const body = { name: 'Ground floor', group_id: of, image: tinyPlan }
      return (await call('POST', '/v1/floor-plans', { body })).body.data.id
    }
    const other = await addGroup(service, 'Other')
    await plan(other)
    const id = await plan(group)
    await call('PUT', `/v1/floor-plans/${id}/devices/${euiOf(1)}`, { body: { x: 0.5, y: 0.5 } })
    const widget = { type: 'plan', y: 0, ...place, source: { group } }
    const buttons = { type: 'downlink', y: 4, ...place, source: { devices: [euiOf(1)] } }
    const button = { ...buttons, options: { f_port: 10, payload: '01ff' } }
    const shown = await makeDashboard({ name: 'Plans', widgets: [button, widget] }, service.owner)
    const { token } = await share(shown, { password: 'seven cold rooms' })
    const path = `/v1/shared-dashboards/${token}`
    const unlocked = await call('POST', `${path}/pass`, {
      as: null,
      body: { password: 'seven cold rooms' },
    })
    const headers = { 'x-link-pass': unlocked.body.data.pass }
    const { body, text } = await read(token, {}, headers)
    assert.doesNotMatch(text, /01ff/)
    const [{ plans }] = body.data.widgets
    assert.equal(plans.length, 1)
    assert.equal(plans[0].positions[0].device_name, 'Cold room')
    assert.ok(!text.includes(euiOf(1)))
    const imageAt = (at: string, sent = headers as Record<string, string>) =>
      call('GET', `${path}/plans/${at}`, { as: null, headers: sent })
    assert.equal((await imageAt(`0-${plans[0].id}`)).status, 200)
    assert.equal((await imageAt(`0-${plans[0].id}`, {})).status, 403)
    for (const at of ['0-1', '1-0', `0-${id + 100}`, '0-99999', 'x', '0-0/../..']) {
      assert.equal((await imageAt(encodeURIComponent(at))).status, 404, at)
    }
  })

  test('has no people, notes, causes or ids of an alert', () => {
    const person = { id: 7, name: 'Eve Person' }
    const subject = { id: 8, eui: 'AAAA', name: 'Door' }
    const alert = {
      ...{ id: 5, rule_id: 6, rule_name: 'Rule words', kind: 'registration_error' as const },
      ...{ severity: 'warning' as const, state: 'open' as const, ended: null, closed_at: null },
      ...{ began_at: '', opened_at: '', key: null, label: null, unit: null, value_text: null },
      ...{ value: null, bound: null, empty_at: null, is_told: true, acknowledged_at: null },
      ...{ snoozed_until: null, note: 'Key under the mat', message: 'Network words' },
      ...{ device: subject, gateway: null, cause: { id: 9, eui: 'BBBB', name: 'Gate' } },
      ...{ acknowledged_by: person, assigned_to: person, closed_by: null },
      groups: [{ id: 3, name: 'Hidden' }],
      actions: [
        {
          ...{ type: 'downlink' as const, at: 'open' as const, state: 'failed' as const },
          ...{ message: 'Gate words', downlink_id: 5, created_at: '' },
        },
      ],
      notes: [{ text: 'Key under the mat', at: '', by: person }],
    }
    const compared = {
      ...{ ...alert, kind: 'condition' as const, message: 'Inside 1 °C, 2 °C above Hidden' },
    }
    const alerts = [alert, compared]
    const text = JSON.stringify(toSharedData('alerts', { from: '', to: '', alerts }))
    assert.match(text, /2 °C above another/)
    assert.doesNotMatch(text, /Eve|words|mat|Gate|Hidden|AAAA|BBBB|[5-9]/)
    assert.match(text, /Door/)
  })
})

test('an address that asks too often, and a link that all ask too often, have to wait', async () => {
  const { token } = await share(dashboard)
  const { limiter } = service.services.linkGuard
  const exhaust = (key: string, most: number) => {
    for (let count = 0; count < most; count += 1) limiter.allow(key, now().getTime(), most)
  }
  setClock(new Date('2026-03-01T14:00:00Z'))
  exhaust('address 127.0.0.1', 600)
  const refused = await open(token)
  assert.equal(refused.status, 429)
  assert.equal(refused.headers['retry-after'], '60')
  assert.equal((await open('x')).status, 429)
  setClock(new Date('2026-03-01T14:01:00Z'))
  assert.equal((await open(token)).status, 200)
  const [{ id = 0 } = {}] = await db.query<{ id: number }>(
    'select max(id) as id from dashboard_links',
  )
  exhaust(`link ${id}`, 3000)
  assert.equal((await read(token)).status, 429)
})
