import { z } from 'zod'
import { notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { isoTime, isoTimeOf } from '../../../http/timestamps.ts'
import { clean } from '../../../lora/units.ts'
import { endpoint } from '../../core-services.ts'
import { devicePath, readReference } from '../../fleet/inventory/references.ts'
import { type BatteryForecast, forecastBattery } from './battery-forecast.ts'
import { type BatteryScale, batteryOf, builtInBattery } from './battery-trend.ts'
import { findHealthDevice, type HealthDevice } from './radio-queries.ts'

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
        per_year: z.number().nullable(),
        volts_per_year: z.number().nullable(),
        empty_at: z.string().nullable(),
        empty_from: z.string().nullable(),
        empty_to: z.string().nullable(),
      },
      {
        since: '2025-06-01T00:00:00.000000Z',
        per_year: -0.21,
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
      { unit: 'V', low: 2.8, empty: 2.5 },
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
  description: `The readings of the last two years, by days (UTC). \`median\` is the average of the
day: most sensors send one reading a day. \`trend\` is that of the present battery: \`since\` is
its first day here. \`empty_at\` is when the line through its readings reaches \`empty\`, where the
sensor stops, and \`empty_from\` to \`empty_to\` is the range that the readings leave open: where
eight of ten lines between them end. \`empty_to\` is null where it is more than 15 years away. All of
it supposes that the battery goes on falling as before; most fall faster at the end.

Without a date, \`state\` says why: \`too_few_readings\` (fewer than 10 days of readings, or less than
30 days between them), \`not_falling\` (a quarter of the readings or more show no fall), \`empty\`, or
\`not_declared\`: an own device type says which of its measurements is the \`battery\` by its quantity,
with the unit V, mV or %, and by its lowest value where the sensor stops. mV are answered as V.`,
  params: devicePath,
  query: z.object({}),
  answer: z.object({ data: batteryRecord }),
  failures: [404],
  async handle({ params, caller }, { db, now }) {
    const { organizationId } = caller
    const device = await findHealthDevice(db, organizationId, readReference(params.device_id))
    if (!device) throw notFound('device not found')
    const scale = scaleOf(device)
    const asked = { deviceId: device.id, scale }
    return { data: toBattery(await forecastBattery(db, organizationId, asked, now()), scale) }
  },
})

function scaleOf({ own_type: own }: HealthDevice): BatteryScale | undefined {
  if (!own) return builtInBattery
  return own.measurements.map(batteryOf).find((scale) => scale !== undefined)
}

function toBattery(
  { days, ...forecast }: BatteryForecast,
  scale: BatteryScale | undefined,
): z.infer<typeof batteryRecord> {
  const last = days.at(-1)
  const inUnit = (value: number) => clean(value * (scale?.factor ?? 1))
  return {
    unit: scale?.unit ?? null,
    low: scale?.low ?? null,
    empty: scale?.empty ?? null,
    latest: last ? { value: inUnit(last.last), time: isoTime(last.last_time) } : null,
    days: days.map(({ time, average, min, max, count }) => ({
      ...{ time: isoTime(time), median: inUnit(average), min: inUnit(min), max: inUnit(max) },
      count,
    })),
    trend: toTrend(forecast, scale),
  }
}

const unknown = {
  since: null,
  per_year: null,
  volts_per_year: null,
  empty_at: null,
  empty_from: null,
  empty_to: null,
}

function toTrend(
  { since: first, trend }: Pick<BatteryForecast, 'since' | 'trend'>,
  scale: BatteryScale | undefined,
): z.infer<typeof trendRecord> {
  if (!trend) return { ...unknown, state: 'unknown_unit' }
  const since = first === undefined ? null : isoTimeOf(new Date(first))
  if (trend.state !== 'falling') return { ...unknown, state: trend.state, since }
  const { emptyAt, emptyFrom, emptyTo, perYear } = trend
  return {
    state: trend.state,
    since,
    per_year: clean(perYear),
    volts_per_year: scale?.unit === 'V' ? clean(perYear) : null,
    empty_at: isoTimeOf(new Date(emptyAt)),
    empty_from: isoTimeOf(new Date(emptyFrom)),
    empty_to: emptyTo === undefined ? null : isoTimeOf(new Date(emptyTo)),
  }
}
