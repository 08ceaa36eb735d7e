import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connectChirpStack, makeUp, post } from '../../../../test/chirpstack-uplinks.ts'
import { addGroup, addLocalDevice, euiOf } from '../../../../test/fleet.ts'
import { startMailServer } from '../../../../test/mail-server.ts'
import { joinMember } from '../../../../test/members.ts'
import { ownerEmail, ownerPassword, startTestService } from '../../../../test/service.ts'
import { rollUp } from '../../../uplinks/rollups/roll-up.ts'

/* A Sunday. The week before is the one from 16 to 22 February. */
const clock = new Date('2026-03-01T12:00:00.000Z')
const server = await startMailServer()
after(() => server.close())
const publicUrl = 'https://fleet.example.test'
const service = await startTestService({ after }, { clock, mail: server.settings, publicUrl })
const { call, services, setClock } = service
const me = (await call('GET', '/v1/user/get-org-user/me')).body.data.id
const callback = await connectChirpStack(service)

const airType = 112
const devices = [
  await addLocalDevice(service, 1, { deviceType: airType, deviceName: '=Cold store' }),
  await addLocalDevice(service, 2, { deviceType: airType, deviceName: 'Kühlraum 10' }),
  await addLocalDevice(service, 3, { deviceType: airType, deviceName: 'Never heard' }),
]
const group = await addGroup(service, 'Cold rooms', { selectedDevices: devices })

/** Whole °C. */
async function send(number: number, degrees: number, time: string): Promise<void> {
  const hex = Uint8Array.from([0x10, 0x0d, 0, degrees, 0, 40, 0]).toHex()
  const { status, text } = await post(service, callback, makeUp({ eui: euiOf(number), hex, time }))
  assert.equal(status, 200, text)
}
await send(1, 2, '2026-02-23T00:00:00Z')
await send(1, 4, '2026-02-23T00:20:00Z')
await send(1, 9, '2026-03-01T11:59:00Z')
await send(2, 20, '2026-02-20T10:00:00Z')
await rollUp(services.db)

const series = [{ group, quantity: 'air.temperature' }]
const body = { name: 'Cold rooms: "weekly"', period: 'weekly', series, recipients: [me] }

async function create(changes: object = {}) {
  const answer = await call('POST', '/v1/reports', { body: { ...body, ...changes } })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.data
}

async function read(id: number) {
  return (await call('GET', `/v1/reports/${id}`)).body.data
}

async function passTo(time: string): Promise<void> {
  setClock(new Date(time))
  Object.assign(service.owner, await service.logIn(ownerEmail, ownerPassword, 1))
  services.reportSender.wake()
  await services.reportSender.idle()
}

interface Attachment {
  name: string
  content: Buffer
}

function attachmentsOf(raw: string): Attachment[] {
  const parts = raw.matchAll(/filename="?([^"\r\n]+)"?[\s\S]*?\r\n\r\n([A-Za-z0-9+/=\r\n]+)--/g)
  return [...parts].map(([, name = '', text = '']) => ({
    name,
    content: Buffer.from(text, 'base64'),
  }))
}

const removeAll = async () => {
  server.mails.length = 0
  for (const { id } of (await call('GET', '/v1/reports')).body.data) {
    assert.equal((await call('DELETE', `/v1/reports/${id}`)).status, 204)
  }
}

test('a weekly report goes out on Monday at six, with a PDF and a CSV of the week', async () => {
  const report = await create()
  assert.deepEqual(
    [report.state, report.is_active, report.next_at, report.sent_at, report.failure],
    ['waiting', true, '2026-03-02T06:00:00.000000Z', null, null],
  )
  await passTo('2026-03-02T05:59:00.000Z')
  assert.equal(server.mails.length, 0)
  await passTo('2026-03-02T06:00:00.000Z')
  const [mail] = await server.waitFor(1)
  assert.match(mail?.raw ?? '', /\r\nCold rooms: "weekly", 23 Feb 2026 =E2=80=93 1 Mar 2026\.\r\n/)
  assert.match(mail?.raw ?? '', /\r\n- Temperature: 1 device\r\n/)
  const [pdf, csv] = attachmentsOf(mail?.raw ?? '')
  assert.deepEqual(
    [pdf?.name, csv?.name],
    ['cold-rooms-weekly-2026-02-23.pdf', 'cold-rooms-weekly-2026-02-23.csv'],
  )
  assert.match(pdf?.content.toString('latin1') ?? '', /^%PDF-[\s\S]*%%EOF\s*$/)
  assert.deepEqual(csv?.content.toString().split('\r\n'), [
    'time,device,dev_eui,measurement,unit,min,average,max,values',
    `2026-02-23T00:00:00.000000Z,'=Cold store,${euiOf(1)},Temperature,°C,2,3,4,2`,
    `2026-03-01T11:00:00.000000Z,'=Cold store,${euiOf(1)},Temperature,°C,9,9,9,1`,
    '',
  ])
  const sent = await read(report.id)
  assert.deepEqual(
    [sent.state, sent.sent_at, sent.next_at],
    ['sent', '2026-03-02T06:00:00.000000Z', '2026-03-09T06:00:00.000000Z'],
  )
  await passTo('2026-03-02T06:01:00.000Z')
  assert.equal(server.mails.length, 1)
  await removeAll()
})

test('a monthly report holds the days of the month before, and is sent now when asked', async () => {
  const report = await create({ period: 'monthly', is_active: false })
  assert.equal(report.next_at, null)
  const asked = await call('POST', `/v1/reports/${report.id}/send`)
  assert.deepEqual([asked.status, asked.body.data.state], [202, 'sending'])
  await services.reportSender.idle()
  const [mail] = await server.waitFor(1)
  const csv = attachmentsOf(mail?.raw ?? '')[1]?.content.toString() ?? ''
  assert.match(csv, /2026-02-20T00:00:00.000000Z,Kühlraum 10,[^\r]*,20,20,20,1\r\n/)
  assert.doesNotMatch(csv, /2026-03/)
  assert.deepEqual((await read(report.id)).state, 'sent')
  await removeAll()
})

test('a refusal for a moment is tried again, and nobody gets it twice', async () => {
  const other = await joinMember(service, 'second@example.test')
  const report = await create({ recipients: [me, other.userId] })
  server.refusals.push(0, 451)
  await call('POST', `/v1/reports/${report.id}/send`)
  await services.reportSender.idle()
  assert.equal(server.mails.length, 1)
  const failing = await read(report.id)
  assert.equal(failing.state, 'sending')
  assert.match(failing.failure, /^second@example.test did not get it: /)
  await passTo('2026-03-02T06:10:00.000Z')
  assert.deepEqual(
    server.mails.map(({ to }) => to),
    [[ownerEmail], ['second@example.test']],
  )
  assert.deepEqual([(await read(report.id)).state, (await read(report.id)).failure], ['sent', null])
  server.refusals.push(550, 550)
  await call('POST', `/v1/reports/${report.id}/send`)
  await services.reportSender.idle()
  assert.equal((await read(report.id)).state, 'failed')
  await removeAll()
})

test('says what it could not make: a group that is gone, members who have left', async () => {
  const gone = await addGroup(service, 'Gone', { selectedDevices: devices.slice(0, 1) })
  const report = await create({ series: [{ group: gone, measurement: 'temperature' }] })
  assert.equal((await call('DELETE', `/v1/device-groups/${gone}`)).status, 204)
  await call('POST', `/v1/reports/${report.id}/send`)
  await services.reportSender.idle()
  assert.equal((await read(report.id)).failure, 'The selected group is invalid.')
  const { userId } = await joinMember(service, 'leaving@example.test')
  const lonely = await create({ recipients: [userId] })
  assert.equal((await call('DELETE', `/v1/organization/users/${userId}`)).status, 204)
  await call('POST', `/v1/reports/${lonely.id}/send`)
  await services.reportSender.idle()
  const { failure } = await read(lonely.id)
  assert.equal(failure, 'No recipient is a member of the whole organization.')
  assert.equal(server.mails.length, 0)
  await removeAll()
})

test('changes keep what is left out, and move the next time', async () => {
  const report = await create()
  const path = `/v1/reports/${report.id}`
  const answer = await call('PATCH', path, { body: { name: 'Rooms', period: 'monthly' } })
  assert.equal(answer.status, 200, answer.text)
  const { name, period, series: kept, recipients, next_at } = answer.body.data
  assert.deepEqual(
    [name, period, kept, recipients, next_at],
    ['Rooms', 'monthly', series, [me], '2026-04-01T06:00:00.000000Z'],
  )
  await removeAll()
})

test('a report of a dashboard has each of its widgets, drawn or as a table', async () => {
  const hostile = `</svg><script>&"'`
  const renamed = { body: { device_name: hostile } }
  assert.equal((await call('PATCH', `/v1/devices/${euiOf(1)}`, renamed)).status, 200)
  const source = { group, quantity: 'air.temperature' }
  const place = { x: 0, w: 6, h: 4 }
  const image =
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII='
  const measured = ['value', 'tiles', 'chart', 'bars', 'gauge', 'ranking', 'heatmap']
  const others = ['table', 'states', 'alerts', 'battery', 'counts', 'map']
  const widgets = [
    ...measured.map((type, y) => ({ type, ...place, y: 4 * y, source, title: `The ${type}` })),
    ...others.map((type, y) => ({ type, ...place, x: 6, y: 4 * y })),
    { type: 'text', ...place, y: 50, options: { text: '# Call **Bo** <b>' } },
    { type: 'picture', ...place, y: 54, options: { image } },
    { type: 'value', ...place, y: 58, source: { group: 1, quantity: 'none.such' } },
  ]
  const made = await call('POST', '/v1/dashboards', { body: { name: 'Rooms', widgets } })
  assert.equal(made.status, 201, made.text)
  const of = { series: undefined, period: 'monthly', is_active: false }
  const report = await create({ ...of, dashboard: made.body.data.id })
  assert.deepEqual([report.dashboard, report.series], [made.body.data.id, []])
  await call('POST', `/v1/reports/${report.id}/send`)
  await services.reportSender.idle()
  assert.deepEqual([(await read(report.id)).state, (await read(report.id)).failure], ['sent', null])
  const [mail] = await server.waitFor(1)
  assert.match(mail?.raw ?? '', /- The chart\r\n/)
  const [pdf, csv] = attachmentsOf(mail?.raw ?? '')
  assert.match(pdf?.content.toString('latin1') ?? '', /^%PDF-[\s\S]*%%EOF\s*$/)
  const lines = csv?.content.toString() ?? ''
  assert.match(
    lines,
    /^widget,time,device,dev_eui,measurement,unit,min,average,max,values,last,reading/,
  )
  assert.match(lines, /The chart,2026-02-20T[^\r]*,Kühlraum 10,[^\r]*,20,20,20,,,\r\n/)
  await removeAll()

  // One that is made by itself, and one that is deleted meanwhile.
  const automatic = await create({ ...of, dashboard: `group-${group}` })
  await call('POST', `/v1/reports/${automatic.id}/send`)
  await services.reportSender.idle()
  assert.equal((await read(automatic.id)).state, 'sent')
  const back = await call('PATCH', `/v1/reports/${automatic.id}`, { body: { series } })
  assert.deepEqual([back.body.data.dashboard, back.body.data.series], [null, series])
  const gone = await create({ ...of, dashboard: made.body.data.id })
  await call('DELETE', `/v1/dashboards/${made.body.data.id}`)
  await call('POST', `/v1/reports/${gone.id}/send`)
  await services.reportSender.idle()
  assert.equal((await read(gone.id)).failure, 'The selected dashboard is invalid.')
  await removeAll()
})

test('refuses what is wrong, all at once', async () => {
  const wrong = { name: ' ', period: 'daily', series: [], recipients: [] }
  const answer = await call('POST', '/v1/reports', { body: wrong })
  assert.deepEqual(
    [answer.status, Object.keys(answer.body.errors).sort()],
    [422, ['name', 'period', 'recipients', 'series']],
  )
  const faults: [object, Record<string, string[]>][] = [
    [
      { recipients: [me + 999] },
      {
        recipients: [
          'The recipients must be members of the organization who are not limited to a group.',
        ],
      },
    ],
    [{ series: undefined }, { series: ['The series field is required.'] }],
    [{ dashboard: '999' }, { dashboard: ['The selected dashboard is invalid.'] }],
    [
      { series: [{ group: 999, quantity: 'air.temperature' }] },
      { 'series.0.group': ['The selected group is invalid.'] },
    ],
    [
      { series: [{ group, quantity: 'air.temperature', colour: 'red' }] },
      { 'series.0': ['Unrecognized key: "colour"'] },
    ],
  ]
  for (const [changes, errors] of faults) {
    const refused = await call('POST', '/v1/reports', { body: { ...body, ...changes } })
    assert.deepEqual([refused.status, refused.body.errors], [422, errors])
  }
})
