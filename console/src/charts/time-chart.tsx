import { ActionIcon, Tooltip, useComputedColorScheme } from '@mantine/core'
import { IconTable, IconZoomIn, IconZoomOut, IconZoomReset } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useId, useMemo, useRef, useState } from 'react'
import { conversionFor, convertDecimals } from '../../../server/src/lora/units.ts'
import { t } from '../languages/text.ts'
import { useFormats } from '../ui/formats.ts'
import { useTimeZone } from '../ui/time-zone.ts'
import classes from './chart.module.css'
import type { ChartHandle } from './chart-canvas.tsx'
import {
  type ChartData,
  type ChartNote,
  type ChartSeries,
  convertSeries,
  summarize,
  type TimeRange,
  withGaps,
  within,
  writeValue,
} from './chart-data.ts'
import { ChartExport } from './chart-export.tsx'
import { ChartLegend, readOut } from './chart-legend.tsx'
import type { Limit } from './chart-options.ts'
import { ChartTable } from './chart-table.tsx'
import { pointTime } from './chart-times.ts'
import { useChartKeys, zoomedRange } from './use-chart-keys.ts'

const ChartCanvas = lazy(() => import('./chart-canvas.tsx'))

export interface TimeChartProps {
  title: string
  /** Of the values, where the series are not devices: files name it. */
  device?: string
  /** Milliseconds, in order. */
  times: readonly number[]
  series: readonly ChartSeries[]
  unit?: string | null
  /** With how many a value is shown. */
  decimals?: number | null
  kind?: 'line' | 'bars'
  isStacked?: boolean
  /** The length of the part that a value stands for, in milliseconds. */
  width?: number
  /** What the axis shows; all times without it. */
  range?: TimeRange
  /** Takes the range that was zoomed to. Without it, the chart zooms by itself. */
  onZoom?: (range: TimeRange | undefined) => void
  limits?: readonly Limit[]
  notes?: readonly ChartNote[]
  height?: 120 | 220 | 'fill'
  /** In place of the words about lowest and highest values. */
  summary?: ReactNode
}

const noLimits: readonly Limit[] = []
const noNotes: readonly ChartNote[] = []

/** A chart over time, with all that it shows as text and as a table too. Values are in base units. */
export function TimeChart(props: TimeChartProps) {
  return <ShownChart {...useShown(props)} />
}

/** The same in the units of the user. */
function useShown(props: TimeChartProps): TimeChartProps {
  const formats = useFormats()
  const { unit, decimals, series, limits } = props
  const conversion = useMemo(() => conversionFor(unit, formats), [unit, formats])
  const shown = useMemo(() => conversion && convertSeries(series, conversion), [series, conversion])
  const shownLimits = useMemo(
    () => conversion && limits?.map((one) => ({ ...one, value: conversion.convert(one.value) })),
    [limits, conversion],
  )
  if (!conversion || !shown) return props
  const digits = typeof decimals === 'number' ? convertDecimals(decimals, conversion) : null
  return {
    ...props,
    ...{ series: shown, unit: conversion.unit, decimals: digits },
    ...(shownLimits && { limits: shownLimits }),
  }
}

function ShownChart(props: TimeChartProps) {
  const { title, unit = null, decimals = null, kind = 'line', width = 0, summary } = props
  const { limits = noLimits, notes = noNotes } = props
  const chart = useChart(props)
  const [isTable, setTable] = useState(false)
  const id = useId()
  const readout = { data: chart.data, unit, decimals, width, isBars: kind === 'bars' }
  const timeZone = useTimeZone()
  return (
    <figure
      className={classes.figure}
      data-fill={props.height === 'fill' || undefined}
      aria-labelledby={`${id}-title`}
    >
      <div className={classes.head}>
        <figcaption id={`${id}-title`} className={classes.title}>
          {title}
        </figcaption>
        <Tools title={title} chart={chart} isTable={isTable} onTable={() => setTable(!isTable)}>
          <ChartExport
            {...{ title, unit, timeZone, device: props.device, data: chart.seen }}
            look={chart.look}
            range={chart.canvas.range}
          />
        </Tools>
      </div>
      <p
        id={`${id}-summary`}
        className={props.height === 'fill' ? 'visually-hidden' : classes.summary}
      >
        {summary ?? summarize(chart.seen, (value) => writeValue(value, unit, decimals))}
        {limits.length > 0 &&
          t(' Limits: {join}.', { join: limits.map(({ label }) => label).join(', ') })}
        {notes.length > 0 &&
          t(' Notes: {join}.', { join: notes.map((note) => noteWords(note, timeZone)).join('; ') })}
      </p>
      {isTable ? (
        <ChartTable title={title} data={chart.seen} unit={unit} decimals={decimals} width={width} />
      ) : (
        <div className={classes.area}>
          <div
            className={classes.plot}
            role="application"
            aria-roledescription={t('chart')}
            aria-label={t('{title}. Arrow keys show values, plus and minus zoom, 0 shows all.', {
              title,
            })}
            aria-describedby={`${id}-summary`}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move its cursor
            tabIndex={0}
            onKeyDown={chart.onKeyDown}
          >
            <Suspense
              fallback={<div className={classes.waiting} data-height={chart.look.height} />}
            >
              <ChartCanvas {...chart.canvas} />
            </Suspense>
          </div>
          <ChartLegend {...readout} index={chart.cursor} />
        </div>
      )}
      <div role="status" className="visually-hidden">
        {readOut({ ...readout, index: chart.spoken }, timeZone)}
      </div>
    </figure>
  )
}

function noteWords({ time, text }: ChartNote, timeZone: string): string {
  return `${pointTime(time, timeZone, 60_000)} ${text}`
}

/** Counts over time, as bars. */
export function BarChart(props: Omit<TimeChartProps, 'kind'>) {
  return <TimeChart {...props} kind="bars" />
}

function useChart(props: TimeChartProps) {
  const { times, series, kind = 'line', width = 0, limits = noLimits } = props
  const [cursor, setCursor] = useState<number>()
  const handle = useRef<ChartHandle>(null)
  const { range, setRange, whole } = useZoom(props)
  const data = useMemo<ChartData>(() => {
    return kind === 'bars' ? { times, series } : withGaps({ times, series }, width)
  }, [times, series, kind, width])
  const timeZone = useTimeZone()
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const look = {
    kind,
    isStacked: kind === 'bars' && props.isStacked === true,
    series: series.map(({ name, low, high }) => ({ name, hasBand: Boolean(low && high) })),
    limits,
    notes: props.notes ?? noNotes,
    unit: props.unit ?? null,
    decimals: props.decimals ?? 1,
    timeZone,
    width,
    height: props.height ?? 220,
  }
  const zoom = (factor: number, around?: TimeRange) => setRange(zoomedRange(whole, factor, around))
  const shift = (part: number) => {
    const step = (whole.to - whole.from) * part
    setRange({ from: whole.from + step, to: whole.to + step })
  }
  const reset = () => setRange(undefined)
  const moveTo = (index: number | undefined) => handle.current?.moveTo(index)
  const keys = useChartKeys({ data, width, cursor, moveTo, zoom, shift, reset })
  const canvas = { data, look, range, scheme, handle, onCursor: setCursor, onSelect: setRange }
  const seen = useMemo(() => (range ? within(data, range) : data), [data, range])
  return { ...keys, canvas, cursor, data, look, reset, seen, zoom }
}

/** The range of the axis: the caller's, or the chart's own. */
function useZoom({ range, onZoom, times }: TimeChartProps) {
  const [own, setOwn] = useState<TimeRange>()
  const shown = onZoom ? range : (own ?? range)
  const whole = shown ?? { from: times[0] ?? 0, to: times.at(-1) ?? 0 }
  return { range: shown, setRange: onZoom ?? setOwn, whole }
}

interface ToolsProps {
  title: string
  chart: Pick<ReturnType<typeof useChart>, 'zoom' | 'reset'>
  isTable: boolean
  onTable: () => void
  children: ReactNode
}

function Tools({ title, chart, isTable, onTable, children }: ToolsProps) {
  const tools = [
    { name: t('Zoom in'), Icon: IconZoomIn, act: () => chart.zoom(0.5) },
    { name: t('Zoom out'), Icon: IconZoomOut, act: () => chart.zoom(2) },
    { name: t('Reset zoom'), Icon: IconZoomReset, act: chart.reset },
  ]
  return (
    <div className={classes.tools}>
      {!isTable &&
        tools.map(({ name, Icon, act }) => (
          <Tooltip key={name} label={name}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`${name}: ${title}`}
              onClick={act}
            >
              <Icon size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        ))}
      <Tooltip label={isTable ? t('Show as chart') : t('Show as table')}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('Show as table: {title}', { title })}
          aria-pressed={isTable}
          onClick={onTable}
        >
          <IconTable size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      {children}
    </div>
  )
}
