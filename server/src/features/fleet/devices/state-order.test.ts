import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeKey } from '../../../../test/api-keys.ts'
import { settleStates } from '../../../../test/device-states.ts'
import { addGroup, addLocalDevice } from '../../../../test/fleet.ts'
import { startTestService } from '../../../../test/service.ts'

/*
 * Lists and counts by states that indexes hold coarsely: the half day in which a device was heard last,
 * its battery, and its warnings. Noon and midnight are the borders of the half days.
 */

const service = await startTestService({ after })
const { db } = service.services
service.setClock(new Date('2026-03-01T12:00:00.000Z'))

/** One of each border twice, so that equals are ordered by id; undefined was never heard. */
const times = [
  ...['2026-03-01T12:00:00.000000Z', '2026-03-01T11:59:59.999999Z', '2026-03-01T11:59:59.499999Z'],
  ...['2026-02-28T12:00:00.000000Z', '2026-02-28T11:59:59.999999Z', '2026-02-28T12:00:00.000001Z'],
  ...['2026-02-28T00:00:00.000000Z', '2025-02-27T23:59:59.500000Z', '1969-12-31T10:00:00.000000Z'],
  undefined,
]
const voltages = ['2.9V', '3.0V', '10.5V', undefined, 'strange']

interface Told {
  id: number
  time: string | undefined
  volts: number | undefined
  isLow: boolean
  isOpened: boolean
}

const fleet: Told[] = []
for (let number = 0; number < times.length * 2; number += 1) {
  const time = times[number % times.length]
  const battery = voltages[number % voltages.length]
  const [isLow, isOpened] = [number % 3 === 0, number % 4 === 1]
  const id = await addLocalDevice(service, number + 1)
  const status = { battery, low_battery: isLow ? 'Yes' : 'No', ...(isOpened && { tamper: 'Yes' }) }
  await db.query('update device_states set last_seen = $2, status = $3 where device_id = $1', [
    id,
    time,
    JSON.stringify(status),
  ])
  const volts = battery?.endsWith('V') ? Number(battery.slice(0, -1)) : undefined
  fleet.push({ id, time, volts, isLow, isOpened })
}
await db.query(`update device_states set status = status - 'battery'
  where status ->> 'battery' = 'strange'`)
await settleStates(db)
const gone = new Set([0, 4, 9].map((place) => fleet[place]?.id))
for (const id of gone) {
  assert.equal((await service.call('DELETE', `/v1/devices/${id}`)).status, 204)
}
const devices = fleet.filter(({ id }) => !gone.has(id))

/** Of devices that were registered just now, and whose interval is not known. */
function verdictsOf(some: readonly Told[]) {
  const counts = { ok: 0, new: 0, silent: 0, attention: 0, inactive: 0 }
  for (const { time, isLow, isOpened } of some) {
    const isSilent = time !== undefined && time < '2026-02-27T12:00:00.000000Z'
    const state = isLow || isOpened ? 'attention' : time === undefined ? 'new' : 'ok'
    counts[isSilent ? 'silent' : state] += 1
  }
  return { ...counts, heard: counts.ok + counts.attention }
}

async function list(query: string, call = service.call) {
  const answer = await call('GET', `/v1/fleet/devices?${query}`)
  assert.equal(answer.status, 200, answer.text)
  const { data, total, after } = answer.body
  return { ids: data.map(({ id }: { id: number }) => id) as number[], total, after }
}

type Rank = (device: Told) => number | string

/** The ids in the order of `rank`, and of ids among equals. */
function sorted(some: readonly Told[], order: 'asc' | 'desc', rank: Rank): number[] {
  const sign = order === 'asc' ? 1 : -1
  const ranked = some.map((device) => ({ id: device.id, rank: rank(device) }))
  ranked.sort((a, b) => sign * (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : a.id - b.id))
  return ranked.map(({ id }) => id)
}

const ranks: Record<string, (order: 'asc' | 'desc') => Rank> = {
  last_seen: () => (device) => device.time ?? '',
  battery: (order) => (device) => device.volts ?? (order === 'asc' ? 1000 : -1),
}

test('pages by cursor and by offset are the sorted list, without what is deleted', async () => {
  for (const [sort, rankIn] of Object.entries(ranks)) {
    for (const order of ['asc', 'desc'] as const) {
      const expected = sorted(devices, order, rankIn(order))
      const query = `sort=${sort}&order=${order}`
      assert.deepEqual((await list(query)).ids, expected, query)
      for (const size of [1, 3, 7]) {
        const walked: number[] = []
        let cursor: string | null = ''
        while (cursor !== null) {
          const page = await list(`${query}&limit=${size}${cursor && `&after=${cursor}`}`)
          assert.equal(page.total, devices.length)
          walked.push(...page.ids)
          cursor = page.after
        }
        assert.deepEqual(walked, expected, `${query} by ${size}`)
      }
      for (const offset of [1, 5, devices.length - 2, devices.length, 1000]) {
        const { ids, total } = await list(`${query}&limit=4&offset=${offset}`)
        assert.deepEqual(ids, expected.slice(offset, offset + 4), `${query} from ${offset}`)
        assert.equal(total, devices.length)
      }
    }
  }
})

test('a cursor goes on behind its device when the device has changed or is gone', async () => {
  const first = await list('sort=last_seen&order=desc&limit=3')
  const expected = sorted(devices, 'desc', ({ time }) => time ?? '')
  const [, , third] = expected
  await db.query('update devices set deleted_at = now() where id = $1', [third])
  const next = await list(`sort=last_seen&order=desc&limit=3&after=${first.after}`)
  assert.deepEqual(next.ids, expected.slice(3, 6))
  await db.query('update devices set deleted_at = null where id = $1', [third])
})

test('filters of states find the same devices as their counts', async () => {
  const since = '2026-02-28T12:00:00.000000Z'
  const isSilent = ({ time }: Told) => time === undefined || time < since
  const filters: [string, (device: Told) => boolean][] = [
    ['silent=24', isSilent],
    ['silent=1', ({ time }) => time === undefined || time < '2026-03-01T11:00:00'],
    ['silent=900000', ({ time }) => time === undefined || time < '1970'],
    ['low_battery=yes', ({ isLow }) => isLow],
    ['tamper=yes', ({ isOpened }) => isOpened],
    ['low_battery=yes&tamper=yes', ({ isLow, isOpened }) => isLow && isOpened],
    ['silent=24&low_battery=yes', (device) => isSilent(device) && device.isLow],
  ]
  for (const [query, matches] of filters) {
    const found = devices.filter(matches)
    for (const sort of ['last_seen', 'battery', 'created_at']) {
      const rank = ranks[sort]?.('asc') ?? (({ id }: Told) => id)
      const { ids, total } = await list(`${query}&sort=${sort}`)
      assert.deepEqual(ids, sorted(found, 'asc', rank), `${query} by ${sort}`)
      assert.equal(total, found.length)
    }
  }
  const { body } = await service.call('GET', '/v1/fleet/summary')
  const count = (matches: (device: Told) => boolean) => devices.filter(matches).length
  assert.deepEqual(body.data.devices, {
    total: devices.length,
    ...verdictsOf(devices),
    never_heard: count(({ time }) => time === undefined),
    low_battery: count(({ isLow }) => isLow),
    tampered: count(({ isOpened }) => isOpened),
    ...{ pending: 0, register_error: 0, waiting: 0 },
  })
  const named = body.data.problems.silent.map(({ did }: { did: number }) => did)
  assert.deepEqual(named, [], 'all silent ones are so for longer than a week')
})

test('a group counts its devices, and a caller limited to it sees only these', async () => {
  const own = fleet.slice(0, 8)
  const group = await addGroup(service, 'Own', { selectedDevices: [] })
  await db.query(
    `insert into grouped_devices (organization_id, group_id, device_id)
     select 1, $1, unnest($2::bigint[])`,
    [group, own.map(({ id }) => id)],
  )
  const living = own.filter(({ id }) => !gone.has(id))
  const { body } = await service.call('GET', `/v1/fleet/groups/${group}`)
  const counts = {
    devices: living.length,
    ...verdictsOf(living),
    low_battery: living.filter(({ isLow }) => isLow).length,
    tamper: living.filter(({ isOpened }) => isOpened).length,
    register_error: 0,
  }
  assert.deepEqual(body.data.own, counts)
  const all = await service.call('GET', '/v1/fleet/groups')
  assert.deepEqual(all.body.data[0].subtree, counts)
  const key = await makeKey(service, { permissions: [], group })
  for (const order of ['asc', 'desc'] as const) {
    const { ids, total } = await list(`sort=last_seen&order=${order}&limit=3`, key.call)
    const expected = sorted(living, order, ({ time }) => time ?? '')
    assert.deepEqual([ids, total], [expected.slice(0, 3), living.length])
  }
})
