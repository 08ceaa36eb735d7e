import { Condition } from '../../../condition/condition.tsx'
import { t } from '../../../languages/text.ts'
import { formatMeasured, formatValue, useFormats } from '../../../ui/formats.ts'
import { formatCount } from '../../../ui/numbers.ts'
import { type Aggregate, markOf, partOf, type WidgetSeries } from '../dashboard.ts'
import { Nothing } from '../nothing.tsx'
import { DeviceLink } from './device-link.tsx'
import type { ViewProps } from './view.ts'
import classes from './views.module.css'

/** One value of each device. */

interface Entry {
  eui: string
  name: string
  value: number
  text: string
  mark: 'low' | 'high' | undefined
}

function entriesOf({ widget, data }: Pick<ViewProps, 'widget' | 'data'>): Entry[] {
  const { aggregate = 'last', order, most = 100 } = widget.options ?? {}
  const entries = (data.series ?? []).flatMap((series): Entry[] => {
    const value = partOf(series.points[0], aggregate, data)
    if (value === undefined) return []
    const text = textOf(value, series, { aggregate, decimals: widget.options?.decimals })
    const mark = aggregate === 'count' ? undefined : markOf(value, widget.options)
    return [{ eui: series.device_id ?? '', name: series.device_name ?? '', value, text, mark }]
  })
  const sign = order === 'lowest' ? 1 : -1
  const isByName = order === 'name' || (order === undefined && widget.type === 'tiles')
  return (isByName ? entries : entries.toSorted((a, b) => sign * (a.value - b.value))).slice(
    0,
    most,
  )
}

function textOf(
  value: number,
  series: WidgetSeries,
  {
    aggregate,
    decimals = series.decimals,
  }: { aggregate: Aggregate; decimals: number | null | undefined },
): string {
  if (aggregate === 'count') return formatValue(value, null, 0)
  return formatMeasured(value, series.unit, decimals)
}

/** A tile for each device. */
export function TilesView({ widget, data }: ViewProps) {
  useFormats()
  const entries = entriesOf({ widget, data })
  if (entries.length === 0) return <Nothing data={data} />
  const devices = new Map(data.devices?.map((device) => [device.device_id, device]))
  return (
    <ul className={classes.tiles}>
      {entries.map(({ eui, name, text, mark }) => {
        const verdict = devices.get(eui)?.verdict
        return (
          <li key={eui} className={classes.tile} data-mark={mark}>
            <DeviceLink eui={eui} name={name} />
            <span className={classes.tileValue}>{text}</span>
            {mark && <Mark mark={mark} />}
            {verdict && verdict.state !== 'ok' && <Condition verdict={verdict} />}
          </li>
        )
      })}
    </ul>
  )
}

function Mark({ mark }: { mark: 'low' | 'high' }) {
  return <span className={classes.mark}>{mark === 'high' ? t('High') : t('Low')}</span>
}

/** Bars side by side, the highest or the lowest first. */
export function RankingView({ widget, data }: ViewProps) {
  useFormats()
  const entries = entriesOf({ widget, data })
  if (entries.length === 0) return <Nothing data={data} />
  const values = entries.map(({ value }) => value)
  const least = Math.min(0, ...values)
  const span = Math.max(0, ...values) - least || 1
  return (
    <ol className={classes.ranking}>
      {entries.map(({ eui, name, value, text, mark }) => (
        <li key={eui} data-mark={mark}>
          <DeviceLink eui={eui} name={name} />
          <span className={classes.rankValue}>
            {mark && <Mark mark={mark} />} {text}
          </span>
          <span className={classes.bar} aria-hidden>
            <span
              style={{
                left: `${(100 * (Math.min(0, value) - least)) / span}%`,
                width: `${Math.max(0.5, (100 * Math.abs(value)) / span)}%`,
              }}
            />
          </span>
        </li>
      ))}
    </ol>
  )
}

const mostGauges = 6

/** A number on a scale, for each of some devices. */
export function GaugeView({ widget, data }: ViewProps) {
  useFormats()
  const all = entriesOf({ widget, data })
  const entries = all.slice(0, mostGauges)
  if (entries.length === 0) return <Nothing data={data} />
  const values = all.map(({ value }) => value)
  const { options = {} } = widget
  const [series] = data.series ?? []
  const isShare = series?.unit === '%'
  const { low, high } = options
  const min = options.min ?? Math.min(0, low ?? 0, ...values)
  const max = options.max ?? (isShare ? 100 : niceAbove(Math.max(...values, high ?? min + 1)))
  return (
    <div className={classes.gauges}>
      {entries.map((entry) => (
        <Gauge key={entry.eui} entry={entry} scale={{ min, max, low, high }} series={series} />
      ))}
      {all.length > entries.length && (
        <p className={classes.facts}>
          {t('and {count} more', { count: formatCount(all.length - entries.length) })}
        </p>
      )}
    </div>
  )
}

/** 1, 2 or 5 times a power of 10, at the value or above it. */
function niceAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.abs(value) || 1))
  const step = [1, 2, 5, 10].find((each) => each * power >= value) ?? 10
  return step * power
}

interface GaugeProps {
  entry: Entry
  scale: { min: number; max: number; low: number | undefined; high: number | undefined }
  series: WidgetSeries | undefined
}

function Gauge({ entry: { name, value, text, mark }, scale, series }: GaugeProps) {
  const { min, max, low, high } = scale
  const shareOf = (one: number) => Math.min(1, Math.max(0, (one - min) / (max - min || 1)))
  const ends = [min, max].map((end) => formatMeasured(end, series?.unit ?? null))
  return (
    <figure className={classes.gauge} data-mark={mark}>
      <svg viewBox="0 0 100 56" aria-hidden>
        <path className={classes.track} d={arc(0, 1)} />
        {low !== undefined && <path className={classes.beyond} d={arc(0, shareOf(low))} />}
        {high !== undefined && <path className={classes.beyond} d={arc(shareOf(high), 1)} />}
        <path className={classes.filled} d={arc(0, Math.max(0.005, shareOf(value)))} />
      </svg>
      <div className={classes.gaugeValue}>{text}</div>
      <div className={classes.ends} aria-hidden>
        <span>{ends[0]}</span>
        <span>{ends[1]}</span>
      </div>
      <figcaption className={classes.name}>
        {name} {mark && <Mark mark={mark} />}
      </figcaption>
    </figure>
  )
}

/** A part of the half circle from left to right. */
function arc(from: number, to: number): string {
  const [x1, y1] = onCircle(from)
  const [x2, y2] = onCircle(to)
  return `M${x1} ${y1}A42 42 0 0 1 ${x2} ${y2}`
}

function onCircle(share: number): [string, string] {
  const angle = Math.PI * (1 - share)
  return [(50 + 42 * Math.cos(angle)).toFixed(2), (50 - 42 * Math.sin(angle)).toFixed(2)]
}
