import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connectChirpStack, makeUp, post } from '../../../test/chirpstack-uplinks.ts'
import { runCommand } from '../../../test/command.ts'
import { addType } from '../../../test/device-types.ts'
import { addDevice, addLocalDevice, euiOf } from '../../../test/fleet.ts'
import { fc } from '../../../test/properties.ts'
import { startTestService } from '../../../test/service.ts'
import { isoTimeOf } from '../../http/timestamps.ts'
import { decodeAgain } from '../store/decode-again.ts'
import { removeOldUplinks } from '../store/retention.ts'
import { rollUp, rollUpPortion } from './roll-up.ts'

const service = await startTestService({ after }, { clock: new Date('2026-04-02T00:00:00Z') })
const { db } = service.services
const callback = await connectChirpStack(service)
const kept = await service.call('PATCH', '/v1/organization/retention', { body: { uplink_days: 7 } })
assert.equal(kept.status, 200)

/** Hours after which a device is silent. */
const silence = 3
const window = await service.call('PATCH', '/v1/organization/verdict', {
  body: { window_hours: silence },
})
assert.equal(window.status, 200)

const devices = [1, 2, 3]
for (const number of devices) await addLocalDevice(service, number)

/** An air temperature in tenths of °C. */
function air(tenths: number): string {
  const bytes = [0x10, 0x0d, 0, Math.floor(tenths / 10), (tenths % 10) << 4, 50, 0]
  return Uint8Array.from(bytes).toHex()
}

const door = { open: '100301', closed: '100300' }

async function send(message: unknown): Promise<void> {
  const { status, text } = await post(service, callback, message)
  assert.equal(status, 200, text)
}

const begin = Date.parse('2026-03-27T00:00:00Z')
const range = { from: '2026-03-27T00:00:00Z', to: '2026-04-01T00:00:00Z' }

async function query(body: Record<string, unknown>) {
  const answer = await service.call('POST', '/v1/measurements/query', { body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}

type Point = [string, number, number, number, number, number]

/** What the uplinks say, summed up by PostgreSQL. */
async function sumUp(eui: string, unit: string, zone: string): Promise<Point[]> {
  const rows = await db.query<{ point: Point }>(
    `select json_build_array(
       to_char(part at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
       min(value)::float8, avg(value)::float8, max(value)::float8, count(*),
       (array_agg(value order by event_time desc, ordinal desc))[1]::float8
     ) as point
     from (
       select uplinks.*, date_trunc($2, event_time, $3) as part,
         (decoded_object ->> 'temperature')::numeric as value
       from uplinks
       join devices on devices.organization_id = uplinks.organization_id
         and devices.id = uplinks.device_id
       where devices.eui = $1 and decoded_object ? 'temperature'
     ) as uplinks
     group by part order by part`,
    [eui, unit, zone],
  )
  return rows.map(({ point }) => point)
}

const zones = ['UTC', 'Europe/Lisbon', 'Asia/Kolkata']

async function compare(): Promise<void> {
  for (const [step, unit] of [
    ['1h', 'hour'],
    ['1d', 'day'],
  ] as const) {
    for (const zone of step === '1h' ? ['UTC'] : zones) {
      const found = await query({
        ...range,
        ...{ step, time_zone: zone, aggregate: ['min', 'avg', 'max', 'count', 'last'] },
        series: [{ devices: devices.map(euiOf), measurement: 'temperature' }],
      })
      for (const [at, number] of devices.entries()) {
        assert.deepEqual(found[at].points, await sumUp(euiOf(number), unit, zone), zone)
      }
    }
  }
}

const minute = 60_000
const zoned = (time: number, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(zone)

/** How long the door was open and closed by what uplinks say, minute by minute. */
async function followDoor(
  eui: string,
  hours: [number, number],
  unit: 'hour' | 'day',
  zone: string,
) {
  const uplinks = await db.query<{ minute: number; state: string | null }>(
    `select extract(epoch from event_time)::bigint / 60 as minute, decoded_object ->> 'state' as state
     from uplinks
       join devices on devices.organization_id = uplinks.organization_id
         and devices.id = uplinks.device_id
     where devices.eui = $1 order by event_time, ordinal`,
    [eui],
  )
  const startOf = (time: number) => {
    const begin = zoned(time, zone).round({ smallestUnit: unit, roundingMode: 'floor' })
    return begin.epochMilliseconds
  }
  const [from, last] = hours.map((hour) => startOf(begin + hour * 60 * minute))
  const end = zoned(last ?? 0, zone).add({ [`${unit}s`]: 1 }).epochMilliseconds
  const points = new Map<string, { open: number; closed: number }>()
  let [state, heard, next]: [string | null, number, number] = [null, 0, 0]
  for (let at = begin / minute; at < end / minute; at += 1) {
    const silent = heard + silence * 60
    if (at > silent || (at === silent && uplinks[next]?.minute !== at)) state = null
    for (let one = uplinks[next]; one && one.minute <= at; one = uplinks[next]) {
      state = one.state ?? state
      heard = one.minute
      next += 1
    }
    if (at * minute < (from ?? 0) || (state !== 'open' && state !== 'closed')) continue
    const part = isoTimeOf(new Date(startOf(at * minute)))
    const point = points.get(part) ?? { open: 0, closed: 0 }
    point[state] += 60
    points.set(part, point)
  }
  return [...points]
}

async function compareStates(): Promise<void> {
  const hours: [number, number] = [31, 99]
  for (const [step, unit, zone] of [
    ['1h', 'hour', 'UTC'],
    ...zones.map((zone) => ['1d', 'day', zone] as const),
  ] as const) {
    const found = await query({
      from: new Date(begin + hours[0] * 60 * minute).toISOString(),
      to: new Date(begin + (hours[1] * 60 + 1) * minute).toISOString(),
      ...{ step, time_zone: zone, aggregate: ['time_in'] },
      series: [{ devices: devices.map(euiOf), measurement: 'state' }],
    })
    for (const [at, number] of devices.entries()) {
      const { values, points } = found[at]
      const names = values.map(({ value }: { value: string }) => value)
      const inWords = points.map(([time, ...seconds]: [string, ...number[]]) => [
        time,
        {
          open: 0,
          closed: 0,
          ...Object.fromEntries(seconds.map((one, place) => [names[place], one])),
        },
      ])
      assert.deepEqual(
        inWords,
        await followDoor(euiOf(number), hours, unit, zone),
        `${step} ${zone}`,
      )
    }
  }
}

const work = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      device: fc.constantFrom(...devices),
      // Late ones among them, at borders of hours and of days too.
      minutes: fc.oneof(fc.integer({ min: 0, max: 7199 }), fc.integer({ min: 1370, max: 1500 })),
      hex: fc.oneof(
        fc.integer({ min: 0, max: 999 }).map(air),
        fc.constantFrom(...Object.values(door)),
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('repeat' as const), back: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('roll up' as const), size: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), count: fc.nat(4) }) },
)

test('late, lost, repeated and deleted uplinks never falsify rollups', async () => {
  const sent: unknown[] = []
  const property = fc.asyncProperty(fc.array(work, { maxLength: 25 }), async (steps) => {
    for (const step of steps) {
      if (step.kind === 'send') {
        const time = new Date(begin + step.minutes * 60_000).toISOString()
        sent.push(makeUp({ eui: euiOf(step.device), hex: step.hex, time }))
        await send(sent.at(-1))
      }
      if (step.kind === 'repeat' && sent.length > 0) await send(sent.at(-1 - step.back) ?? sent[0])
      if (step.kind === 'roll up') await rollUpPortion(db, 1, step.size + 1)
      if (step.kind === 'delete') {
        await db.query(
          `update uplinks set received_at = now() - interval '8 days'
           where organization_id = 1 and ordinal < $1 + (
             select first_ordinal from organization_counters where organization_id = 1
           )`,
          [step.count],
        )
        await removeOldUplinks(db)
        // What is deleted leaves the rollups a moment later.
        while (await rollUpPortion(db, 1)) {}
      }
    }
    await compare()
    await compareStates()
  })
  await fc.assert(property, { numRuns: 12, endOnFailure: true })
  while (await rollUpPortion(db, 1)) {}
  await compare()
  await compareStates()
  const left = await db.query<{ rows: number }>(
    `select count(*) as rows from hourly_rollups as rollups where not exists (
       select from uplinks where uplinks.organization_id = rollups.organization_id
         and uplinks.device_id = rollups.device_id
         and date_trunc('hour', uplinks.event_time, 'UTC') = rollups.start
     ) union all select count(*) from daily_states cross join jsonb_object_keys(hours) as hour
     where not exists (
       select from uplinks where uplinks.organization_id = daily_states.organization_id
         and uplinks.device_id = daily_states.device_id
         and date_trunc('hour', uplinks.event_time, 'UTC') = day + make_interval(hours => hour::integer)
     )`,
  )
  assert.deepEqual(left, [{ rows: 0 }, { rows: 0 }])
})

test('what is decoded later is rolled up again', async () => {
  const type = await addType(service, {
    codec: 'function decodeUplink() { throw new Error("not yet") }',
  })
  const device = await addDevice(service, 9, { deviceType: type.id })
  await send(makeUp({ eui: euiOf(9), hex: '07', time: '2026-03-28T12:30:00Z' }))
  await rollUp(db)
  const of = [{ devices: [device.id], measurement: 'air.value' }]
  const asked = { ...range, step: '1h', aggregate: ['last'], series: of }
  assert.deepEqual((await query(asked))[0].points, [])
  const codec = `function decodeUplink({ bytes }) {
    return { data: { air: { value: bytes[0], unit: '°C', displayName: 'Air' } } }
  }`
  await service.call('PATCH', `/v1/device-types/${type.id}`, { body: { codec } })
  await service.call('POST', `/v1/device-types/${type.id}/decode-again`)
  await decodeAgain(service.services)
  await rollUp(db)
  assert.deepEqual(await query(asked), [
    {
      device_id: euiOf(9),
      device_name: 'Device 9',
      measurement: 'air.value',
      quantity: null,
      label: 'Air',
      unit: '°C',
      points: [['2026-03-28T12:00:00.000000Z', 7]],
    },
  ])
})

test('a state that is declared later is known of the past', async () => {
  const codec = 'function decodeUplink({ bytes }) { return { data: { valve: bytes[0] > 0 } } }'
  const type = await addType(service, { codec })
  const device = await addDevice(service, 10, { deviceType: type.id })
  await send(makeUp({ eui: euiOf(10), hex: '01', time: '2026-03-28T12:30:00Z' }))
  await send(makeUp({ eui: euiOf(10), hex: '00', time: '2026-03-28T13:15:00Z' }))
  while (await rollUpPortion(db, 1)) {}
  const body = { measurements: [{ name: 'valve', kind: 'state' }] }
  await service.call('PATCH', `/v1/device-types/${type.id}`, { body })
  while (await rollUpPortion(db, 1)) {}
  const [valve] = await query({
    ...{ ...range, step: '1d', aggregate: ['time_in'] },
    series: [{ devices: [device.id], measurement: 'valve' }],
  })
  assert.deepEqual(
    [valve.unit, valve.values, valve.points],
    [
      's',
      [
        { value: 'false', text: 'False' },
        { value: 'true', text: 'True' },
      ],
      [['2026-03-28T00:00:00.000000Z', silence * 3600, 2700]],
    ],
  )
})

test('two processes never roll up the same uplinks at once', async () => {
  for (let count = 0; count < 20; count += 1) {
    const time = new Date(begin + count * 600_000).toISOString()
    await send(makeUp({ eui: euiOf(1), hex: air(count), time }))
  }
  let hasMore = true
  while (hasMore) {
    hasMore = (await Promise.all([1, 2, 3].map(() => rollUpPortion(db, 1, 4)))).some(Boolean)
    await compare()
  }
})

test('rollups that were falsified by hand are rebuilt by a command', async () => {
  await send(makeUp({ eui: euiOf(2), hex: air(111), time: '2026-03-28T12:30:00Z' }))
  while (await rollUpPortion(db, 1)) {}
  await db.query('update hourly_rollups set sum = sum + 1')
  await db.query('update daily_rollups set highest = 1000')
  await db.query(`update daily_states set hours = '{"3":[0,1,0,"ajar",{"ajar":1}]}'`)
  await db.query(
    `insert into daily_rollups
     select organization_id, device_id, 'gone', start, count, sum, lowest, highest, last, last_at
     from daily_rollups limit 1`,
  )
  const settings = { DATABASE_URL: service.databaseUrl, SECRET_KEY: 'x'.repeat(32) }
  const { output, errors } = await runCommand(['rebuild-rollups'], settings)
  assert.match(output, /^The measurements of \d+ uplinks are summed up again\.$/m, errors)
  await compare()
  await compareStates()
  assert.deepEqual(await db.query(`select from daily_rollups where name = 'gone'`), [])
})
