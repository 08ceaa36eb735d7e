import { decimalsOf } from '../../../server/src/lora/formats.ts'
import type { Conversion } from '../../../server/src/lora/units.ts'
import { t } from '../languages/text.ts'
import { formatValue } from '../ui/formats.ts'

/** One line or row of bars. Each value belongs to the time at the same place; null is a gap. */
export interface ChartSeries {
  name: string
  /** The device of the values, where the series of a chart are devices. */
  device?: string
  values: readonly (number | null)[]
  /** The lowest and highest value of each part, drawn as a band. */
  low?: readonly (number | null)[]
  high?: readonly (number | null)[]
}

export interface ChartData {
  /** Milliseconds, in order. */
  times: readonly number[]
  series: readonly ChartSeries[]
}

/** What somebody noted at a time. */
export interface ChartNote {
  time: number
  text: string
}

export interface TimeRange {
  from: number
  to: number
}

/** In another unit. */
export function convertSeries(
  series: readonly ChartSeries[],
  { convert }: Conversion,
): ChartSeries[] {
  const all = (values: readonly (number | null)[]) =>
    values.map((value) => (value === null ? null : convert(value)))
  return series.map((one) => ({
    ...one,
    values: all(one.values),
    ...(one.low && { low: all(one.low) }),
    ...(one.high && { high: all(one.high) }),
  }))
}

/** Places of values that follow each other, with nothing in between. */
function steps(times: readonly number[], values: readonly (number | null)[]) {
  const known = [...times.keys()].filter((index) => typeof values[index] === 'number')
  return known.slice(1).map((to, place) => {
    const from = known[place] ?? 0
    return { from, to, length: (times[to] ?? 0) - (times[from] ?? 0) }
  })
}

/** The longest usual time between two values: nothing is known of what is longer. */
function longestOf(lengths: readonly number[], width: number): number {
  const sorted = lengths.toSorted((one, other) => one - other)
  return Math.max(2.5 * width, 3.5 * (sorted[Math.floor(sorted.length / 2)] ?? 0))
}

/**
 * Adds a time without values where two values of a series are much further apart than usual, so that
 * no line is drawn over a time from which nothing is known. `width` is the length of a part, where the
 * values are those of parts of a range.
 */
export function withGaps({ times, series }: ChartData, width = 0): ChartData {
  const breaks = new Set<number>()
  for (const { values } of series) {
    const all = steps(times, values)
    const longest = longestOf(
      all.map(({ length }) => length),
      width,
    )
    for (const { from, to, length } of all) if (length > longest && to - from === 1) breaks.add(to)
  }
  if (breaks.size === 0) return { times, series }
  const insert = <T>(values: readonly T[], gap: (index: number) => T): T[] =>
    values.flatMap((value, index) => (breaks.has(index) ? [gap(index), value] : [value]))
  const cut = (values: readonly (number | null)[]) => insert<number | null>(values, () => null)
  return {
    times: insert(times, (index) => ((times[index - 1] ?? 0) + (times[index] ?? 0)) / 2),
    series: series.map((one) => ({
      ...one,
      values: cut(one.values),
      ...(one.low && { low: cut(one.low) }),
      ...(one.high && { high: cut(one.high) }),
    })),
  }
}

/**
 * The values with `undefined` where the line goes on to the next one: at a time at which only another
 * series has a value.
 */
export function bridged(
  times: readonly number[],
  values: readonly (number | null)[],
  width: number,
): (number | null | undefined)[] {
  const all = steps(times, values)
  const longest = longestOf(
    all.map(({ length }) => length),
    width,
  )
  const drawn: (number | null | undefined)[] = [...values]
  for (const { from, to, length } of all) {
    if (length <= longest) drawn.fill(undefined, from + 1, to)
  }
  return drawn
}

/** Times from which no series has a value; also since the last one, up to now. */
export function silencesOf(
  { times, series }: ChartData,
  width: number,
  range: TimeRange | undefined,
): TimeRange[] {
  const known = times.filter((_, index) =>
    series.some(({ values }) => typeof values[index] === 'number'),
  )
  const last = known.at(-1)
  if (last === undefined) return []
  const lengths = known.slice(1).map((time, index) => time - (known[index] ?? 0))
  const longest = longestOf(lengths, width)
  const end = Math.min(range?.to ?? last, Date.now())
  const ends = [...known.slice(1), ...(lengths.length > 0 ? [end] : [])]
  return ends
    .map((to, index) => ({ from: (known[index] ?? 0) + width, to }))
    .filter(({ from, to }) => to - from + width > longest)
}

/** The next place with a value, `steps` places away from `from`; undefined if there is none. */
export function placeNear(
  { times, series }: ChartData,
  from: number | undefined,
  steps: number,
): number | undefined {
  const known = [...times.keys()].filter((index) =>
    series.some(({ values }) => values[index] !== null && values[index] !== undefined),
  )
  if (known.length === 0) return undefined
  const at = from === undefined ? -1 : known.findIndex((index) => index >= from)
  const start = at === -1 ? (steps < 0 ? known.length : -1) : at
  return known[Math.min(known.length - 1, Math.max(0, start + steps))]
}

/** The values whose times lie in the range. */
export function within({ times, series }: ChartData, range: TimeRange): ChartData {
  const keep = times.map((time) => time >= range.from && time <= range.to)
  const cut = <T>(values: readonly T[]) => values.filter((_, index) => keep[index])
  return {
    times: cut(times),
    series: series.map((one) => ({
      ...one,
      values: cut(one.values),
      ...(one.low && { low: cut(one.low) }),
      ...(one.high && { high: cut(one.high) }),
    })),
  }
}

/** "Battery: 2.8 to 3.1, last 2.9": what the picture shows, in words. */
export function summarize({ series }: ChartData, write: (value: number) => string): string {
  const parts = series.map(({ name, values, low = values, high = values }) => {
    const known = values.filter((value) => value !== null)
    const last = known.at(-1)
    if (last === undefined) return t('{name}: no values', { name })
    const lowest = low.reduce<number>((least, value) => Math.min(least, value ?? least), Infinity)
    const highest = high.reduce<number>((most, value) => Math.max(most, value ?? most), -Infinity)
    return lowest === highest
      ? t('{name}: always {last}', { name, last: write(last) })
      : t('{name}: {lowest} to {highest}, last {last}', {
          name,
          lowest: write(lowest),
          highest: write(highest),
          last: write(last),
        })
  })
  return `${parts.join('. ')}.`
}

/** A value in its unit. With `decimals`, it has so many. */
export function writeValue(value: number, unit?: string | null, decimals?: number | null): string {
  return formatValue(value, unit, decimals ?? digitsOf(value))
}

/** Averages have more digits than anybody reads. */
function digitsOf(value: number): number {
  const isSmall = value !== 0 && Math.abs(value) < 0.01
  return isSmall ? decimalsOf(Number(value.toPrecision(3))) : Math.min(2, decimalsOf(value))
}
