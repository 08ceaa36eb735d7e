import type { ChartNote } from '../../../charts/chart-data.ts'
import { BarChart, TimeChart } from '../../../charts/time-chart.tsx'
import { t } from '../../../languages/text.ts'
import { lengthOfStep, rangeOfData, type WidgetData, type WidgetSeries } from '../dashboard.ts'
import { Nothing } from '../nothing.tsx'
import { toChartData } from '../series-data.ts'
import type { ViewProps } from './view.ts'
import classes from './views.module.css'

/** Lines of devices, or an average between the lowest and the highest: a chart for each unit. */
export function ChartView(props: ViewProps) {
  const { widget, data, title } = props
  const { series = [] } = data
  if (series.length === 0) return <Nothing data={data} title={title} />
  const units = [...Map.groupBy(series, ({ unit }) => unit).values()]
  // Without a title of its own, what is measured is the title.
  const titleFor = (same: readonly WidgetSeries[]) => {
    if (!widget.title) return namesOf(same)
    return units.length === 1 ? title : `${title}: ${namesOf(same)}`
  }
  if (units.length === 1) return <UnitChart {...props} title={titleFor(series)} series={series} />
  return (
    <div className={classes.stack}>
      {units.map((same) => (
        <div key={same[0]?.unit}>
          <UnitChart {...props} title={titleFor(same)} series={same} />
        </div>
      ))}
    </div>
  )
}

function namesOf(series: readonly WidgetSeries[]): string {
  return [...new Set(series.map(({ label }) => label))].join(', ')
}

function UnitChart(props: ViewProps & { series: readonly WidgetSeries[] }) {
  const { widget, data, title, onZoom, series } = props
  const [first] = series
  const before = (data.previous ?? []).filter(({ unit }) => unit === first?.unit)
  const shown = [...series, ...before.map((one) => movedOn(one, data))]
  const isAverage = series.every(({ device_id }) => device_id === null)
  const isSingle = shown.length === 1
  const hasLabels = new Set(series.map(({ label }) => label)).size > 1
  const nameOf = ({ device_name, devices, label }: WidgetSeries) => {
    if (device_name) return hasLabels ? `${device_name}, ${label}` : device_name
    return isSingle
      ? t('Average of {devices}', { devices })
      : t('{label}, {devices} devices', { label, devices })
  }
  const chart = toChartData(shown, data, {
    parts: (isAverage && before.length === 0) || isSingle ? withBand : lineOnly,
    nameOf: (one) =>
      series.includes(one) ? nameOf(one) : t('{one}, period before', { one: nameOf(one) }),
  })
  const { low, high, decimals = first?.decimals } = widget.options ?? {}
  const limits = [
    ...(low === undefined ? [] : [{ value: low, label: t('Low') }]),
    ...(high === undefined ? [] : [{ value: high, label: t('High') }]),
  ]
  return (
    <TimeChart
      title={title}
      {...chart}
      unit={first?.unit ?? null}
      decimals={decimals ?? null}
      width={lengthOfStep[data.step ?? ''] ?? 0}
      range={rangeOfData(data)}
      {...(onZoom && { onZoom })}
      limits={limits}
      notes={notesOf(data)}
      height="fill"
    />
  )
}

/** Values of the period before, at the times of this one. */
function movedOn(series: WidgetSeries, data: WidgetData): WidgetSeries {
  const { from, to } = rangeOfData(data)
  const points = series.points.map(([time, ...values]) => [
    new Date(Date.parse(String(time)) + to - from).toISOString(),
    ...values,
  ])
  return { ...series, points }
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
  const moved = before && movedOn(before, data)
  const shown = [...(own ? [own] : []), ...(moved ? [moved] : [])]
  const [values = 'avg'] = data.aggregate ?? []
  const chart = toChartData(shown, data, {
    parts: { values },
    nameOf: (one) => (one === moved ? t('Period before') : t('This period')),
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
