import { csvLine } from '../../../http/csv.ts'
import type { Say } from '../../../texts/texts.ts'
import type { ReportedWidget } from './dashboard-data.ts'
import { titleOf } from './dashboard-pdf.ts'

const columns = [
  ...['widget', 'time', 'device', 'dev_eui', 'measurement', 'unit'],
  ...['min', 'average', 'max', 'values', 'last', 'reading'],
]

/** A line for each point of a series, and for each reading, in base units. */
export function writeDashboardCsv(widgets: readonly ReportedWidget[], say: Say): string {
  const lines = widgets.flatMap(({ widget, data }) => {
    const title = titleOf(widget, data, say)
    const names = data.aggregate ?? []
    const ofSeries = (data.series ?? []).flatMap(
      ({ device_name, device_id, label, unit, points }) =>
        points.map(([time = '', ...values]) => {
          const parts = (['min', 'avg', 'max', 'count', 'last'] as const).map(
            (name) => values[names.indexOf(name)] ?? '',
          )
          return csvLine([
            title,
            time,
            device_name ?? '',
            device_id ?? '',
            label,
            unit,
            ...parts,
            '',
          ])
        }),
    )
    const isListed = widget.type === 'table' || widget.type === 'battery'
    const ofDevices = (isListed ? (data.devices ?? []) : []).map(
      ({ device_name, device_id, reading, last_seen }) =>
        csvLine([
          ...[title, reading?.time ?? last_seen ?? '', device_name, device_id],
          ...['', '', '', '', '', '', '', reading?.text ?? ''],
        ]),
    )
    return [...ofSeries, ...ofDevices]
  })
  return [csvLine(columns), ...lines].join('')
}
