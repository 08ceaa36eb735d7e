import type { ChartData } from '../../charts/chart-data.ts'
import type { Aggregate, WidgetData, WidgetSeries } from './dashboard.ts'

/** Points of the service as lines of a chart. */

interface Parts {
  values: Aggregate
  low?: Aggregate
  high?: Aggregate
}

export function toChartData(
  series: readonly WidgetSeries[],
  { aggregate = [] }: WidgetData,
  { parts, nameOf }: { parts: Parts; nameOf: (series: WidgetSeries) => string },
): ChartData {
  const byTime = series.map(
    ({ points }) => new Map(points.map((point) => [Date.parse(String(point[0])), point])),
  )
  const times = [...new Set(byTime.flatMap((points) => [...points.keys()]))].sort((a, b) => a - b)
  const columnOf = (points: Map<number, WidgetSeries['points'][number]>, name: Aggregate) => {
    const place = aggregate.indexOf(name) + 1
    return times.map((time) => {
      const value = points.get(time)?.[place]
      return typeof value === 'number' ? value : null
    })
  }
  return {
    times,
    series: series.map((one, at) => {
      const points = byTime[at] ?? new Map()
      const { values, low, high } = parts
      return {
        name: nameOf(one),
        ...(one.device_name ? { device: one.device_name } : {}),
        values: columnOf(points, values),
        ...(low && { low: columnOf(points, low) }),
        ...(high && { high: columnOf(points, high) }),
      }
    }),
  }
}
