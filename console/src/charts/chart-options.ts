import uPlot from 'uplot'
import { formatNumber } from '../ui/formats.ts'
import { fonts, colours as tokens } from '../ui/tokens.ts'
import { bridged, type ChartData, type ChartNote, type TimeRange } from './chart-data.ts'
import { drawLimits, drawNotes, drawSilences, drawUnit } from './chart-marks.ts'
import { tickLabels } from './chart-times.ts'
import { colourName, dashes, mostSeries } from './series-styles.ts'

/** A level that matters, such as that of an empty battery. */
export interface Limit {
  value: number
  label: string
}

/** The look of a chart, apart from its values. */
export interface ChartLook {
  kind: 'line' | 'bars'
  /** Bars of the series stand on each other. */
  isStacked: boolean
  /** Names of the series, and whether they have a band. */
  series: readonly { name: string; hasBand: boolean }[]
  limits: readonly Limit[]
  notes: readonly ChartNote[]
  unit: string | null
  /** Of the values. */
  decimals: number
  timeZone: string
  /** The length of the part that a value stands for, in milliseconds. */
  width: number
  /** `fill`: of what the chart stands in. */
  height: number | 'fill'
}

export interface Colours {
  series: readonly string[]
  text: string
  grid: string
  limit: string
  back: string
}

export function coloursOf(scheme: 'light' | 'dark', back: string): Colours {
  const own = tokens[scheme]
  return {
    series: Array.from({ length: mostSeries }, (_, place) => own[colourName(place)]),
    text: own['chart-text'],
    grid: own['chart-grid'],
    limit: own['chart-limit'],
    back,
  }
}

interface Listening {
  range: () => TimeRange | undefined
  /** Times from which nothing is known. */
  silences: () => readonly TimeRange[]
  onCursor: (index: number | undefined) => void
  onSelect: (range: TimeRange) => void
}

const font = `12px ${fonts.sans}`

/** The columns that uPlot draws: times, then each series followed by its band. */
export function toColumns({ times, series }: ChartData, look: ChartLook): uPlot.AlignedData {
  const columns: (number | null | undefined)[][] = look.isStacked
    ? stack(series.map(({ values }) => values))
    : series.flatMap(({ values, low, high }, index) =>
        look.series[index]?.hasBand
          ? [[...values], [...(high ?? [])], [...(low ?? [])]]
          : [bridged(times, values, look.width)],
      )
  return [[...times], ...columns]
}

/** Sums from below; the highest one is drawn first, so that each lower one stands before it. */
function stack(values: readonly (readonly (number | null)[])[]): (number | null)[][] {
  const sums: (number | null)[][] = []
  for (const one of values) {
    const below = sums[0]
    sums.unshift(one.map((value, index) => (value ?? 0) + (below?.[index] ?? 0)))
  }
  return sums
}

export function makeOptions(
  look: ChartLook,
  colours: Colours,
  listening: Listening,
  size: { width: number; height: number },
): uPlot.Options {
  const { series, bands } = makeSeries(look, colours)
  return {
    ...size,
    ms: 1,
    tzDate: (time) => uPlot.tzDate(new Date(time), look.timeZone),
    legend: { show: false },
    padding: [look.unit ? 20 : 8, 24, 0, 0],
    series: [{}, ...series],
    bands,
    scales: {
      x: { time: true, range: (_, min, max) => xRange(listening.range(), min, max) },
      y: { range: (_, min, max) => yRange(look, min, max) },
    },
    axes: makeAxes(look, colours),
    cursor: {
      y: false,
      drag: { x: true, y: false, setScale: false },
      points: { size: (plot, index) => (plot.series[index]?.class === 'band' ? 0 : 7) },
    },
    hooks: makeHooks(look, colours, listening),
  }
}

function xRange(range: TimeRange | undefined, min: number | null, max: number | null) {
  if (range) return [range.from, range.to] as uPlot.Range.MinMax
  if (min === null || max === null) return [0, 1] as uPlot.Range.MinMax
  const margin = min === max ? 3_600_000 : 0
  return [min - margin, max + margin] as uPlot.Range.MinMax
}

function yRange(look: ChartLook, min: number | null, max: number | null): uPlot.Range.MinMax {
  if (min === null || max === null) return [0, 1]
  if (look.kind === 'bars') return [Math.min(0, min * 1.08), max > 0 ? max * 1.08 : min < 0 ? 0 : 1]
  const limits = look.limits.map(({ value }) => value)
  const [low, high] = [Math.min(min, ...limits), Math.max(max, ...limits)]
  const missing = Math.max(0, leastSpan(look, high) - (high - low)) / 2
  return uPlot.rangeNum(low - missing, high + missing, 0.1, true)
}

/** Values that hardly differ make a flat line, with ticks that the sensor can measure. */
function leastSpan({ decimals }: ChartLook, value: number): number {
  return Math.max(Math.abs(value) * 0.05, 4 * 10 ** -decimals)
}

function makeAxes(look: ChartLook, colours: Colours): uPlot.Axis[] {
  const lines = { stroke: colours.text, font, grid: { stroke: colours.grid, width: 1 } }
  const ticks = { stroke: colours.grid, width: 1, size: 4 }
  return [
    {
      ...lines,
      ticks,
      size: (_, values) => (values?.some((value) => value?.includes('\n')) ? 42 : 28),
      space: 64,
      values: (_, splits, __, ___, step) => tickLabels(splits, step, look.timeZone),
    },
    {
      ...lines,
      ticks,
      size: (_, values) => 16 + 7 * Math.max(3, ...(values ?? []).map(({ length }) => length)),
      space: 32,
      ...(look.kind === 'bars' && { incrs: wholeSteps }),
      values: (_, splits, __, ___, step) => splits.map((value) => tickText(value, step)),
    },
  ]
}

/** As many digits as the ticks need to differ. */
function tickText(value: number, step: number): string {
  const digits = Math.min(6, (String(Number(step.toPrecision(3))).split('.')[1] ?? '').length)
  return formatNumber(value, digits)
}

/** Counts have no fractions. */
const wholeSteps = [1, 2, 5].flatMap((first) =>
  Array.from({ length: 9 }, (_, power) => first * 10 ** power),
)
wholeSteps.sort((one, other) => one - other)

function makeSeries(look: ChartLook, colours: Colours) {
  const series: uPlot.Series[] = []
  const bands: uPlot.Band[] = []
  for (const [index, { hasBand }] of look.series.entries()) {
    const colour = colours.series[index % colours.series.length] ?? ''
    if (look.kind === 'bars') {
      const bar = makeBars(colour, !look.isStacked && index > 0)
      if (look.isStacked) series.unshift(bar)
      else series.push(bar)
      continue
    }
    series.push({
      stroke: colour,
      width: look.series.length > 4 ? 1.5 : 1.75,
      dash: dashes[index % dashes.length] ?? [],
      points: { size: 5, fill: colour, stroke: colour },
    })
    if (!hasBand) continue
    const edge = { class: 'band', width: 0, stroke: 'transparent', points: { show: false } }
    bands.push({
      series: [series.length + 1, series.length + 2],
      fill: `${colour}2e`,
    })
    series.push(edge, edge)
  }
  return { series, bands }
}

/** What is compared is an outline over the bars. */
function makeBars(colour: string, isOutline: boolean): uPlot.Series {
  const paths = uPlot.paths.bars?.({ align: 1, size: [0.85, 60, 1] })
  return {
    stroke: colour,
    ...(isOutline ? { width: 2 } : { fill: colour, width: 0 }),
    points: { show: false },
    ...(paths && { paths }),
  }
}

function makeHooks(
  look: ChartLook,
  colours: Colours,
  { silences, onCursor, onSelect }: Listening,
): uPlot.Hooks.Arrays {
  return {
    setCursor: [({ cursor }) => onCursor(cursor.idx ?? undefined)],
    setSelect: [
      (plot) => {
        const { left, width } = plot.select
        if (width < 6) return
        const [from, to] = [plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')]
        plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
        onSelect({ from, to })
      },
    ],
    drawAxes: [(plot) => look.kind === 'line' && drawSilences(plot, silences(), colours)],
    draw: [
      (plot) => drawNotes(plot, look.notes, colours),
      (plot) => drawLimits(plot, look.limits, colours),
      (plot) => drawUnit(plot, look.unit, colours),
    ],
  }
}
