import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addGroup, addLocalDevice, deviceKey, euiOf, readDevice } from '../../../../test/fleet.ts'
import { readResults, rowOf, runJob, settle } from '../../../../test/jobs.ts'
import { startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const { call } = service

const added = 'Device added successfully'

test('registers each row, and a bad row affects no other', async () => {
  await addLocalDevice(service, 3)
  const rows = [
    rowOf(1),
    rowOf(2, { provisioningData: { deviceKey: 'short' } }),
    rowOf(3),
    'nonsense',
    rowOf(4, { deviceName: 'With a \u0000 in it' }),
    rowOf(5, { notes: 'On the roof' }),
    rowOf(6, { provisioningData: { lorawan: { version: '1.1', networkKey: deviceKey } } }),
  ]
  const job = await runJob(service, { kind: 'register', title: 'doors.csv', rows })
  assert.deepEqual(
    [job.state, job.total, job.done, job.failed, job.title],
    ['done', 7, 2, 5, 'doors.csv'],
  )
  const results = await readResults(service, job.id)
  assert.match(String(results[0]?.[2]), new RegExp(`^${added}`))
  assert.deepEqual(results[1]?.slice(1), [
    'failed',
    'The device key has other characters than 0 to 9 and A to F.',
  ])
  assert.deepEqual(results[2]?.slice(1), ['failed', 'The device EUI has already been taken.'])
  assert.match(String(results[3]?.[2]), /The device name field is required\./)
  assert.match(String(results[4]?.[2]), /a character that is not allowed/)
  assert.equal((await readDevice(service, 5)).extra_notes, 'On the roof')
  assert.match(String(results[6]?.[2]), /^A job takes no lorawan: /)
  const [{ text } = { text: '' }] = await service.services.db.query<{ text: string }>(
    'select string_agg(input::text, $$ $$) as text from job_rows',
  )
  assert.ok(text.includes('lorawan') && !text.includes(deviceKey), text)
})

test('a row says what a spreadsheet has made of its EUI, as the page of the file does', async () => {
  const rows = [
    rowOf(70, { deviceId: '1.23E+15' }),
    rowOf(71, { provisioningData: { deviceKey: '1'.repeat(30) } }),
    rowOf(72, { provisioningData: { joinEui: '70B3' } }),
  ]
  for (const dry_run of [true, false]) {
    const job = await runJob(service, { kind: 'register', dry_run, rows })
    assert.deepEqual(
      (await readResults(service, job.id)).map(([, , message]) => message),
      [
        'The device EUI is 1.23E+15: a spreadsheet has taken it for a number, and its digits are lost. Format the column as text there, and enter it again.',
        'The device key has 30 digits instead of 32. A spreadsheet may have cut its leading zeros.',
        'The join EUI has 4 digits instead of 16.',
      ],
    )
  }
})

test('a dry run names the same faults and changes nothing; starting it then does', async () => {
  const rows = [rowOf(20), rowOf(20), rowOf(21, { provisioningData: { deviceTypeId: 9 } })]
  const shown = await runJob(service, { kind: 'register', dry_run: true, rows })
  assert.deepEqual([shown.dry_run, shown.state, shown.done, shown.failed], [true, 'done', 1, 2])
  assert.equal((await call('GET', `/v1/devices/${euiOf(20)}`)).status, 404)
  const started = await call('POST', `/v1/jobs/${shown.id}/start`)
  assert.equal(started.status, 200, started.text)
  const job = await settle(service, shown.id)
  assert.deepEqual([job.dry_run, job.done, job.failed], [false, 1, 2])
  assert.equal((await call('GET', `/v1/devices/${euiOf(20)}`)).status, 200)
  assert.equal((await call('POST', `/v1/jobs/${shown.id}/start`)).status, 409)
})

test('a dry run of several portions finds an EUI that an earlier row has', async () => {
  const rows = [...Array.from({ length: 501 }, (_, index) => rowOf(3000 + index)), rowOf(3000)]
  const job = await runJob(service, { kind: 'register', dry_run: true, rows })
  assert.deepEqual([job.done, job.failed], [501, 1])
  const results = await readResults(service, job.id, '&status=failed')
  assert.deepEqual(results, [[502, 'failed', 'An earlier row has the same device EUI.']])
})

test('a dry run of several portions counts what its earlier rows take of the quota', async () => {
  const { db } = service.services
  const [used] = await db.query<{ count: number }>(
    'select count(*) from devices where organization_id = 1 and deleted_at is null',
  )
  const setLimit = (most: number) =>
    db.query('update organizations set device_limit = $1 where id = 1', [most])
  await setLimit((used?.count ?? 0) + 502)
  const rows = Array.from({ length: 505 }, (_, index) => rowOf(5000 + index))
  const { id, done, failed } = await runJob(service, { kind: 'register', dry_run: true, rows })
  assert.deepEqual([done, failed], [502, 3])
  assert.equal((await call('POST', `/v1/jobs/${id}/start`)).status, 200)
  const real = await settle(service, id)
  assert.deepEqual([real.done, real.failed], [502, 3])
  await setLimit(100_000)
})

test('puts devices into groups by id and by path, and makes missing ones when asked to', async () => {
  const roof = await addGroup(service, 'Roof')
  const path = ' House 1 / Floor 2 /'
  const refused = await runJob(service, {
    kind: 'register',
    rows: [rowOf(30, { group_path: path }), rowOf(31, { groups: [999] })],
  })
  assert.deepEqual(
    (await readResults(service, refused.id)).map(([, , message]) => message),
    ['The group House 1 / Floor 2 does not exist.', 'The groups do not exist: 999.'],
  )
  const rows = [
    rowOf(32, { group_path: path, groups: [roof] }),
    rowOf(33, { group_path: 'house 1/FLOOR 2' }),
  ]
  const job = await runJob(service, { kind: 'register', create_groups: true, rows })
  assert.equal(job.done, 2)
  const groups = async (number: number) => {
    const { body } = await call('GET', `/v1/devices/${euiOf(number)}?version=lite`)
    return body.data.groups.map(({ groupName }: { groupName: string }) => groupName)
  }
  assert.deepEqual(await groups(32), ['Roof', 'Floor 2'])
  assert.deepEqual(await groups(33), ['Floor 2'])
})

test('a failed row is fixed, with the key that was sent first, and worked again', async () => {
  const rows = [rowOf(40, { deviceName: '' }), rowOf(41)]
  const job = await runJob(service, { kind: 'register', rows })
  assert.deepEqual([job.done, job.failed], [1, 1])
  const path = `/v1/jobs/${job.id}/rows`
  const wrong = await call('PATCH', path, { body: { rows: [{ number: 2, deviceName: 'X' }] } })
  assert.deepEqual(wrong.body.errors, { rows: ['These rows have not failed: 2.'] })
  const body = { rows: [{ number: 1, deviceName: 'Mended' }] }
  const answer = await call('PATCH', path, { body })
  assert.equal(answer.status, 200, answer.text)
  const fixed = await settle(service, job.id)
  assert.deepEqual([fixed.state, fixed.done, fixed.failed], ['done', 2, 0])
  const { body: groups } = await call('POST', '/v1/device-groups', {
    body: { groupName: 'Keys', selectedDevices: [(await readDevice(service, 40)).id] },
  })
  const shown = await call('GET', `/v1/device-groups/${groups.data.id}`)
  assert.equal(shown.body.data[0].devices[0].deviceKey, deviceKey)
})

test('a row has the number of the file that it comes from', async () => {
  const rows = [{ ...rowOf(60), source_row: 7 }, rowOf(60)]
  const job = await runJob(service, { kind: 'register', rows, dry_run: true })
  const { text } = await call('GET', `/v1/jobs/${job.id}/rows/csv`)
  const numbers = text.split('\r\n').map((line) => /,(\d+),(?:done|failed),/.exec(line)?.[1])
  assert.deepEqual(numbers, [undefined, '7', '2', undefined])
  const { body } = await call('GET', `/v1/jobs/${job.id}/rows`)
  assert.equal(body.data[0].input.source_row, 7)
})

test('no answer has the keys, and the database has none of the rows that are done', async () => {
  const job = await runJob(service, { kind: 'register', rows: [rowOf(50), rowOf(50)] })
  for (const rest of ['', '/rows', '/rows/csv']) {
    const { text } = await call('GET', `/v1/jobs/${job.id}${rest}`)
    assert.ok(!text.includes(deviceKey), rest)
  }
  const kept = await service.services.db.query(
    'select number, sealed_secret is null as is_forgotten from job_rows where job_id = $1 order by 1',
    [job.id],
  )
  assert.deepEqual(kept, [
    { number: 1, is_forgotten: true },
    { number: 2, is_forgotten: false },
  ])
})
