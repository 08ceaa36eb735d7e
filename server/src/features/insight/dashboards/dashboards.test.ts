import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { makeKey } from '../../../../test/api-keys.ts'
import {
  place,
  startDashboardService,
  temperature,
  tinyPicture,
} from '../../../../test/dashboards.ts'
import { addGroup, euiOf } from '../../../../test/fleet.ts'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import type { Login } from '../../../../test/service.ts'
import { removeOldDashboards } from './dashboard-queries.ts'
import { widgetTypes } from './widget-types.ts'

const { service, first, building, member, editor, chart, make, namesFor, read } =
  await startDashboardService({ after })
const { call } = service
const { db, now } = service.services

const inDays = (days: number) => new Date(now().getTime() + days * 86_400_000)

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
