import type { ChartNote } from '../../../charts/chart-data.ts'
import { BarChart, TimeChart } from '../../../charts/time-chart.tsx'
import { lengthOfStep, rangeOfData, type WidgetData } from '../dashboard.ts'
import { Nothing } from '../nothing.tsx'
import { toChartData } from '../series-data.ts'
import type { ViewProps } from './view.ts'

/** Lines of devices, or an average between the lowest and the highest. */
export function ChartView({ widget, data, title, onZoom }: ViewProps) {
  const { series = [] } = data
  const [first] = series
  if (!first) return <Nothing data={data} title={title} />
  const isAverage = series.every(({ device_id }) => device_id === null)
  const isSingle = series.length === 1
  const parts = isAverage || isSingle ? withBand : lineOnly
  const chart = toChartData(series, data, {
    parts,
    nameOf: ({ device_name, devices, label }) =>
      device_name ?? (isSingle ? `Average of ${devices}` : `${label}, ${devices} devices`),
  })
  const { low, high, decimals = first.decimals } = widget.options ?? {}
  const limits = [
    ...(low === undefined ? [] : [{ value: low, label: 'Low' }]),
    ...(high === undefined ? [] : [{ value: high, label: 'High' }]),
  ]
  return (
    <TimeChart
      title={title}
      {...chart}
      unit={first.unit}
      decimals={decimals}
      width={lengthOfStep[data.step ?? ''] ?? 0}
      range={rangeOfData(data)}
      {...(onZoom && { onZoom })}
      limits={limits}
      notes={notesOf(data)}
      height="fill"
    />
  )
}

function notesOf({ notes = [] }: WidgetData): ChartNote[] {
  return notes.map(({ at, text, about }) => ({ time: Date.parse(at), text: `${about}: ${text}` }))
}

const withBand = { values: 'avg', low: 'min', high: 'max' } as const
const lineOnly = { values: 'avg' } as const

/** Hours, days or weeks, and the period before moved onto the same times. */
export function BarsView({ widget, data, title, onZoom }: ViewProps) {
  const [own] = data.series ?? []
  const [before] = data.previous ?? []
  const first = own ?? before
  if (!first) return <Nothing data={data} title={title} />
  const { from, to } = rangeOfData(data)
  const moved = before && {
    ...before,
    points: before.points.map(([time, ...values]) => [
      new Date(Date.parse(String(time)) + to - from).toISOString(),
      ...values,
    ]),
  }
  const shown = [...(own ? [own] : []), ...(moved ? [moved] : [])]
  const [values = 'avg'] = data.aggregate ?? []
  const chart = toChartData(shown, data, {
    parts: { values },
    nameOf: (one) => (one === moved ? 'Period before' : 'This period'),
  })
  const isCount = values === 'count'
  return (
    <BarChart
      title={title}
      {...chart}
      unit={isCount ? null : first.unit}
      decimals={isCount ? 0 : (widget.options?.decimals ?? first.decimals)}
      width={lengthOfStep[data.step ?? ''] ?? 0}
      range={{ from, to }}
      notes={notesOf(data)}
      {...(onZoom && { onZoom })}
      height="fill"
    />
  )
}
