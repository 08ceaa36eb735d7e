import type { ChartData } from './chart-data.ts'

/** What a chart shows, with the names that its files need. */
export interface ChartContent {
  title: string
  /** Of all values, where the series are not devices. */
  device?: string | undefined
  unit: string | null
  data: ChartData
  timeZone: string
}

const head = [
  ...['time', 'time_zone', 'iso_time', 'device', 'measurement', 'unit'],
  ...['value', 'lowest', 'highest'],
]

/** The values as CSV for spreadsheets, with a byte order mark: a line for each time and series. */
export function chartCsv({ title, device, unit, data, timeZone }: ChartContent): string {
  const local = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  })
  const rows = data.series.flatMap((series) => {
    const names = series.device === undefined ? [device ?? '', series.name] : [series.device, title]
    return data.times.flatMap((time, index) => {
      const value = series.values[index]
      if (typeof value !== 'number') return []
      const iso = new Date(time).toISOString()
      const [lowest = null, highest = null] = [series.low?.[index], series.high?.[index]]
      return [[local.format(time), timeZone, iso, ...names, unit ?? '', value, lowest, highest]]
    })
  })
  return `\ufeff${[head, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`
}

/** A text that a spreadsheet would run as a formula gets an apostrophe in front. */
function cell(value: string | number | null): string {
  if (typeof value === 'number') return String(value)
  const text = value === null ? '' : /^[=+\-@＝＋－＠\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
