import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { isCluster } from '../../../../test/citus.ts'
import { settleStates } from '../../../../test/device-states.ts'
import { addDevice, addLocalDevice, doorType, euiOf } from '../../../../test/fleet.ts'
import { foundOrganization } from '../../../../test/members.ts'
import { startTestService } from '../../../../test/service.ts'
import { naturalOrder } from '../../../db/natural-order.ts'
import { type DeviceFilter, deviceFilterBody, toDeviceFilter } from '../inventory/device-filter.ts'
import {
  createValues,
  matchingDevices,
  orderBy,
  selectDevices,
} from '../inventory/device-selection-queries.ts'

const service = await startTestService({ after })
const { db, now } = service.services

const names = ['Äpfel', 'banana', 'Cellar 50%', '=HYPERLINK("x")', 'Echo, "five"']
const ids: number[] = []
for (const [index, deviceName] of names.entries()) {
  ids.push(await addLocalDevice(service, index + 1, { deviceName }))
}
const pending = await addDevice(service, 0xabcdef, { deviceName: 'Waits' })
const [top, below] = [await makeGroup('Top', null), await makeGroup('Below', 'Top')]
await db.query(
  `insert into grouped_devices (organization_id, group_id, device_id)
   values (1, $1, $3), (1, $2, $4)`,
  [top, below, ids[0], ids[1]],
)
await setState(ids[0], '1 hour', { battery: '2.9V', low_battery: 'No', tamper: 'No' })
await setState(ids[1], '2 days', { battery: '2.1V', low_battery: 'Yes', tamper: 'Yes' })
await setState(ids[2], '10 days', { battery: '3.0V', current_sensor_state: 'Open' })
await db.query('update devices set is_active = false where id = $1', [ids[3]])
await db.query(`update devices set extra_notes = '-5.2' where id = $1`, [pending.id])

async function makeGroup(name: string, parent: string | null): Promise<number> {
  const [above] = await db.query<{ id: number }>('select id from device_groups where name = $1', [
    parent,
  ])
  const rows = await db.query<{ id: number }>(
    `insert into device_groups (organization_id, name, parent_id, user_id)
     select 1, $1, $2::bigint, min(id) from users returning id`,
    [name, above?.id],
  )
  return rows[0]?.id ?? 0
}

async function setState(id: number | undefined, age: string, status: object) {
  await db.query(
    `update device_states set last_seen = $2::timestamptz - $3::interval, status = $4
     where device_id = $1`,
    [id, now(), age, JSON.stringify(status)],
  )
  await settleStates(db)
}

async function list(query: string) {
  const answer = await service.call('GET', `/v1/fleet/devices?${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function numbers(query: string): Promise<number[]> {
  const { data, total } = await list(query)
  assert.equal(total, data.length)
  return data.map(({ id }: { id: number }) => [...ids, pending.id].indexOf(id) + 1)
}

test('a record holds what the device has told, and null for the rest', async () => {
  const { data } = await list('search=banana')
  assert.deepEqual(data, [
    {
      id: ids[1],
      device_id: euiOf(2),
      join_eui: '0000000000000000',
      device_name: 'banana',
      device_type: doorType,
      network: { key: 'chirpstack', name: 'ChirpStack v4' },
      register_method: 'user_account',
      groups: [{ id: below, name: 'Below' }],
      last_seen: '2026-02-27T12:00:00.000000Z',
      battery: 2.1,
      low_battery: true,
      tamper: true,
      config_error: null,
      sensor_state: null,
      reading: null,
      rssi: null,
      snr: null,
      uplink_count: 0,
      device_register_status: 'active',
      api_error: null,
      is_active: true,
      waiting_downlinks: 0,
      extra_notes: null,
      tags: {},
      ...{ latitude: null, longitude: null, altitude: null, place_source: null },
      created_at: '2026-03-01T12:00:00.000000Z',
      verdict: {
        state: 'attention',
        since: null,
        reasons: [
          {
            code: 'tamper',
            message: 'The case was opened, or the device was taken off.',
            action: 'Look after the device on site.',
          },
          {
            code: 'low_battery',
            message: 'The battery is low (2.1 V).',
            action: 'Replace the battery.',
          },
        ],
      },
    },
  ])
})

test('every filter finds its devices, and all of them apply together', async () => {
  assert.deepEqual(await numbers('search=ÄP'), [1])
  assert.deepEqual(await numbers('search=50%25'), [3], 'the sign is no pattern')
  assert.deepEqual(await numbers('search=00-aa-00-00-00-ab'), [6], 'an EUI with dashes')
  assert.deepEqual(await numbers('search=00:AA:00:00:00:AB:CD:EF'), [6])
  assert.deepEqual(await numbers(`group=${top}`), [1, 2], 'the subtree')
  assert.deepEqual(await numbers(`group=${below}`), [2])
  assert.deepEqual(await numbers('network=chirpstack&status=pending'), [6])
  assert.deepEqual(await numbers('network=loriot'), [])
  assert.deepEqual(await numbers(`type=${doorType.id}&active=no`), [4])
  assert.deepEqual(await numbers('low_battery=yes'), [2])
  assert.deepEqual(await numbers('tamper=yes'), [2])
  assert.deepEqual(await numbers('silent=24'), [2, 3, 4, 5, 6], 'never heard is silent too')
  assert.deepEqual(await numbers(`silent=24&group=${top}&search=an`), [2])
  assert.deepEqual(await numbers(`ids=${ids[4]},${ids[0]},999999`), [1, 5])
  assert.deepEqual(await numbers('waiting=yes'), [])
  const body = { config_field: { islorawan: 1, config_type: 'general', supervisory_period: 129 } }
  const sent = await service.call('POST', `/v1/devices/${pending.id}/configure`, { body })
  assert.equal(sent.status, 200, sent.text)
  assert.deepEqual(await numbers('waiting=yes'), [6])
  assert.equal((await list('waiting=yes')).data[0].waiting_downlinks, 1)
})

test('every sort orders, with the unknown where it can be found', async () => {
  assert.deepEqual(await numbers('sort=name'), [4, 1, 2, 3, 5, 6])
  assert.deepEqual(await numbers('sort=device_id&order=desc'), [6, 5, 4, 3, 2, 1])
  assert.deepEqual(await numbers('sort=created_at'), [1, 2, 3, 4, 5, 6])
  assert.deepEqual(await numbers('sort=last_seen'), [4, 5, 6, 3, 2, 1], 'never heard comes first')
  assert.deepEqual(await numbers('sort=battery'), [2, 1, 3, 4, 5, 6], 'unknown comes last')
  assert.deepEqual(await numbers('sort=battery&order=desc'), [3, 1, 2, 6, 5, 4])
  assert.deepEqual(await numbers('sort=type'), [1, 2, 3, 4, 5, 6])
  assert.deepEqual(await numbers('sort=network&order=desc'), [6, 5, 4, 3, 2, 1])
})

test('pages by cursor and by offset are the whole list once, for every sort', async () => {
  for (const sort of ['name', 'device_id', 'last_seen', 'battery', 'created_at', 'type']) {
    for (const order of ['asc', 'desc']) {
      const query = `sort=${sort}&order=${order}&silent=1`
      const whole = await list(query)
      const walked: unknown[] = []
      let after = ''
      do {
        const page = await list(`${query}&limit=2${after}`)
        assert.equal(page.total, whole.total)
        walked.push(...page.data)
        after = page.after === null ? '' : `&after=${page.after}`
      } while (after !== '')
      assert.deepEqual(walked, whole.data, query)
      const { data } = await list(`${query}&limit=2&offset=1`)
      assert.deepEqual(data, whole.data.slice(1, 3), query)
      const all = await service.call('GET', `/v1/fleet/devices/ids?${query}`)
      const expected = whole.data.map(({ id }: { id: number }) => id)
      assert.deepEqual(all.body, { data: expected, total: whole.total })
    }
  }
})

test('refuses what it does not understand', async () => {
  const after = Buffer.from('1 never').toString('base64url')
  const wrong = [
    'group=x',
    'silent=0',
    'status=new',
    'ids=1,x',
    'sort=key',
    'limit=1001',
    'since=1',
  ]
  for (const query of [...wrong, `after=${after}&sort=last_seen`, 'after=x', 'low_battery=no']) {
    const answer = await service.call('GET', `/v1/fleet/devices?${query}`)
    assert.equal(answer.status, 422, query)
  }
})

test('the export has the columns asked for, and no cell that runs as a formula', async () => {
  const query = 'sort=created_at&columns=device_id,device_name,battery,extra_notes,groups'
  const answer = await service.call('GET', `/v1/fleet/devices/export?${query}`)
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(answer.text.split('\r\n'), [
    'device_id,device_name,battery,extra_notes,groups',
    `${euiOf(1)},Äpfel,2.9,,Top`,
    `${euiOf(2)},banana,2.1,,Below`,
    `${euiOf(3)},Cellar 50%,3,,`,
    `${euiOf(4)},"'=HYPERLINK(""x"")",,,`,
    `${euiOf(5)},"Echo, ""five""",,,`,
    `${euiOf(0xabcdef)},Waits,,-5.2,`,
    '',
  ])
  const all = await service.call('GET', '/v1/fleet/devices/export?search=banana')
  assert.equal(all.text.split('\r\n').length, 3)
  const wrong = await service.call('GET', '/v1/fleet/devices/export?columns=device_key')
  assert.equal(wrong.status, 422)
})

test('the devices of other organizations are not found', async () => {
  const as = await foundOrganization(service, 'other@example.test')
  const own = await addLocalDevice(service, 1, {}, as)
  const { body } = await service.call('GET', `/v1/fleet/devices?search=e&ids=${ids},${own}`, { as })
  assert.deepEqual(
    body.data.map(({ id }: { id: number }) => id),
    [own],
  )
  const found = await service.call('GET', `/v1/fleet/devices?group=${top}`, { as })
  assert.equal(found.body.total, 0)
})

test('work on many devices selects them by the same filter', async () => {
  const all = await toDeviceFilter(db, 1, deviceFilterBody.parse({}), new Date())
  const filter = { ...all, group: top }
  assert.deepEqual(await selectDevices(db, 1, filter), [
    { id: ids[0], device_eui: euiOf(1), name: 'Äpfel' },
    { id: ids[1], device_eui: euiOf(2), name: 'banana' },
  ])
})

test('names stand as people order them, in pages and in groups', async () => {
  const given = ['Tür 10', 'tür 2', 'Tur 1', 'Tür 1000', 'Tür 11, links']
  for (const [index, deviceName] of given.entries()) {
    await addLocalDevice(service, 40 + index, { deviceName })
  }
  const ordered = ['Tur 1', 'tür 2', 'Tür 10', 'Tür 11, links', 'Tür 1000']
  const namesOf = (answer: { data: { device_name: string }[] }) =>
    answer.data.map(({ device_name }) => device_name)
  const all = namesOf(await list('sort=name&limit=100'))
  assert.deepEqual(
    all.filter((name) => given.includes(name)),
    ordered,
  )
  assert.deepEqual(namesOf(await list('sort=name&order=desc&limit=100')), all.toReversed())
  const walked: string[] = []
  for (let after = ''; after !== 'null'; ) {
    const page = await list(`sort=name&limit=2${after && `&after=${after}`}`)
    walked.push(...namesOf(page))
    after = encodeURIComponent(page.after)
  }
  assert.deepEqual(walked, all)
  // The stored order and the one of the statements are one.
  const differing = await db.query(
    `select name from devices where name_order <> ${naturalOrder('name')}`,
  )
  assert.deepEqual(differing, [])
  const groups = [await makeGroup('Floor 10', null), await makeGroup('Floor 9', null)]
  await db.query(
    'insert into grouped_devices (organization_id, group_id, device_id) select 1, unnest($1::bigint[]), $2',
    [groups, ids[4]],
  )
  const [echo] = (await list('search=Echo')).data
  assert.deepEqual(
    echo.groups.map(({ name }: { name: string }) => name),
    ['Floor 9', 'Floor 10'],
  )
})

test('a page by name is read from its index', {
  skip: isCluster() && 'the settings do not reach the machine that plans it',
}, async () => {
  const { text, values } = pageByName()
  const plan = await db.transaction(async (tx) => {
    await tx.query('set local enable_seqscan = off')
    await tx.query('set local enable_sort = off')
    return tx.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values)
  })
  assert.match(plan.map((row) => row['QUERY PLAN']).join('\n'), /using devices_name on devices/)
})

/** The statement of a page behind a cursor, as it is asked without filters. */
function pageByName() {
  const values = createValues()
  const organization = values.add(1)
  const order = { sort: 'name', order: 'asc' } as const
  const matching = matchingDevices({ organization, filter: {} as DeviceFilter, order, values })
  const cursor = `(${values.add('tur 0000000002')}::text, ${values.add(1)}::bigint)`
  const text = `with matching as (${matching})
    select id from matching where (rank, id) > ${cursor} order by ${orderBy(order)} limit 50`
  return { text, values: values.list }
}
