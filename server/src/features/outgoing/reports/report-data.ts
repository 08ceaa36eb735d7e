import type { z } from 'zod'
import type { Database } from '../../../db/connect.ts'
import { invalid } from '../../../http/errors.ts'
import { type Formats, writeTime } from '../../../lora/formats.ts'
import {
  readMeasurements,
  type SeriesRecord,
  type seriesSelectors,
} from '../../../uplinks/read/read-measurements.ts'
import type { TimeRange } from '../../../uplinks/read/steps.ts'
import { type Calendar, lastPeriod, type Period } from './report-period.ts'

export type Selectors = z.infer<typeof seriesSelectors>

/** What a report is made of: the same for all who get it. */
export interface ReportData {
  range: TimeRange
  calendar: Calendar
  series: SeriesRecord[]
}

/** So many that the file of their hours fits into a mail. */
export const mostSeries = 300

/** As `readData` asks for them. */
const aggregate = ['min', 'avg', 'max', 'count'] as const

/** One value for each hour of a week, or each day of a month. */
const steps = { weekly: '1h', monthly: '1d' } as const

/** @throws HttpError 422 for a group, device or type that is not there, and for too many series. */
export async function readData(
  db: Database,
  organizationId: number,
  { period, series }: { period: Period; series: Selectors },
  { calendar, now }: { calendar: Calendar; now: Date },
): Promise<ReportData> {
  const range = lastPeriod(period, calendar, now)
  const { timeZone: time_zone, weekStart: week_start } = calendar
  const step = steps[period]
  const query = { ...range, step, aggregate: [...aggregate], time_zone, week_start, series }
  const found = await readMeasurements(db, { organizationId }, query, now)
  if (found.length > mostSeries) throw invalid({ series: [tooMany(found.length)] })
  return { range, calendar, series: found }
}

function tooMany(count: number): string {
  return `The report would have ${count} measurements of devices; it may have ${mostSeries}.`
}

/** One device and measurement over the whole period. */
export interface Row {
  device: string
  eui: string
  /** Undefined where there is no value. */
  min?: number
  avg?: number
  max?: number
  /** The averages of the steps: where in the period, from 0 to 1, and how much. */
  trend: { at: number; value: number }[]
}

/** The rows of one measurement: what all the devices call temperature. */
export interface Table {
  label: string
  unit: string | null
  rows: Row[]
}

export function toTables({ range, series }: ReportData): Table[] {
  const named = Map.groupBy(series, ({ label, unit }) => JSON.stringify([label, unit]))
  return [...named.values()].map((same) => ({
    label: same[0]?.label ?? '',
    unit: same[0]?.unit ?? null,
    rows: same.map((one) => toRow(one, range)),
  }))
}

function toRow({ device_id, device_name, points }: SeriesRecord, { from, to }: TimeRange): Row {
  const row: Row = { device: device_name, eui: device_id, trend: [] }
  let [sum, count] = [0, 0]
  const length = to.getTime() - from.getTime()
  for (const [time, ...values] of points) {
    const [min = 0, avg = 0, max = 0, number = 0] = values.map(Number)
    row.min = Math.min(row.min ?? min, min)
    row.max = Math.max(row.max ?? max, max)
    sum += avg * number
    count += number
    const at = (Date.parse(String(time)) - from.getTime()) / length
    row.trend.push({ at, value: avg })
  }
  return count === 0 ? row : { ...row, avg: sum / count }
}

/** "23 Feb 2026 – 1 Mar 2026". */
export function nameRange({ range, calendar }: ReportData, formats: Formats): string {
  const write = (time: Date) => writeTime(time, { date: 'full' }, calendar.timeZone, formats)
  return `${write(range.from)} – ${write(new Date(range.to.getTime() - 1))}`
}
