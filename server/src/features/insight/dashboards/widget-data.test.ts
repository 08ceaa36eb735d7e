import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeKey } from '../../../../test/api-keys.ts'
import {
  airType,
  dataAddress,
  note,
  pixel,
  place,
  startDashboardService,
  temperature,
  tinyPicture,
} from '../../../../test/dashboards.ts'
import { addGroup, addLocalDevice, euiOf } from '../../../../test/fleet.ts'

const { service, ...world } = await startDashboardService({ after })
const { door, building, cellar, yard, member, editor, limited, chart, make, namesFor, read } = world
const { call } = service
const { db } = service.services

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
