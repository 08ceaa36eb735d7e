import { csvLine } from '../../../http/csv.ts'
import type { ReportData } from './report-data.ts'

const columns = [
  ...['time', 'device', 'dev_eui', 'measurement', 'unit', 'min', 'average', 'max', 'values'],
]

/** A line for each hour or day of each device, in base units, as the API gives them. */
export function writeCsv({ series }: ReportData): string {
  const lines = series.flatMap(({ device_name, device_id, label, unit, points }) =>
    points.map(([time = '', ...values]) =>
      csvLine([time, device_name, device_id, label, unit, ...values]),
    ),
  )
  return [csvLine(columns), ...lines].join('')
}
