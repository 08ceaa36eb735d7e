import { IconArrowDownRight, IconArrowRight, IconArrowUpRight } from '@tabler/icons-react'
import { t } from '../../../languages/text.ts'
import { formatMeasured, formatValue, shownIn, useFormats } from '../../../ui/formats.ts'
import { State } from '../../../ui/state.tsx'
import { Time } from '../../../ui/time.tsx'
import {
  type Aggregate,
  aggregateNames,
  markOf,
  partOf,
  rangeOfData,
  type WidgetData,
  type WidgetSeries,
} from '../dashboard.ts'
import { Nothing } from '../nothing.tsx'
import type { ViewProps } from './view.ts'
import classes from './views.module.css'

/** One number, how it has changed, and its line. */
export function ValueView({ widget, data }: ViewProps) {
  useFormats()
  const [series] = data.series ?? []
  const usual = (series?.devices ?? 1) > 1 ? 'avg' : 'last'
  const { aggregate = usual, decimals = series?.decimals } = widget.options ?? {}
  const value = series && numberOf(series, aggregate, data)
  if (!series || value === undefined) return <Nothing data={data} />
  const mark = markOf(value, widget.options)
  const isCount = aggregate === 'count'
  const who = series.device_name ?? t('{devices} devices', { devices: series.devices })
  return (
    <div className={classes.value}>
      <p className={classes.number} data-mark={mark}>
        {isCount ? formatValue(value, null, 0) : formatMeasured(value, series.unit, decimals)}
      </p>
      {mark && (
        <State kind="bad">{mark === 'high' ? t('Above the limit') : t('Below the limit')}</State>
      )}
      <p className={classes.facts}>
        {aggregate === 'last' ? (
          <Time value={String(series.points.at(-1)?.[0])} />
        ) : (
          aggregateNames[aggregate]
        )}
        {' · '}
        {who}
        <Trend series={series} data={data} decimals={decimals ?? null} />
      </p>
      <Line series={series} data={data} />
    </div>
  )
}

function numberOf(
  series: WidgetSeries,
  aggregate: Aggregate,
  data: WidgetData,
): number | undefined {
  const all = (name: Aggregate) => series.points.map((point) => partOf(point, name, data) ?? 0)
  if (series.points.length === 0) return undefined
  if (aggregate === 'last') return partOf(series.points.at(-1), 'last', data)
  if (aggregate === 'min') return Math.min(...all('min'))
  if (aggregate === 'max') return Math.max(...all('max'))
  const counts = all('count')
  const count = counts.reduce((sum, one) => sum + one, 0)
  if (aggregate === 'count') return count
  return all('avg').reduce((sum, one, at) => sum + one * (counts[at] ?? 0), 0) / count
}

interface LineProps {
  series: WidgetSeries
  data: WidgetData
}

/** How much the last value differs from the first one. */
function Trend({ series, data, decimals }: LineProps & { decimals: number | null }) {
  const first = partOf(series.points[0], 'avg', data)
  const last = partOf(series.points.at(-1), 'last', data)
  if (first === undefined || last === undefined || series.points.length < 2) return null
  const shown = shownIn(series.unit)
  const change = (last - first) * (shown?.factor ?? 1)
  const text = formatValue(Math.abs(change), shown?.unit ?? series.unit, decimals)
  const isFlat = text === formatValue(0, shown?.unit ?? series.unit, decimals)
  const Icon = isFlat ? IconArrowRight : change > 0 ? IconArrowUpRight : IconArrowDownRight
  return (
    <span className={classes.trend}>
      <Icon size={14} aria-hidden />
      {isFlat
        ? t('Unchanged')
        : t('{text} {isChange, select, true {more} other {less}} than {data} ago', {
            text,
            isChange: change > 0,
            data: ageWords(data),
          })}
    </span>
  )
}

function ageWords(data: WidgetData): string {
  const { from, to } = rangeOfData(data)
  const hours = Math.round((to - from) / 3_600_000)
  return hours <= 48 ? `${hours} h` : t('{hours} days', { hours: Math.round(hours / 24) })
}

/** A line without axes: what it shows is said above it. */
function Line({ series, data }: LineProps) {
  const points = series.points.flatMap((point) => {
    const value = partOf(point, 'avg', data)
    return value === undefined ? [] : [[Date.parse(String(point[0])), value] as const]
  })
  if (points.length < 2) return null
  const { from, to } = rangeOfData(data)
  const values = points.map(([, value]) => value)
  const [lowest, highest] = [Math.min(...values), Math.max(...values)]
  const span = highest - lowest || 1
  const path = points
    .map(([time, value], at) => {
      const x = (100 * (time - from)) / (to - from)
      const y = 28 - (26 * (value - lowest)) / span
      return `${at === 0 ? 'M' : 'L'}${x.toFixed(2)} ${y.toFixed(2)}`
    })
    .join('')
  return (
    <svg className={classes.line} viewBox="0 0 100 30" preserveAspectRatio="none" aria-hidden>
      <path d={path} vectorEffect="non-scaling-stroke" />
    </svg>
  )
}
