import { z } from 'zod'
import { notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { isoTime, isoTimeOf } from '../../../http/timestamps.ts'
import { findDeviceType } from '../../../sensors/index.ts'
import { endpoint } from '../../core-services.ts'
import { devicePath, readReference } from '../../fleet/inventory/references.ts'
import { type ReadDay, readBattery } from './airtime-queries.ts'
import {
  type BatteryTrend,
  emptyVolts,
  lowVolts,
  sinceReplacement,
  trendOf,
} from './battery-trend.ts'
import { findHealthDevice } from './radio-queries.ts'

const day = 24 * 60 * 60 * 1000
const twoYears = 731 * day

const batteryDay = z
  .object(
    withExamples(
      { time: z.string(), median: z.number(), min: z.number(), max: z.number(), count: z.int() },
      { time: '2026-02-28T00:00:00.000000Z', median: 2.9, min: 2.9, max: 3, count: 2 },
    ),
  )
  .meta({ id: 'BatteryDay' })

const states = ['falling', 'not_falling', 'empty', 'too_few_readings', 'unknown_unit'] as const

const trendRecord = z
  .object(
    withExamples(
      {
        state: z.enum(states),
        since: z.string().nullable(),
        volts_per_year: z.number().nullable(),
        empty_at: z.string().nullable(),
        empty_from: z.string().nullable(),
        empty_to: z.string().nullable(),
      },
      {
        since: '2025-06-01T00:00:00.000000Z',
        volts_per_year: -0.21,
        empty_at: '2028-01-20T00:00:00.000000Z',
        empty_from: '2027-09-02T00:00:00.000000Z',
        empty_to: '2028-08-11T00:00:00.000000Z',
      },
    ),
  )
  .meta({ id: 'BatteryTrend' })

const batteryRecord = z
  .object({
    ...withExamples(
      { unit: z.string().nullable(), low: z.number().nullable(), empty: z.number().nullable() },
      { unit: 'V', low: lowVolts, empty: emptyVolts },
    ),
    latest: z
      .object({ value: z.number(), time: z.string() })
      .nullable()
      .meta({ examples: [{ value: 2.9, time: '2026-02-28T21:15:03.412000Z' }] }),
    days: z.array(batteryDay),
    trend: trendRecord,
  })
  .meta({ id: 'Battery' })

export const showBattery = endpoint({
  summary: 'The battery of a device by day, and when it will be empty',
  description: `The readings of the last two years, by days (UTC). \`trend\` is that of the present battery: \`since\` is
its first day here. \`empty_at\` is when the line through its readings reaches \`empty\` (${emptyVolts} V, where the
sensors stop), and \`empty_from\` to \`empty_to\` is the range that the readings leave open: where
eight of ten lines between them end. \`empty_to\` is null where it is more than 15 years away. All of
it supposes that the battery goes on falling as before; most fall faster at the end.

Without a date, \`state\` says why: \`too_few_readings\` (fewer than 10 days of readings, or less than
30 days between them), \`not_falling\` (a quarter of the readings or more show no fall), \`empty\`, or
\`unknown_unit\` (the codec of the organization's own device type decides what the number means).`,
  params: devicePath,
  query: z.object({}),
  answer: z.object({ data: batteryRecord }),
  failures: [404],
  async handle({ params, caller }, { db, now }) {
    const { organizationId } = caller
    const device = await findHealthDevice(db, organizationId, readReference(params.device_id))
    if (!device) throw notFound('device not found')
    const until = now()
    const since = new Date(until.getTime() - twoYears)
    const days = await readBattery(db, organizationId, device, { since, until })
    const isBuiltIn = findDeviceType(device.type_id) !== undefined
    return { data: toBattery(days, isBuiltIn, until) }
  },
})

function toBattery(
  days: readonly ReadDay[],
  isBuiltIn: boolean,
  now: Date,
): z.infer<typeof batteryRecord> {
  const last = days.at(-1)
  return {
    unit: isBuiltIn ? 'V' : null,
    low: isBuiltIn ? lowVolts : null,
    empty: isBuiltIn ? emptyVolts : null,
    latest: last ? { value: last.last, time: isoTime(last.last_time) } : null,
    days: days.map(({ time, median, min, max, count }) => {
      return { time: isoTime(time), median, min, max, count }
    }),
    trend: isBuiltIn ? toTrend(days, now) : { ...unknown, state: 'unknown_unit' },
  }
}

const unknown = {
  since: null,
  volts_per_year: null,
  empty_at: null,
  empty_from: null,
  empty_to: null,
}

function toTrend(days: readonly ReadDay[], now: Date): z.infer<typeof trendRecord> {
  const points = days.map(({ time, median }) => ({
    time: Date.parse(isoTime(time)),
    volts: median,
  }))
  const battery = sinceReplacement(points)
  const trend: BatteryTrend = trendOf(battery, now.getTime())
  const first = battery[0]
  const since = first ? isoTimeOf(new Date(first.time)) : null
  if (trend.state !== 'falling') return { ...unknown, state: trend.state, since }
  const { emptyAt, emptyFrom, emptyTo, voltsPerYear } = trend
  return {
    state: trend.state,
    since,
    volts_per_year: voltsPerYear,
    empty_at: isoTimeOf(new Date(emptyAt)),
    empty_from: isoTimeOf(new Date(emptyFrom)),
    empty_to: emptyTo === undefined ? null : isoTimeOf(new Date(emptyTo)),
  }
}
