import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connectChirpStack, makeUp, post } from '../../../test/chirpstack-uplinks.ts'
import { secondsAfter } from '../../../test/citus.ts'
import { addDevice, euiOf } from '../../../test/fleet.ts'
import { startTestService } from '../../../test/service.ts'

const service = await startTestService({ after })
const { db } = service.services
const callback = await connectChirpStack(service)
const door = await addDevice(service, 1, { deviceName: 'Front door' })
const back = await addDevice(service, 2, { deviceName: '=Back, "door"' })
const total = 30
for (let count = 1; count <= total; count += 1) {
  const answer = await post(
    service,
    callback,
    makeUp({ eui: euiOf(1 + (count % 3 === 0 ? 1 : 0)) }),
  )
  assert.ok(answer.status < 300, answer.text)
}
/** A minute between two uplinks. */
const timeOf = (ordinal: number) => new Date(Date.UTC(2026, 1, 1, 0, ordinal)).toISOString()
await db.query(
  `update uplinks set received_at = ${secondsAfter("timestamptz '2026-02-01Z'", 'ordinal * 60')}`,
)
await db.query(`update uplinks set event_type = 'TAMPER' where ordinal = 7`)
const group = await service.call('POST', '/v1/device-groups', {
  body: { groupName: 'Backs', selectedDevices: [back.id] },
})

interface Listed {
  data: { ordinal: number; did: number; device_name: string }[]
  total: number | null
  after: string | null
  scanned_to: string | null
}

async function list(query: string): Promise<Listed> {
  const answer = await service.call('GET', `/v1/fleet/uplinks?${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const ordinals = async (query: string) => (await list(query)).data.map(({ ordinal }) => ordinal)
const down = (from: number, to: number, step = 1) =>
  Array.from({ length: Math.floor((from - to) / step) + 1 }, (_, index) => from - index * step)

test('lists the newest first, with the exact total where it is known', async () => {
  const page = await list('limit=10')
  assert.deepEqual(
    page.data.map(({ ordinal }) => ordinal),
    down(30, 21),
  )
  assert.deepEqual(
    [page.total, page.after, page.scanned_to?.slice(0, 19)],
    [...[30, 'o21'], timeOf(21).slice(0, 19)],
  )
  assert.equal((await list(`device=${euiOf(2)}`)).total, 10)
  assert.equal((await list('type=16')).total, null)
})

test('continues behind the last one to the end', async () => {
  for (const query of ['', `device=${back.id}`, 'network=chirpstack', 'search=front']) {
    const found: number[] = []
    let after: string | null = ''
    while (after !== null) {
      const page: Listed = await list(`${query}&limit=7${after && `&after=${after}`}`)
      found.push(...page.data.map(({ ordinal }) => ordinal))
      after = page.after
    }
    const all = await ordinals(`${query}&limit=1000`)
    assert.deepEqual(found, all, query)
    assert.ok(all.length >= 10)
  }
})

test('filters by time, device, type, group, network, event and text', async () => {
  const since = encodeURIComponent(timeOf(10))
  const until = encodeURIComponent(timeOf(20))
  assert.deepEqual(await ordinals(`since=${since}&until=${until}`), down(19, 10))
  assert.deepEqual(await ordinals(`until=${until}&limit=1`), [19])
  assert.deepEqual(await ordinals(`since=${since}&until=${until}&device=${back.id}`), [18, 15, 12])
  assert.deepEqual(await ordinals('device=00aa000000000002'), down(30, 3, 3))
  assert.deepEqual(await ordinals(`group=${group.body.data.id}`), down(30, 3, 3))
  assert.deepEqual(await ordinals('type=16&limit=2'), [30, 29])
  assert.deepEqual(await ordinals('type=1'), [])
  assert.deepEqual(await ordinals('network=loriot'), [])
  assert.deepEqual(await ordinals('event_type=TAMPER'), [7])
  assert.deepEqual(await ordinals(`search=${encodeURIComponent('BACK, "')}`), down(30, 3, 3))
  assert.deepEqual((await ordinals('search=0001')).length, 20)
  assert.deepEqual((await ordinals('search=door%20opened')).length, total)
  assert.deepEqual(await ordinals('search=%25'), [])
  assert.deepEqual(await ordinals('group=999999'), [])
  for (const eui of ['00-aa-00-00-00-00-00-02', '00:AA:00:00:00:00:00:02']) {
    assert.deepEqual(await ordinals(`device=${eui}`), down(30, 3, 3))
  }
  assert.deepEqual(await ordinals('search=00-AA 00:00.00 00 00 02'), down(30, 3, 3))
})

test('an unknown device is 404, and not an empty list', async () => {
  for (const query of [
    ...['device=00AA0000000000FF', 'device=999999', 'device=Front door'],
    `device=${door.id}&group=${group.body.data.id}`,
  ]) {
    for (const path of ['', '/export', '/lines']) {
      const { status, body } = await service.call('GET', `/v1/fleet/uplinks${path}?${query}`)
      assert.deepEqual([status, body.message], [404, 'device not found'], path + query)
    }
  }
})

test('takes times whose plus is not encoded, and milliseconds since 1970', async () => {
  const [since, until] = [timeOf(10), timeOf(20)].map((text) => new Date(text))
  const ofOffset = (date = new Date(0)) =>
    new Date(date.getTime() + 7_200_000).toISOString().replace('.000Z', '+02:00')
  const ways = [
    [ofOffset(since), ofOffset(until)],
    [since?.getTime(), until?.getTime()],
  ]
  for (const [from, to] of ways) {
    assert.deepEqual(await ordinals(`since=${from}&until=${to}`), down(19, 10))
  }
  for (const wrong of ['1234', '2026-02-01 02:00', '99999999999999999', '2026-02-01T10:00 0200']) {
    const answer = await service.call('GET', `/v1/fleet/uplinks?since=${wrong}`)
    assert.equal(answer.status, 422, wrong)
  }
})

test('keeps the uplinks of a deleted device', async () => {
  const gone = await addDevice(service, 9)
  await post(service, callback, makeUp({ eui: euiOf(9) }))
  await service.call('DELETE', `/v1/devices/${gone.id}`)
  const { data } = await list(`device=${gone.id}`)
  assert.equal(data.length, 1)
  assert.equal((data[0] as { device_is_deleted?: boolean }).device_is_deleted, true)
  await db.query('update uplinks set received_at = $1 where device_id = $2', [timeOf(31), gone.id])
})

test('looks at a bounded number of uplinks, and says how far', async () => {
  await db.query(
    `insert into uplinks (organization_id, ordinal, device_id, device_ordinal, deduplication_key,
       event_time, received_at, event_type, sensor_sequence, decoded_object, decoded_message,
       payload, f_port, f_cnt, receptions)
     select 1, 31 + number, $1, 20 + number, 'made ' || number, now(),
       '2026-02-02'::timestamptz + number * interval '1 second', 'DECODED', '{}', '{}', 'Made', '', 1,
       number, '[]'
     from generate_series(1, 45000) as number`,
    [door.id],
  )
  await db.query('update organization_counters set uplink_count = 45031')
  const first = await list('event_type=TAMPER')
  assert.deepEqual([first.data, first.after], [[], `o${45031 - 20_000 + 1}`])
  assert.ok(first.scanned_to)
  const second = await list(`event_type=TAMPER&after=${first.after}`)
  assert.deepEqual(second.data, [])
  const third = await list(`event_type=TAMPER&after=${second.after}`)
  assert.deepEqual(
    third.data.map(({ ordinal }) => ordinal),
    [7],
  )
  assert.deepEqual([third.after, third.scanned_to], [null, null])
  const noon = encodeURIComponent('2026-02-01T00:20:00Z')
  assert.deepEqual(await ordinals(`event_type=TAMPER&until=${noon}`), [7])
})

test('refuses what it does not know', async () => {
  for (const query of [
    ...['x=1', 'limit=0', 'limit=1001', 'after=17', `after=d5`, `device=${door.id}&after=o5`],
    ...['since=yesterday', `since=${timeOf(5)}&until=${timeOf(4)}`, 'type=x'],
  ]) {
    const answer = await service.call('GET', `/v1/fleet/uplinks?${query}`)
    assert.equal(answer.status, 422, query)
  }
})

test('exports what is listed as CSV and as lines of JSON, without formulas', async () => {
  const csv = await service.call('GET', `/v1/fleet/uplinks/export?device=${back.id}`)
  assert.equal(csv.status, 200)
  const [header, first, ...rest] = csv.text.split('\r\n')
  assert.match(header ?? '', /^received_at,event_time,device_id,device_name,/)
  assert.match(first ?? '', /,00AA000000000002,"'=Back, ""door""",chirpstack,/)
  assert.equal(rest.length, 10)
  const lines = await service.call('GET', `/v1/fleet/uplinks/lines?device=${back.id}`)
  const records = lines.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(records, (await list(`device=${back.id}`)).data)
  const all = await service.call('GET', '/v1/fleet/uplinks/export')
  assert.equal(all.text.split('\r\n').length, 45031 + 2)
})
