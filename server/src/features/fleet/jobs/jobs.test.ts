import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addGroup, addLocalDevice, euiOf, readDevice } from '../../../../test/fleet.ts'
import { readResults, rowOf, runJob, settle } from '../../../../test/jobs.ts'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { startTestService } from '../../../../test/service.ts'
import { removeOldJobs } from './retention.ts'

const service = await startTestService({ after })
const { call } = service
for (let number = 1; number <= 4; number += 1) await addLocalDevice(service, number)
const nobody = euiOf(0xdead)

const groupsOf = async (number: number) => {
  const { body } = await call('GET', `/v1/devices/${euiOf(number)}?version=lite`)
  return body.data.groups.map(({ id }: { id: number }) => id)
}

test('renames devices', async () => {
  const rows = [
    { device_id: euiOf(1).toLowerCase(), device_name: 'First' },
    { device_id: nobody, device_name: 'Nobody' },
    { device_id: euiOf(2) },
  ]
  const job = await runJob(service, { kind: 'rename', rows })
  assert.deepEqual(await readResults(service, job.id), [
    [1, 'done', 'Device updated successfully'],
    [2, 'failed', 'device not found'],
    [3, 'failed', 'The device name field is required.'],
  ])
  assert.equal((await readDevice(service, 1)).device_name, 'First')
})

test('adds devices to groups, takes them out, and replaces their groups', async () => {
  const [one, two] = [await addGroup(service, 'One'), await addGroup(service, 'Two')]
  const devices = [euiOf(1), euiOf(2), nobody]
  const move = (mode: string, groups: number[]) =>
    runJob(service, { kind: 'move', mode, groups, devices })
  const job = await move('add', [one])
  assert.deepEqual(await readResults(service, job.id), [
    [1, 'done', 'Moved.'],
    [2, 'done', 'Moved.'],
    [3, 'failed', 'device not found'],
  ])
  await move('add', [two])
  assert.deepEqual(await groupsOf(1), [one, two])
  await move('remove', [one])
  assert.deepEqual(await groupsOf(1), [two])
  await move('replace', [one])
  assert.deepEqual(await groupsOf(2), [one])
  const unknown = await move('add', [999])
  assert.equal(unknown.failed, 3)
})

test('moving takes the right to manage groups', async () => {
  const as = await joinMember(service, 'devices@example.test', ['manage_devices'])
  const body = { kind: 'move', mode: 'add', groups: [1], devices: [nobody] }
  const answer = await call('POST', '/v1/jobs', { as, body })
  assert.deepEqual(answer.body, { message: 'You do not have the permission manage_groups.' })
})

test('changes notes and types, and names what does not fit', async () => {
  const devices = [euiOf(3), nobody]
  const job = await runJob(service, { kind: 'change', changes: { extra_notes: 'Hall' }, devices })
  assert.deepEqual([job.done, job.failed], [1, 1])
  assert.equal((await readDevice(service, 3)).extra_notes, 'Hall')
  const wrong = await runJob(service, { kind: 'change', changes: { deviceType: 9 }, devices })
  assert.deepEqual((await readResults(service, wrong.id))[0]?.slice(1), [
    'failed',
    'The selected device type is invalid.',
  ])
})

test('queues a configuration for each device that takes it', async () => {
  const answer = await call('POST', '/v1/batch-device-requests', {
    body: { devices: [10, 11].map((number) => ({ action: 'create', ...rowOf(number) })) },
  })
  assert.equal(answer.status, 200, answer.text)
  const body = {
    kind: 'configure',
    config_field: { islorawan: 1, config_type: 'general', supervisory_period: 129 },
    devices: [euiOf(10), euiOf(11), euiOf(1), nobody],
  }
  const shown = await runJob(service, { ...body, dry_run: true })
  assert.deepEqual([shown.done, shown.failed], [2, 2])
  const job = await runJob(service, body)
  const results = await readResults(service, job.id)
  assert.match(String(results[1]?.[2]), /^Downlink \d+ queued\.$/)
  assert.equal(results[2]?.[2], 'The device is recorded here only, at no network.')
  const history = await call('GET', `/v1/devices/${euiOf(10)}/configure`)
  assert.equal(history.body.length, 1)
  const wrong = await runJob(service, {
    ...body,
    config_field: { config_type: 'general', supervisory_period: 9999 },
  })
  assert.equal(wrong.failed, 4)
})

test('a dry run says what would become of each row', async () => {
  const group = await addGroup(service, 'Dry')
  const devices = [euiOf(3)]
  const config_field = { islorawan: 1, config_type: 'general', supervisory_period: 129 }
  const jobs: [object, string][] = [
    [{ kind: 'register', rows: [rowOf(90)] }, 'Would be added'],
    [{ kind: 'rename', rows: [{ device_id: euiOf(3), device_name: 'New' }] }, 'Would be renamed'],
    [{ kind: 'change', changes: { extra_notes: 'New' }, devices }, 'Would be changed.'],
    [{ kind: 'move', mode: 'add', groups: [group], devices }, 'Would be moved.'],
    [{ kind: 'configure', config_field, devices: [euiOf(10)] }, 'Would be queued.'],
    [{ kind: 'delete', devices }, 'Would be deleted'],
  ]
  for (const [body, words] of jobs) {
    const { id } = await runJob(service, { ...body, dry_run: true })
    const [[, status, message] = []] = await readResults(service, id)
    assert.equal(status, 'done')
    // A registration also says why it would wait.
    assert.equal(String(message).slice(0, words.length), words)
  }
})

// shows 11.10.1-6
test('configures all devices of a group and below it, each by its type', async () => {
  const configure = (id: number, body: object, headers: Record<string, string> = {}) =>
    call('POST', `/v1/fleet/groups/${id}/configure`, { body, headers })
  const idOf = async (number: number) => {
    const { body } = await call('GET', `/v1/fleet/devices/${euiOf(number)}`)
    return body.data.id
  }
  const house = await addGroup(service, 'House', { selectedDevices: [await idOf(10)] })
  const below = { selectedGroup: house, selectedDevices: [await idOf(11), await idOf(1)] }
  const floor = await addGroup(service, 'Floor', below)
  const other = await addLocalDevice(service, 20, { deviceType: 105 })
  await addGroup(service, 'Attic', { selectedGroup: floor, selectedDevices: [other] })
  await service.services.db.query('update devices set is_console_only = false where id = $1', [
    other,
  ])
  // Only door sensors have these fields.
  const config_field = { islorawan: 1, config_type: 'sensor', 301: { group: 2 } }
  const headers = { 'idempotency-key': 'house' }
  const first = await configure(house, { config_field }, headers)
  assert.equal(first.status, 202, first.text)
  const { kind, title, total, settings } = first.body.data
  assert.deepEqual([kind, title, total, settings], ['configure', 'House', 4, { config_field }])
  const again = await configure(house, { config_field }, headers)
  assert.equal(again.body.data.id, first.body.data.id)
  const job = await settle(service, first.body.data.id)
  assert.deepEqual([job.state, job.done, job.failed], ['done', 2, 2])
  const results = await readResults(service, job.id)
  const byState = (state: string) => results.filter((row) => row[1] === state)
  for (const [, , message] of byState('done'))
    assert.match(String(message), /^Downlink \d+ queued\.$/)
  const refused = await call('POST', `/v1/devices/${euiOf(20)}/configure`, {
    body: { config_field },
  })
  assert.equal(refused.status, 422)
  assert.deepEqual(
    byState('failed').map(([, , message]) => message),
    [
      'The device is recorded here only, at no network.',
      Object.values(refused.body.errors).flat().join(' '),
    ],
  )
  const typed = await configure(house, { config_field, device_type: 16, dry_run: true })
  const shown = await settle(service, typed.body.data.id)
  assert.deepEqual([shown.dry_run, shown.total, shown.done], [true, 3, 2])
  const started = await call('POST', `/v1/jobs/${shown.id}/start`)
  assert.equal(started.status, 200)
  assert.equal((await settle(service, shown.id)).done, 2)
  const history = await call('GET', `/v1/devices/${euiOf(11)}/downlinks`)
  assert.deepEqual(
    [history.body.total, history.body.data[0].section],
    [3, 'sensor'],
    'one of the test before',
  )
})

// shows 11.10.7
test('a group without devices, and what is no configuration, are refused at once', async () => {
  const empty = await addGroup(service, 'Empty')
  const config_field = { islorawan: 1, config_type: 'general', supervisory_period: 129 }
  const send = async (id: number, body: object) =>
    call('POST', `/v1/fleet/groups/${id}/configure`, { body })
  const none = await send(empty, { config_field })
  assert.deepEqual(none.body.errors, { group: ['No device is in the group or below it.'] })
  const typed = await send(empty, { config_field, device_type: 16 })
  assert.deepEqual(typed.body.errors, {
    group: ['No device of this type is in the group or below it.'],
  })
  assert.equal((await send(999_999, { config_field })).status, 404)
  assert.deepEqual(Object.keys((await send(empty, {})).body.errors), ['config_field'])
  const as = await joinMember(service, 'groups@example.test', ['manage_groups'])
  const denied = await call('POST', `/v1/fleet/groups/${empty}/configure`, {
    as,
    body: { config_field },
  })
  assert.equal(denied.body.message, 'You do not have the permission manage_devices.')
})

test('deletes devices', async () => {
  const job = await runJob(service, { kind: 'delete', devices: [euiOf(4), euiOf(4)] })
  assert.deepEqual([job.done, job.failed], [1, 1])
  assert.equal((await call('GET', `/v1/devices/${euiOf(4)}`)).status, 404)
})

test('rows come in several requests, which may be repeated', async () => {
  const row = (number: number) => ({ device_id: euiOf(number), device_name: `Name ${number}` })
  const first = await runJob(service, { kind: 'rename', more: true, rows: [row(1), row(2)] })
  assert.deepEqual([first.state, first.total], ['receiving', 2])
  const path = `/v1/jobs/${first.id}/rows`
  const gap = await call('POST', path, { body: { first: 5, rows: [row(3)] } })
  assert.deepEqual([gap.status, gap.body.message], [409, 'The rows from 3 on are missing.'])
  const more = { first: 2, rows: [row(2), row(3)], more: true }
  for (let times = 0; times < 2; times += 1) {
    const answer = await call('POST', path, { body: more })
    assert.deepEqual([answer.body.data.total, answer.body.data.state], [3, 'receiving'])
  }
  const last = { first: 4, rows: [row(1)] }
  assert.equal((await call('POST', path, { body: last })).status, 200)
  const job = await settle(service, first.id)
  assert.deepEqual([job.state, job.total, job.done], ['done', 4, 4])
  assert.equal((await call('POST', path, { body: last })).status, 200)
  assert.equal((await call('POST', path, { body: { first: 5, rows: [row(1)] } })).status, 409)
})

test('a cancelled job does nothing more', async () => {
  const rows = [{ device_id: euiOf(1), device_name: 'Never' }]
  const { id } = await runJob(service, { kind: 'rename', more: true, rows })
  const answer = await call('DELETE', `/v1/jobs/${id}`)
  assert.deepEqual([answer.status, answer.body.data.state], [200, 'cancelled'])
  assert.equal((await call('POST', `/v1/jobs/${id}/start`)).status, 409)
  assert.deepEqual(await readResults(service, id), [[1, 'cancelled', null]])
})

test('ends when who gave it has lost the right to it', async () => {
  const as = await joinMember(service, 'leaving@example.test', ['manage_devices'])
  const rows = [{ device_id: euiOf(1), device_name: 'Never' }]
  const { id } = await runJob(service, { kind: 'rename', more: true, rows }, as)
  const permissions = { permissions: [] }
  await call('PATCH', `/v1/organization/users/${as.userId}`, { body: permissions })
  await call('POST', `/v1/jobs/${id}/start`)
  const job = await settle(service, id)
  assert.equal(job.state, 'cancelled')
  assert.match(String(job.message), /lost the right/)
})

test('lists jobs, newest first, with a cursor', async () => {
  const first = await call('GET', '/v1/jobs?limit=2')
  assert.equal(first.body.data.length, 2)
  assert.ok(first.body.data[0].id > first.body.data[1].id)
  const next = await call('GET', `/v1/jobs?limit=2&after=${first.body.after}`)
  assert.ok(next.body.data[0].id < first.body.data[1].id)
  assert.ok(first.body.total > 10)
})

test('exports rows as CSV that no spreadsheet runs', async () => {
  const rows = [{ device_id: nobody, device_name: '=cmd|"A1"' }]
  const { id } = await runJob(service, { kind: 'rename', rows })
  const { text } = await call('GET', `/v1/jobs/${id}/rows/csv?status=failed`)
  assert.equal(
    text,
    `device_id,device_name,row,status,message\r\n${nobody},"'=cmd|""A1""",1,failed,device not found\r\n`,
  )
})

test('an organization has so many jobs under way at a time', async () => {
  const body = { kind: 'delete', more: true }
  const ids: number[] = []
  for (;;) {
    const answer = await call('POST', '/v1/jobs', { body })
    if (answer.status === 409) break
    assert.equal(answer.status, 202, answer.text)
    ids.push(answer.body.data.id)
  }
  assert.equal(ids.length, 10)
  for (const id of ids) await call('DELETE', `/v1/jobs/${id}`)
})

test('takes the devices that a filter finds', async () => {
  const groups = [await addGroup(service, 'Found')]
  const filter = { search: 'Device 1' }
  const job = await runJob(service, { kind: 'move', mode: 'add', groups, filter })
  assert.deepEqual([job.total, job.done], [2, 2])
  const found = { kind: 'move', mode: 'remove', groups, filter: { group: groups[0] } }
  assert.equal((await runJob(service, found)).done, 2)
  const none = await call('POST', '/v1/jobs', { body: found })
  assert.deepEqual(none.body.errors, { filter: ['No device matches.'] })
  const misspelled = await call('POST', '/v1/jobs', { body: { ...found, filter: { grup: '1' } } })
  assert.equal(misspelled.status, 422)
})

test('ten rows of a tenant are done while the thousands of another go on', async () => {
  const as = await foundOrganization(service, 'small@example.test')
  const large = Array.from({ length: 5000 }, (_, index) => rowOf(0x10000 + index))
  const { body } = await call('POST', '/v1/jobs', {
    body: { kind: 'register', more: true, rows: large.slice(0, 2000) },
  })
  const path = `/v1/jobs/${body.data.id}`
  for (const first of [2001, 4001]) {
    const rows = large.slice(first - 1, first + 1999)
    await call('POST', `${path}/rows`, { body: { first, rows, more: first < 4001 } })
  }
  const rows = Array.from({ length: 10 }, (_, index) => rowOf(index))
  const sent = await call('POST', '/v1/jobs', { as, body: { kind: 'register', rows } })
  const isDone = async () => {
    const answer = await call('GET', `/v1/jobs/${sent.body.data.id}`, { as })
    return answer.body.data.state === 'done'
  }
  while (!(await isDone()));
  const other = await call('GET', path)
  assert.notEqual(other.body.data.state, 'done')
  assert.equal((await settle(service, body.data.id)).done, 5000)
})

test('refuses a job without rows, or with the rows of another kind', async () => {
  const wrong: [Record<string, unknown>, string][] = [
    [{ kind: 'rename' }, 'rows'],
    [{ kind: 'delete', devices: [] }, 'devices'],
    [{ kind: 'delete', rows: [{}] }, 'rows'],
    [{ kind: 'move', devices: [nobody] }, 'mode'],
    [{ kind: 'configure', devices: [nobody] }, 'config_field'],
    [{ kind: 'paint', devices: [nobody] }, 'kind'],
  ]
  for (const [body, field] of wrong) {
    const answer = await call('POST', '/v1/jobs', { body })
    assert.equal(answer.status, 422, answer.text)
    assert.ok(field in answer.body.errors, answer.text)
  }
})

test('jobs are kept for 30 days, and keys of failed rows for one', async () => {
  const { id } = await runJob(service, { kind: 'register', rows: [rowOf(1)] })
  const later = (days: number) => new Date(Date.UTC(2026, 2, 1 + days, 13))
  const { db } = service.services
  await removeOldJobs({ db, now: () => later(2) })
  const rows = await db.query('select sealed_secret from job_rows where job_id = $1', [id])
  assert.deepEqual(rows, [{ sealed_secret: null }])
  await removeOldJobs({ db, now: () => later(31) })
  assert.equal((await call('GET', `/v1/jobs/${id}`)).status, 404)
})
