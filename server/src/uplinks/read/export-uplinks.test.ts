import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  connectChirpStack,
  exampleEui,
  makeOrganization,
  makeUp,
  post,
  readExample,
} from '../../../test/chirpstack-uplinks.ts'
import { addLocalDevice } from '../../../test/fleet.ts'
import { joinMember } from '../../../test/members.ts'
import { type Login, startTestService } from '../../../test/service.ts'

const service = await startTestService({ after })
const { call, services } = service
const callback = await connectChirpStack(service)
const deviceId = await addLocalDevice(service, exampleEui)
const header = 'DeviceId, data, eventTime, DecodedText'

async function exportLines(query = '', as?: Login): Promise<string[]> {
  const options = as ? { as } : {}
  const { status, text } = await call('POST', `/v1/devices/all/uplink${query}`, options)
  assert.equal(status, 200, text)
  assert(text.endsWith('\r\n'))
  return text.slice(0, -2).split('\r\n')
}

/** Adds uplinks of these texts to an organization, as the writer would, the newest last. */
async function insert(organizationId: number, device: number, texts: string[]): Promise<void> {
  await services.db.query(
    `with counter as (
       update organization_counters set uplink_count = uplink_count + cardinality($3::text[])
       where organization_id = $1
       returning uplink_count - cardinality($3::text[]) as before
     )
     insert into uplinks (organization_id, ordinal, device_id, device_ordinal, deduplication_key,
       event_time, event_type, sensor_sequence, decoded_object, decoded_message, payload, f_port,
       f_cnt, receptions)
     select $1, before + number, $2, before + number, 'inserted ' || before + number,
       '2026-02-28 12:00:00.000001+00', 'UNKNOWN', '{}', '{}', text, '\\x00', 1, number, '[]'
     from counter, unnest($3::text[]) with ordinality as sent (text, number)`,
    [organizationId, device, texts],
  )
}

// shows 4.14.2, 4.14.3, 10.7.11
test('an export is a CSV file to download, its header to the letter', async () => {
  const { status, headers, text } = await call('POST', '/v1/devices/all/uplink')
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'text/csv; charset=utf-8')
  assert.equal(headers['content-disposition'], 'attachment; filename="uplinks.csv"')
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(text, `${header}\r\n`)
})

// shows 4.14.4, 10.7.12
test('a row is the EUI, the frame, its time and what it says, the newest first', async () => {
  await post(service, callback, readExample('up'))
  await post(service, callback, makeUp({ hex: '100301', time: '2026-02-28T12:00:00.25Z' }))
  await post(service, callback, makeUp({ hex: '100001ff0103', time: '2026-02-28T11:00:00Z' }))
  assert.deepEqual(await exportLines(), [
    header,
    '0101010101010101,100001ff0103,2026-02-28T11:00:00.000000Z,Reset; Sensor type: Door/Window; Firmware version: 1.3',
    '0101010101010101,100301,2026-02-28T12:00:00.250000Z,Door Opened',
    '0101010101010101,aa,2022-07-18T09:34:15.775023Z,"The frame has 1 byte, and its header alone takes 2."',
  ])
})

// shows 10.7.13, 10.7.14
test('a text is quoted where it must be, and never runs as a formula', async () => {
  const texts: [string, string][] = [
    ['plain', 'plain'],
    ['', ''],
    ['one<br>two<br>three', 'one; two; three'],
    ['a, b', '"a, b"'],
    ['say &quot;hi&quot;', '"say ""hi"""'],
    ['&lt;b&gt; &amp; &#39;c&#39;', "<b> & 'c'"],
    ['&amp;lt;', '&lt;'],
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-5.2 °C', "'-5.2 °C"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['=HYPERLINK(&quot;http://example.test&quot;)', `"'=HYPERLINK(""http://example.test"")"`],
    ['\t=1', "'\t=1"],
    ['＝1+1', "'＝1+1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠SUM(A1)', "'＠SUM(A1)"],
    ['a=1', 'a=1'],
    ['Temperature: -5.2 °C', 'Temperature: -5.2 °C'],
    ['dür & 気温', 'dür & 気温'],
    ['+1.5<br>=2', "'+1.5; =2"],
    ['<br>=1', '; =1'],
    ['&amp<br>x', '& x'],
    ['&amp;amp;quot;', '&amp;quot;'],
    ['&#39;=1', "'=1"],
    ['&lt;br&gt;', '<br>'],
    ['a;b, $& $1', '"a;b, $& $1"'],
    ['two\nlines', '"two\nlines"'],
    ['a\\b\u2028\u0001', 'a\\b\u2028\u0001'],
  ]
  await insert(
    1,
    deviceId,
    texts.map(([text]) => text),
  )
  const lines = (await exportLines()).slice(1, texts.length + 1).reverse()
  const start = '0101010101010101,00,2026-02-28T12:00:00.000001Z,'
  assert.deepEqual(
    lines,
    texts.map(([, cell]) => start + cell),
  )
})

// shows 4.14.1, 4.14.5, 8.1.3, 10.7.15
test('an export holds the latest 20,000, and page 2 the next', async () => {
  const other = await makeOrganization(service, 'other')
  const device = await addLocalDevice(service, '00AA000000000001', {}, other)
  const numbers = Array.from({ length: 20_005 }, (_, index) => String(index))
  await insert(other.organizationId, device, numbers)
  const newestFirst = numbers.toReversed()
  const cells = async (query: string) => {
    const [first, ...lines] = await exportLines(query, other)
    assert.equal(first, header)
    return lines.map((line) => line.split(',')[3])
  }
  assert.deepEqual(await cells(''), newestFirst.slice(0, 20_000))
  assert.deepEqual(await cells('?page=2'), newestFirst.slice(20_000))
  assert.deepEqual(await cells('?page=3'), [])
  assert.deepEqual(await cells('?page=2147483647'), [])
})

// shows 10.3.10
test('an export is for any member, as all that only reads', async () => {
  const reader = await joinMember(service, 'reader@example.test')
  assert.equal((await exportLines('', reader))[0], header)
})

test('an export is only for members, and only of their organization', async () => {
  assert.equal((await call('POST', '/v1/devices/all/uplink', { as: null })).status, 401)
  assert.equal((await call('POST', '/v1/devices/all/uplink?page=0')).status, 422)
  const stranger = await makeOrganization(service, 'stranger')
  assert.deepEqual(await exportLines('', stranger), [header])
})
