import { z } from 'zod'
import type { Database } from '../../../db/connect.ts'
import { HttpError } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { isoTimeOf } from '../../../http/timestamps.ts'
import { findDeviceType } from '../../../sensors/index.ts'
import { baseOf, type Measurement } from '../../../sensors/measurement.ts'
import { measurementsOf } from '../../../uplinks/read/asked-measurements.ts'
import {
  type Aggregate,
  behind,
  type PointRow,
  readPoints,
} from '../../../uplinks/read/points-queries.ts'
import { listSeriesDevices, type SeriesDevice } from '../../../uplinks/read/series-queries.ts'
import {
  chooseStep,
  countSteps,
  divide,
  hour,
  lengthOf,
  type Parts,
  type Step,
  type TimeRange,
  type Zone,
} from '../../../uplinks/read/steps.ts'
import type { WidgetSource } from './widget-body.ts'
import type { WidgetOptions } from './widget-options.ts'
import { hoursOf, type WidgetType } from './widget-types.ts'

/** What widgets show of measurements. */

export const widgetSeries = z
  .object({
    ...withExamples(
      {
        device_id: z.string().nullable().describe('Null where several devices are summed up.'),
        device_name: z.string().nullable(),
        devices: z.int().describe('How many are summed up.'),
        label: z.string(),
        unit: z.string().nullable(),
        decimals: z.int().nullable(),
      },
      {
        device_id: '00AA000000000001',
        device_name: 'Cold store',
        devices: 1,
        label: 'Temperature',
        unit: '°C',
        decimals: 1,
      },
    ),
    points: z
      .array(z.array(z.union([z.string(), z.number()])))
      .describe('The beginning of the step, then the values in the order of `aggregate`.')
      .meta({ examples: [[['2026-02-28T12:00:00.000000Z', 4.5, 4.1, 4.8]]] }),
  })
  .meta({ id: 'WidgetSeries' })

export type SeriesRecord = z.infer<typeof widgetSeries>

/** A measurement of a device. */
interface Series {
  device: SeriesDevice
  of: Measurement
}

export interface Asked {
  type: WidgetType
  source: WidgetSource
  options: WidgetOptions
  /** Of the dashboard. */
  range: TimeRange
  zone: Zone
}

export interface Measured {
  step: Step | null
  aggregate: Aggregate[]
  series: SeriesRecord[]
  previous?: SeriesRecord[]
}

/** Lines of a chart that does not say what it shows, and of one that wants lines. */
const fewLines = 8
const mostLines = 20
/** Of more devices, steps below an hour would read too many uplinks. */
const fewSeries = 10
const mostPoints = { value: 48, chart: 360 }

const allAggregates: Aggregate[] = ['min', 'avg', 'max', 'count', 'last']

export async function readMeasured(
  db: Database,
  organizationId: number,
  ids: readonly number[],
  asked: Asked,
): Promise<Measured> {
  const references = ids.map((id) => ({ id, eui: null }))
  const devices = await listSeriesDevices(
    db,
    organizationId,
    { devices: references },
    { within: { group: undefined, tag: undefined }, most: ids.length },
  )
  const series = devices.flatMap((device) =>
    measurementsOf(device, asked.source).map((of) => ({ device, of })),
  )
  const range = rangeOf(asked)
  const read = (parts: Parts, step: Step | null, how: How) =>
    readSeries(db, organizationId, { series, parts, step, ...how })
  const { type, options, zone } = asked
  if (type === 'tiles' || type === 'gauge' || type === 'ranking') {
    const whole = { starts: [floorHour(range.from)], end: ceilHour(range.to) }
    const how = { aggregate: allAggregates, isCombined: false }
    return { step: null, aggregate: allAggregates, series: await read(whole, null, how) }
  }
  if (type === 'bars') return readBars(range, asked, read)
  const isCombined = type !== 'chart' || isAverage(series.length, options)
  const aggregate: Aggregate[] = type === 'chart' ? ['avg', 'min', 'max'] : allAggregates
  const step = type === 'heatmap' ? '1h' : stepOf(type, range, { options, series })
  const how = { aggregate, isCombined }
  const attempt = await tryRead(() => read(divide(range, step, zone), step, how), options.step)
  if (attempt) return { step, aggregate, series: attempt }
  return { step: '1h', aggregate, series: await read(divide(range, '1h', zone), '1h', how) }
}

interface How {
  aggregate: Aggregate[]
  isCombined: boolean
}

/** Undefined where the step was chosen here, and a longer one may do. */
async function tryRead(
  read: () => Promise<SeriesRecord[]>,
  asked: Step | 'auto' | undefined,
): Promise<SeriesRecord[] | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof HttpError && (asked ?? 'auto') === 'auto') return undefined
    throw error
  }
}

function rangeOf({ options, range }: Asked): TimeRange {
  if (options.range === undefined) return range
  return { from: new Date(range.to.getTime() - hoursOf[options.range] * hour), to: range.to }
}

const floorHour = (time: Date) => Math.floor(time.getTime() / hour) * hour
const ceilHour = (time: Date) => Math.ceil(time.getTime() / hour) * hour

function isAverage(count: number, { show = 'auto' }: WidgetOptions): boolean {
  return show === 'average' || (show === 'auto' && count > fewLines) || count > mostLines
}

function stepOf(
  type: WidgetType,
  range: TimeRange,
  { options, series }: { options: WidgetOptions; series: readonly Series[] },
): Step {
  const most = type === 'value' ? mostPoints.value : mostPoints.chart
  const asked = options.step ?? 'auto'
  if (asked !== 'auto') {
    if (countSteps(range, asked) > 1000) throw tooMuch('Please choose a longer step.')
    return asked
  }
  return chooseStep(range, most, series.length <= fewSeries ? 0 : hour)
}

async function readBars(
  { from, to }: TimeRange,
  { options, zone }: Asked,
  read: (parts: Parts, step: Step, how: How) => Promise<SeriesRecord[]>,
): Promise<Measured> {
  const length = to.getTime() - from.getTime()
  const usual = length <= 48 * hour ? '1h' : length <= 92 * 24 * hour ? '1d' : '1w'
  const { step: sent = 'auto', aggregate: sum = 'avg', compare = true } = options
  const step = sent === 'auto' ? usual : sent
  if (countSteps({ from, to }, step) > 400) throw tooMuch('Please choose a longer step.')
  const how = { aggregate: [sum], isCombined: true }
  const before = { from: new Date(from.getTime() - length), to: from }
  const [series, previous] = await Promise.all([
    read(divide({ from, to }, step, zone), step, how),
    compare ? read(divide(before, step, zone), step, how) : undefined,
  ])
  return { step, aggregate: [sum], series, ...(previous && { previous }) }
}

interface Reading extends How {
  series: readonly Series[]
  parts: Parts
  step: Step | null
}

async function readSeries(
  db: Database,
  organizationId: number,
  { series, parts, step, aggregate, isCombined }: Reading,
): Promise<SeriesRecord[]> {
  if (series.length === 0) return []
  const places = isCombined ? combine(series) : series.map((one) => [one])
  const keys = places.flatMap((members, place) =>
    members.map(({ device, of }) => ({
      place,
      device_id: device.id,
      name: of.name,
      isNested: findDeviceType(device.type_id) === undefined,
    })),
  )
  const length = step === null ? hour : lengthOf(step)
  const found = await readPoints(db, organizationId, {
    series: keys,
    parts,
    step: length,
    aggregate,
  })
  if (found === 'too_many') throw tooMuch('Please choose a shorter range or fewer devices.')
  if (found === 'behind') throw new HttpError(422, behind)
  return toRecords(places, found, { starts: parts.starts, aggregate })
}

function tooMuch(advice: string): HttpError {
  return new HttpError(422, `There is too much to read. ${advice}`)
}

/** Those of the same unit are one series. */
function combine(series: readonly Series[]): Series[][] {
  return [...Map.groupBy(series, ({ of }) => of.unit).values()]
}

function toRecords(
  places: readonly (readonly Series[])[],
  found: readonly PointRow[],
  { starts, aggregate }: { starts: readonly number[]; aggregate: readonly Aggregate[] },
): SeriesRecord[] {
  const times = starts.map((start) => isoTimeOf(new Date(start)))
  const byPlace = Map.groupBy(found, ([place]) => place)
  return places.flatMap((members, place) => {
    const [first] = members
    const own = byPlace.get(place)
    if (!first || !own) return []
    const isOne = members.length === 1
    const { unit, decimals, convert } = baseOf(first.of)
    return {
      device_id: isOne ? first.device.device_eui : null,
      device_name: isOne ? first.device.name : null,
      devices: members.length,
      label: first.of.label,
      unit: unit ?? null,
      decimals: decimals ?? null,
      points: own.map(([, part, ...values]) => [
        times[part] ?? '',
        ...values.map((value, at) => (aggregate[at] === 'count' ? value : convert(value))),
      ]),
    }
  })
}
