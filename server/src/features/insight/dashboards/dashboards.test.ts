import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { makeKey } from '../../../../test/api-keys.ts'
import { connectChirpStack, makeUp, post } from '../../../../test/chirpstack-uplinks.ts'
import { addGroup, addLocalDevice, euiOf } from '../../../../test/fleet.ts'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { type Login, startTestService } from '../../../../test/service.ts'
import { rollUp } from '../../../uplinks/rollups/roll-up.ts'
import { removeOldDashboards } from './dashboard-queries.ts'
import { widgetTypes } from './widget-types.ts'

const service = await startTestService({ after })
const { call } = service
const { db, now } = service.services
const callback = await connectChirpStack(service)

const airType = 112
const ids: number[] = []
for (const number of [1, 2, 3]) {
  ids.push(await addLocalDevice(service, number, { deviceType: airType }))
}
ids.push(await addLocalDevice(service, 4))
const [first = 0, second = 0, third = 0, door = 0] = ids
const building = await addGroup(service, 'Building', { selectedDevices: [first, door] })
const cellar = await addGroup(service, 'Cellar', {
  selectedDevices: [second],
  selectedGroup: building,
})
const yard = await addGroup(service, 'Yard', { selectedDevices: [third] })

/** Tenths of °C, and % of humidity. */
function air(tenths: number, humidity: number): string {
  const bytes = [0x10, 0x0d, 0, Math.floor(tenths / 10), (tenths % 10) << 4, humidity, 0]
  return Uint8Array.from(bytes).toHex()
}

async function send(number: number, hex: string, time: string): Promise<void> {
  const { status, text } = await post(service, callback, makeUp({ eui: euiOf(number), hex, time }))
  assert.equal(status, 200, text)
}

await send(1, air(200, 40), '2026-02-28T12:10:00Z')
await send(1, air(220, 42), '2026-02-28T14:10:00Z')
await send(2, air(100, 80), '2026-02-28T12:20:00Z')
await send(3, air(300, 50), '2026-02-28T12:30:00Z')
await send(4, '100301', '2026-02-28T12:00:00Z')
await send(4, '100300', '2026-02-28T13:00:00Z')
await rollUp(db)

const member = await joinMember(service, 'reader@example.test')
const editor = await joinMember(service, 'editor@example.test', ['manage_widget_dashboard'])
const limited = await joinMember(service, 'cellar@example.test', ['manage_widget_dashboard'])
await call('PATCH', `/v1/organization/users/${limited.userId}`, { body: { group: cellar } })

const inDays = (days: number) => new Date(now().getTime() + days * 86_400_000)
const place = { x: 0, y: 0, w: 6, h: 4 }
const temperature = { quantity: 'air.temperature' }
const chart = { type: 'chart', ...place, source: { group: building, ...temperature } }

async function make(body: Record<string, unknown> = {}, as: Login = editor) {
  const answer = await call('POST', '/v1/dashboards', {
    as,
    body: { name: 'Cold chain', widgets: [chart], ...body },
  })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.data
}

async function namesFor(as: Login, query = ''): Promise<string[]> {
  const { status, body, text } = await call('GET', `/v1/dashboards${query}`, { as })
  assert.equal(status, 200, text)
  return body.data.map(({ name }: { name: string }) => name)
}

/** One pixel, with a note that must not be kept. */
const note = Buffer.from(`0000000574455874${Buffer.from('Where').toString('hex')}00000000`, 'hex')
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
)
const dataAddress = (bytes: Uint8Array) => `data:image/png;base64,${bytes.toBase64()}`
const tinyPicture = dataAddress(pixel)

const range = { from: '2026-02-28T12:00:00Z', to: '2026-02-28T16:00:00Z' }
async function read(widgets: object[], more: object = {}, as: Login = member) {
  const body = { ...range, widgets, ...more }
  const answer = await call('POST', '/v1/dashboards/data', { as, body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}

test('a dashboard keeps what was sent, and its list says how much it has', async () => {
  const description = 'Rooms below 5 °C'
  const widgets = [
    { ...chart, title: 'Rooms', options: { range: '7d', show: 'lines', high: 5 } },
    { type: 'text', ...place, x: 6, options: { text: '# Call **Bo**' } },
  ]
  const made = await make({ name: 'Rooms', description, range: '7d', widgets })
  const { id, created_at, updated_at, ...rest } = made
  assert.equal(created_at, updated_at)
  assert.deepEqual(rest, {
    name: 'Rooms',
    description,
    shared: 'organization',
    range: '7d',
    variable: null,
    revision: 1,
    made_for: null,
    made_by: { id: editor.userId, name: 'Ada Member' },
    deleted_at: null,
    widgets,
  })
  assert.deepEqual((await call('GET', `/v1/dashboards/${id}`, { as: member })).body.data, made)
  const { body } = await call('GET', '/v1/dashboards?search=ROOM', { as: member })
  const { widgets: _, ...listed } = made
  assert.deepEqual(body.data, [{ ...listed, widget_count: 2 }])
})

const wrong: [string, object, string, RegExp][] = [
  ['an unknown type', { type: 'pie' }, 'type', /one of: value, tiles/],
  ['no type', { type: undefined }, 'type', /one of/],
  ['a place outside', { x: 8 }, 'w', /12 together/],
  ['a width of 0', { w: 0 }, 'w', /from 1 to 12/],
  ['a number as text', { y: '1' }, 'y', /integer/],
  ['no quantity', { source: { group: building } }, 'source', /measurement or a quantity/],
  ['two sources', { source: { group: building, tag: 'a', ...temperature } }, 'source', /only one/],
  ['an unknown group', { source: { group: 99999, ...temperature } }, 'source.group', /invalid/],
  [
    'an unknown device',
    { source: { devices: [euiOf(1), euiOf(77)], ...temperature } },
    'source.devices.1',
    /invalid/,
  ],
  [
    'an unknown type of device',
    { source: { device_type: 9, ...temperature } },
    'source.device_type',
    /invalid/,
  ],
  ['no variable', { source: { variable: true, ...temperature } }, 'source.variable', /no variable/],
  [
    'a member that does not exist',
    { source: { colour: 1, ...temperature } },
    'source',
    /Unrecognized/,
  ],
  ['an option of others', { options: { text: 'x' } }, 'options.text', /no option text/],
  ['an unknown range', { options: { range: '2h' } }, 'options.range', /one of/],
  ['limits the wrong way', { options: { low: 5, high: 1 } }, 'options.low', /below the high/],
  [
    'a floor plan of nothing',
    { type: 'plan', source: { quantity: 'air.temperature' } },
    'source',
    /needs a source with a plan/,
  ],
  ['an unknown floor plan', { type: 'plan', source: { plan: 9999 } }, 'source.plan', /invalid/],
  [
    'a floor plan of a chart',
    { source: { plan: 9, ...temperature } },
    'source.plan',
    /no floor plan/,
  ],
  [
    'a picture of another kind',
    {
      type: 'picture',
      source: undefined,
      options: { image: 'data:image/svg+xml;base64,PHN2Zy8+' },
    },
    'options.image',
    /PNG or JPEG/,
  ],
  [
    'a damaged picture',
    { type: 'picture', source: undefined, options: { image: 'data:image/png;base64,AAAA' } },
    'options.image',
    /must be a PNG, JPEG/,
  ],
  [
    'a button for nobody',
    { type: 'downlink', source: {}, options: { f_port: 1, payload: '00' } },
    'source',
    /needs a source with devices/,
  ],
  [
    'a button without bytes',
    { type: 'downlink', source: { group: building }, options: { f_port: 1 } },
    'options.payload',
    /required/,
  ],
  ['a text without text', { type: 'text', source: undefined }, 'options.text', /required/],
  [
    'a text with NUL',
    { type: 'text', source: undefined, options: { text: '\u0000' } },
    'options.text',
    /not allowed/,
  ],
]

describe('an error names the path', () => {
  for (const [name, change, path, message] of wrong) {
    test(name, async () => {
      const body = {
        name: 'A',
        widgets: [
          { ...chart, y: 9 },
          { ...chart, ...change },
        ],
      }
      const { status, body: answer } = await call('POST', '/v1/dashboards', { as: editor, body })
      assert.equal(status, 422)
      assert.deepEqual(Object.keys(answer.errors), [`widgets.1.${path}`])
      assert.match(answer.errors[`widgets.1.${path}`][0], message)
    })
  }

  test('too many and too large widgets', async () => {
    const text = { type: 'text', ...place, options: { text: 'x'.repeat(9000) } }
    for (const widgets of [Array(61).fill(chart), Array(28).fill(text), 'none']) {
      const body = { name: 'A', widgets }
      const { status, body: answer } = await call('POST', '/v1/dashboards', { as: editor, body })
      assert.deepEqual([status, Object.keys(answer.errors)], [422, ['widgets']])
    }
  })
})

test('the schema takes what the service takes, and refuses what it refuses', async () => {
  const { body: schema } = await call('GET', '/v1/dashboards/schema', { as: member })
  const check = new Ajv2020({ strict: false }).compile(schema)
  const source = { group: building, ...temperature }
  const needed: Record<string, object> = {
    text: { options: { text: 'A' } },
    picture: { options: { image: tinyPicture } },
    plan: { source: { group: building } },
    downlink: { source: { devices: [euiOf(1)] }, options: { f_port: 10, payload: '01ff' } },
  }
  for (const type of widgetTypes) {
    const isBare = ['table', 'states', 'alerts', 'battery', 'counts', 'map'].includes(type)
    const widget = { type, ...place, ...(needed[type] ?? (isBare ? {} : { source })) }
    const body = { name: 'A', widgets: [widget] }
    await make(body)
    assert.ok(check(body), `${type}: ${JSON.stringify(check.errors)}`)
    const others = { ...body, widgets: [{ ...widget, options: { colour: 1 } }] }
    assert.ok(!check(others), type)
    assert.equal((await call('POST', '/v1/dashboards', { as: editor, body: others })).status, 422)
  }
})

test('two editors do not overwrite each other', async () => {
  const { id } = await make({ name: 'Shared work' })
  const change = (body: object) => call('PATCH', `/v1/dashboards/${id}`, { as: editor, body })
  const moved = await change({ widgets: [{ ...chart, x: 3 }], revision: 1 })
  assert.deepEqual([moved.status, moved.body.data.revision], [200, 2])
  const late = await change({ name: 'Late', revision: 1 })
  assert.equal(late.status, 409)
  assert.match(late.body.message, /Somebody else has changed the dashboard/)
  const { body } = await change({ description: 'Only this' })
  const { name, description, revision, widgets } = body.data
  assert.deepEqual([name, description, revision, widgets[0].x], ['Shared work', 'Only this', 3, 3])
})

test('a widget whose group is gone stays, says so, and lets the others move', async () => {
  const gone = await addGroup(service, 'Gone', { selectedDevices: [first] })
  const lost = { ...chart, source: { group: gone, ...temperature } }
  const { id } = await make({ widgets: [lost, { ...chart, y: 4 }] })
  await call('DELETE', `/v1/device-groups/${gone}`)
  const widgets = [lost, { ...chart, y: 8 }]
  const { status, text } = await call('PATCH', `/v1/dashboards/${id}`, {
    as: editor,
    body: { widgets },
  })
  assert.equal(status, 200, text)
  const [ofLost, ofOther] = await read(widgets)
  assert.match(ofLost.error, /not there/)
  assert.equal(ofOther.error, undefined)
})

test('deletion can be undone for 30 days', async () => {
  const { id } = await make({ name: 'Deleted' })
  const path = `/v1/dashboards/${id}`
  assert.equal((await call('DELETE', path, { as: editor })).status, 204)
  assert.equal((await call('GET', path, { as: editor })).status, 404)
  assert.equal((await call('DELETE', path, { as: editor })).status, 404)
  assert.ok((await namesFor(editor, '?deleted=yes')).includes('Deleted'))
  assert.ok(!(await namesFor(editor)).includes('Deleted'))
  const back = await call('POST', `${path}/restore`, { as: editor })
  assert.deepEqual([back.status, back.body.data.name], [200, 'Deleted'])
  assert.equal((await call('POST', `${path}/restore`, { as: editor })).status, 404)
  await call('DELETE', path, { as: editor })
  await removeOldDashboards(db, inDays(29))
  assert.ok((await namesFor(editor, '?deleted=yes')).includes('Deleted'))
  await removeOldDashboards(db, inDays(31))
  assert.deepEqual(await namesFor(editor, '?deleted=yes'), [])
})

test('a private one is for whoever made it, and goes when that person leaves', async () => {
  const guest = await joinMember(service, 'guest@example.test', ['manage_widget_dashboard'])
  const { id } = await make({ name: 'Mine', shared: 'private' }, guest)
  assert.ok((await namesFor(guest)).includes('Mine'))
  for (const as of [editor, service.owner]) {
    assert.ok(!(await namesFor(as)).includes('Mine'))
    for (const method of ['GET', 'DELETE']) {
      assert.equal((await call(method, `/v1/dashboards/${id}`, { as })).status, 404)
    }
  }
  const shared = await make({ name: 'Ours' })
  const path = `/v1/dashboards/${shared.id}`
  const taken = await call('PATCH', path, { as: guest, body: { shared: 'private' } })
  assert.equal(taken.status, 409)
  const key = await makeKey(service, { permissions: ['manage_widget_dashboard'] })
  const body = { name: 'A', widgets: [], shared: 'private' }
  assert.equal((await key.call('POST', '/v1/dashboards', { body })).status, 422)
  await call('DELETE', `/v1/organization/users/${guest.userId}`)
  await removeOldDashboards(db, inDays(0))
  const [row] = await db.query<{ is_gone: boolean }>(
    'select deleted_at is not null as is_gone from dashboards where id = $1',
    [Number(id)],
  )
  assert.equal(row?.is_gone, true)
})

test('members read, and only those with the permission change', async () => {
  const { id } = await make({ name: 'Read only' })
  const path = `/v1/dashboards/${id}`
  assert.equal((await call('GET', path, { as: member })).status, 200)
  const key = await makeKey(service)
  assert.equal((await key.call('GET', path)).status, 200)
  const changes: [string, string, object | undefined][] = [
    ['POST', '/v1/dashboards', { name: 'A', widgets: [] }],
    ['PATCH', path, { name: 'A' }],
    ['DELETE', path, undefined],
    ['POST', `${path}/copy`, {}],
    ['POST', `${path}/restore`, undefined],
  ]
  for (const [method, url, body] of changes) {
    const refused = await call(method, url, { as: member, body })
    assert.equal(refused.status, 403, `${method} ${url}`)
    assert.equal((await key.call(method, url, { body })).status, 403)
  }
  const stranger = await foundOrganization(service, 'stranger@example.test')
  assert.equal((await call('GET', path, { as: stranger })).status, 404)
  assert.deepEqual(await namesFor(stranger), [])
})

test('who is limited to a group sees what lies in it', async () => {
  const inside = { ...chart, source: { group: cellar, ...temperature } }
  const device = { ...chart, y: 4, source: { devices: [euiOf(2)], ...temperature } }
  const all = { ...chart, source: temperature }
  await make({ name: 'Inside', widgets: [inside, device] })
  const outside = await make({ name: 'Outside', widgets: [inside, chart] })
  await make({
    name: 'Other device',
    widgets: [{ ...device, source: { ...device.source, devices: [euiOf(1)] } }],
  })
  await make({ name: 'Everything', widgets: [all] })
  const key = await makeKey(service, { group: cellar })
  const ofKey = await key.call('GET', '/v1/dashboards?made_by=members')
  const names = ofKey.body.data.map(({ name }: { name: string }) => name)
  assert.deepEqual(await namesFor(limited, '?made_by=members'), names)
  for (const name of ['Inside', 'Everything']) assert.ok(names.includes(name), name)
  for (const name of ['Outside', 'Other device']) assert.ok(!names.includes(name), name)
  assert.equal((await call('GET', `/v1/dashboards/${outside.id}`, { as: limited })).status, 404)
  assert.equal((await call('DELETE', `/v1/dashboards/${outside.id}`, { as: limited })).status, 404)
  const made = await call('POST', '/v1/dashboards', {
    as: limited,
    body: { name: 'A', widgets: [chart] },
  })
  assert.deepEqual(Object.keys(made.body.errors), ['widgets.0.source.group'])
  const widgets = [
    { ...all, type: 'ranking' },
    { type: 'table', ...place },
    { type: 'counts', ...place },
    { ...chart, type: 'ranking' },
    { type: 'table', ...place, source: { devices: [euiOf(1)] } },
  ]
  const [ranking, table, counts, ...refused] = await read(widgets, {}, limited)
  const idsOf = (data: { device_id: string }[]) => data.map(({ device_id }) => device_id)
  assert.deepEqual(idsOf(ranking.series), [euiOf(2)])
  assert.deepEqual([idsOf(table.devices), table.total, counts.counts.total], [[euiOf(2)], 1, 1])
  for (const { error } of refused) assert.match(error, /not for you/)
  assert.deepEqual(await namesFor(limited, '?made_by=service'), ['Cellar', await typeNameOf()])
})

async function typeNameOf(): Promise<string> {
  const { body } = await call('GET', `/v1/fleet/devices?search=${euiOf(1)}`)
  return body.data[0].device_type.name
}

test('each group and each device type has a dashboard, which can be copied', async () => {
  const names = await namesFor(member, '?made_by=service')
  for (const name of ['Building', 'Cellar', 'Yard', await typeNameOf()]) {
    assert.ok(names.includes(name), name)
  }
  const path = `/v1/dashboards/group-${building}`
  const { body, text } = await call('GET', path, { as: member })
  assert.ok(body.data, text)
  const { made_for, widgets, revision } = body.data
  assert.deepEqual([made_for, revision], [{ group: building, device_type: null }, null])
  const types: string[] = widgets.map(({ type }: { type: string }) => type)
  for (const type of ['counts', 'chart', 'tiles', 'states', 'table', 'alerts', 'battery']) {
    assert.ok(types.includes(type), type)
  }
  const charts = widgets.filter(({ type }: { type: string }) => type === 'chart')
  assert.deepEqual(
    charts.map(({ title }: { title: string }) => title),
    ['Temperature', 'Humidity'],
  )
  assert.equal((await call('PATCH', path, { as: editor, body: { name: 'A' } })).status, 404)
  for (const answer of await read(widgets)) assert.equal(answer.error, undefined)
  const copy = await call('POST', `${path}/copy`, { as: editor, body: {} })
  assert.equal(copy.status, 201, copy.text)
  assert.deepEqual([copy.body.data.name, copy.body.data.widgets], ['Building (copy)', widgets])
  const again = await call('POST', `/v1/dashboards/${copy.body.data.id}/copy`, {
    as: editor,
    body: { name: 'Again' },
  })
  assert.deepEqual([again.body.data.name, again.body.data.widgets], ['Again', widgets])
  const ofType = await call('GET', `/v1/dashboards/type-${airType}`, { as: member })
  assert.deepEqual(ofType.body.data.made_for, { group: null, device_type: airType })
  for (const id of ['group-99999', 'type-9', 'group-x', '0', '99999', `group-${yard}`]) {
    assert.equal((await call('GET', `/v1/dashboards/${id}`, { as: limited })).status, 404, id)
  }
})

test('values: one for each device, or all of a source together', async () => {
  const source = { group: building, ...temperature }
  const widget = (type: string, options?: object) => ({ type, ...place, source, options })
  const hourly = '2026-02-28T12:00:00.000000Z'
  const [tiles, lines, average, value, bars, heat] = await read([
    widget('tiles'),
    widget('chart', { step: '1h' }),
    widget('chart', { step: '1h', show: 'average' }),
    widget('value'),
    widget('bars', { step: '1h', aggregate: 'max' }),
    widget('heatmap'),
  ])
  const lastOf = ({ device_name, points }: { device_name: string; points: unknown[][] }) => [
    device_name,
    points.length,
    points[0]?.at(-1),
  ]
  assert.deepEqual(tiles.series.map(lastOf), [
    ['Device 1', 1, 22],
    ['Device 2', 1, 10],
  ])
  assert.deepEqual(
    [tiles.total, tiles.devices.length, tiles.devices[0].verdict.state],
    [2, 2, 'ok'],
  )
  assert.deepEqual([lines.aggregate, lines.series.length], [['avg', 'min', 'max'], 2])
  assert.deepEqual(lines.series[0].points, [
    [hourly, 20, 20, 20],
    ['2026-02-28T14:00:00.000000Z', 22, 22, 22],
  ])
  const [band, ...others] = average.series
  assert.deepEqual([others, band.device_id, band.devices, band.unit], [[], null, 2, '°C'])
  assert.deepEqual(band.points[0], [hourly, 15, 10, 20])
  assert.deepEqual([value.series.length, value.series[0].points.at(-1).at(-1)], [1, 22])
  assert.deepEqual(bars.series[0].points, [
    [hourly, 20],
    ['2026-02-28T14:00:00.000000Z', 22],
  ])
  assert.deepEqual(bars.previous, [])
  assert.deepEqual([heat.step, heat.series[0].points.length], ['1h', 2])
})

test('a chart has up to eight sources, each within what the caller may see', async () => {
  const humidity = { quantity: 'air.relativeHumidity' }
  const more = [
    { devices: [euiOf(3)], ...temperature },
    { variable: true as const, ...humidity },
  ]
  const source = { devices: [euiOf(1)], ...temperature, more }
  const widgets = [{ ...chart, source }]
  const variable = { kind: 'group', group: cellar }
  await make({ widgets, variable })
  const [read1] = await read(widgets, { variable })
  const linesOf = ({ series }: { series: { device_name: string; label: string }[] }) =>
    series.map(({ device_name, label }) => [device_name, label])
  assert.deepEqual(linesOf(read1), [
    ['Device 1', 'Temperature'],
    ['Device 3', 'Temperature'],
    ['Device 2', 'Humidity'],
  ])
  assert.equal((await read(widgets))[0].error, 'Nothing is chosen yet.')
  assert.match((await read(widgets, { variable }, limited))[0].error, /not for you/)
  for (const [widget, path] of [
    [{ ...chart, source: { ...source, more: Array(8).fill(more[0]) } }, 'source.more'],
    [
      { ...chart, source: { ...source, more: [{ group: 99_999, ...temperature }] } },
      'source.more.0.group',
    ],
    [{ ...chart, source: { ...source, more: [{ group: building }] } }, 'source.more.0'],
    [{ ...chart, type: 'value', source }, 'source.more.0'],
  ] as const) {
    const body = { name: 'A', widgets: [widget], variable }
    const answer = await call('POST', '/v1/dashboards', { as: editor, body })
    assert.ok(Object.keys(answer.body.errors).includes(`widgets.0.${path}`), answer.text)
  }
})

test('what the devices measure can be chosen from', async () => {
  const { body } = await call('GET', '/v1/dashboards/measured', { as: limited })
  const [battery, ...others] = body.data.toReversed()
  assert.deepEqual(battery, {
    quantity: 'battery',
    measurement: null,
    label: 'Battery',
    unit: 'V',
    devices: 1,
  })
  assert.ok(others.some((one: { quantity: string }) => one.quantity === 'air.temperature'))
  const { body: ofAll } = await call('GET', '/v1/dashboards/measured', { as: member })
  assert.deepEqual([ofAll.data[0].quantity, ofAll.data[0].devices], ['battery', 4])
})

test('states, latest readings, counts, alerts, and low batteries', async () => {
  await db.query(
    'update device_states set warnings = 1, battery_volts = 2.4 where device_id = $1',
    [door],
  )
  const source = { group: building }
  const [states, table, counts, battery, alerts, text] = await read([
    { type: 'states', ...place, source },
    { type: 'table', ...place, source: { group: building, ...temperature } },
    { type: 'counts', ...place, source },
    { type: 'battery', ...place, source },
    { type: 'alerts', ...place, source },
    { type: 'text', ...place, options: { text: '<script>' } },
  ])
  const [state] = states.states
  assert.deepEqual([state.device_name, state.label], ['Device 4', 'Door'])
  assert.deepEqual(
    state.intervals.map(({ text }: { text: string }) => text),
    ['Open', 'Closed'],
  )
  assert.deepEqual(
    table.devices.map((one: { device_name: string; reading: { text: string } }) => [
      one.device_name,
      one.reading.text,
    ]),
    [
      ['Device 1', '22.0 °C · 42 %'],
      ['Device 2', '10.0 °C · 80 %'],
    ],
  )
  assert.deepEqual([counts.counts.total, counts.counts.ok], [3, 2])
  assert.deepEqual([battery.silent, battery.low_battery], [0, 1])
  assert.deepEqual([alerts.alerts, alerts.total], [[], 0])
  assert.deepEqual(Object.keys(text), ['from', 'to'])
})

test('one dashboard serves every building by its variable', async () => {
  const source = { variable: true, ...temperature }
  const widgets = [{ type: 'ranking', ...place, source }]
  const variable = { kind: 'group', group: building }
  const { variable: kept } = await make({ name: 'Any building', variable, widgets })
  assert.deepEqual(kept, variable)
  const namesOf = async (more: object) => {
    const [answer] = await read(widgets, more)
    return answer.error ?? answer.series.map((one: { device_name: string }) => one.device_name)
  }
  assert.deepEqual(await namesOf({ variable }), ['Device 1', 'Device 2'])
  assert.deepEqual(await namesOf({ variable: { kind: 'group', group: yard } }), ['Device 3'])
  assert.deepEqual(await namesOf({ variable: { kind: 'device', device: euiOf(2) } }), ['Device 2'])
  assert.equal(await namesOf({ variable: { kind: 'group' } }), 'Nothing is chosen yet.')
  assert.match(await namesOf({ variable: { kind: 'group', group: 99999 } }), /not there/)
  const bad = { kind: 'group', device: euiOf(1) }
  const { body } = await call('POST', '/v1/dashboards', {
    as: editor,
    body: { name: 'A', widgets: [], variable: bad },
  })
  assert.deepEqual(Object.keys(body.errors), ['variable'])
})

test('an organization has up to 200 dashboards, and its tenant 2,000', async () => {
  const founder = await foundOrganization(service, 'many@example.test')
  const below = await foundOrganization(service, 'below@example.test', founder)
  const fill = (organizationId: number, count: number) =>
    db.query(
      `insert into dashboards (
         organization_id, name, is_private, range, widgets, user_id, created_at, updated_at
       ) select $1, 'x', false, '24h', '[]', $3, now(), now() from generate_series(1, $2::int)`,
      [organizationId, count, founder.userId],
    )
  const create = (as: Login) =>
    call('POST', '/v1/dashboards', { as, body: { name: 'A', widgets: [] } })
  await fill(founder.organizationId, 199)
  assert.equal((await create(founder)).status, 201)
  assert.match((await create(founder)).body.message, /has 200 dashboards already/)
  await fill(below.organizationId, 1800)
  assert.match((await create(below)).body.message, /has 200 dashboards already/)
  await db.query(
    'update dashboards set deleted_at = now() where organization_id = $1 and id % 2 = 0',
    [founder.organizationId],
  )
  assert.equal((await create(founder)).status, 201)
})

test('charts begin with what has a quantity, and their titles differ', async () => {
  const selectedDevices: number[] = []
  for (const [at, deviceType] of [19, 103, airType].entries()) {
    selectedDevices.push(await addLocalDevice(service, 21 + at, { deviceType }))
  }
  const [water = 0] = selectedDevices
  const mixed = await addGroup(service, 'Mixed', { selectedDevices })
  const ofWater = await addGroup(service, 'Water', {
    selectedDevices: [water],
    selectedGroup: mixed,
  })
  const widgetsOf = async (group: number): Promise<{ type: string; title?: string }[]> =>
    (await call('GET', `/v1/dashboards/group-${group}`)).body.data.widgets
  const titles = (await widgetsOf(mixed)).flatMap(({ title }) => title ?? [])
  assert.equal(new Set(titles).size, titles.length)
  assert.match(titles[0] ?? '', /^Temperature \(RBS301-TEMP-EXT/)
  assert.match(titles[1] ?? '', /^Temperature \(RBS305-ATH/)
  assert.deepEqual(titles.slice(2, 4), ['Humidity', 'Relative resistance'])
  const types = (await widgetsOf(ofWater)).map(({ type }) => type)
  assert.deepEqual(types.slice(0, 3), ['counts', 'states', 'chart'])
})

test('pictures without their notes, floor plans of a group, and buttons for some devices', async () => {
  const noted = dataAddress(Buffer.concat([pixel.subarray(0, 33), note, pixel.subarray(33)]))
  const picture = { type: 'picture', ...place, options: { image: noted } }
  assert.equal((await make({ widgets: [picture] })).widgets[0].options.image, tinyPicture)

  const image = pixel.toString('base64')
  const plans: number[] = []
  for (const [name, group_id] of [
    ['Ground floor', building],
    ['Yard', yard],
  ] as const) {
    const { body } = await call('POST', '/v1/floor-plans', { body: { name, group_id, image } })
    plans.push(body.data.id)
  }
  const [ground, ofYard] = plans
  const body = { x: 0.25, y: 0.5 }
  await call('PUT', `/v1/floor-plans/${ground}/devices/${euiOf(1)}`, { body })
  const widgets = [
    { type: 'plan', ...place, source: { plan: ofYard } },
    { type: 'plan', ...place, source: { variable: true } },
    {
      type: 'downlink',
      ...place,
      source: { group: building },
      options: { f_port: 1, payload: '00' },
    },
  ]
  const variable = { kind: 'group', group: building }
  const [one, ofGroup, button] = await read(widgets, { variable })
  const namesOf = (all: { name: string; positions: { device_name: string }[] }[]) =>
    all.map(({ name, positions }) => [name, ...positions.map((each) => each.device_name)])
  assert.deepEqual(namesOf(one.plans), [['Yard']])
  assert.deepEqual(namesOf(ofGroup.plans), [['Ground floor', 'Device 1']])
  assert.deepEqual([button.total, button.devices.length], [3, 3])
  const [hidden, none] = await read(
    widgets,
    { variable: { kind: 'group', group: cellar } },
    limited,
  )
  assert.match(hidden.error, /not for you/)
  assert.deepEqual(none.plans, [])
})
