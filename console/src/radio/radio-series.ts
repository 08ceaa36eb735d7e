import type { Answer } from '../api/client.ts'
import type { ChartData } from '../charts/chart-data.ts'
import type { ReadRange } from '../charts/range.ts'
import { t } from '../languages/text.ts'

export type Radio = Answer<'GET /devices/{device_id}/radio'>['data']
export type FleetRadio = Answer<'GET /fleet/coverage'>['data']

interface Signal {
  min: number
  max: number
  average: number
}

interface RateCount {
  data_rate: string | null
  uplinks: number
}

interface RadioPoint {
  time: string
  received: number
  lost: number
  rssi: Signal | null
  snr: Signal | null
  data_rates: readonly RateCount[]
}

/** What the radio of a device, of a gateway and of a network have in common. */
interface AnyRadio {
  points: readonly RadioPoint[]
  data_rates: readonly RateCount[]
}

export function signalOf({ points }: AnyRadio, name: 'rssi' | 'snr'): ChartData {
  const known = points.filter((point) => point[name] !== null)
  const values = known.map((point) => point[name])
  return {
    times: known.map(({ time }) => Date.parse(time)),
    series: [
      {
        name: name.toUpperCase(),
        values: values.map((value) => value?.average ?? null),
        low: values.map((value) => value?.min ?? null),
        high: values.map((value) => value?.max ?? null),
      },
    ],
  }
}

/** Received and lost frames of each part; parts without a frame are 0. */
export function framesOf({ points }: AnyRadio, range: ReadRange): ChartData {
  const { times, places } = partsOf(points, range)
  const valuesOf = (name: 'received' | 'lost') => {
    const values = times.map(() => 0)
    for (const [index, point] of points.entries()) values[places[index] ?? 0] = point[name]
    return values
  }
  return {
    times,
    series: [
      { name: t('Received'), values: valuesOf('received') },
      { name: t('Lost'), values: valuesOf('lost') },
    ],
  }
}

/** The most frequent data rates, and all others together. */
export function ratesOf({ points, data_rates }: AnyRadio, range: ReadRange): ChartData {
  const { times, places } = partsOf(points, range)
  const names = data_rates.slice(0, data_rates.length > 4 ? 3 : 4).map(({ data_rate }) => data_rate)
  const series = names.map((name) => ({ name: rateName(name), values: times.map(() => 0) }))
  const others = { name: t('Others'), values: times.map(() => 0) }
  for (const [index, { data_rates: rates }] of points.entries()) {
    const place = places[index] ?? 0
    for (const { data_rate, uplinks } of rates) {
      const { values } = series[names.indexOf(data_rate)] ?? others
      values[place] = (values[place] ?? 0) + uplinks
    }
  }
  return { times, series: others.values.some((value) => value > 0) ? [...series, others] : series }
}

/** Seconds on the air in each part. */
export function airtimeOf({ points }: FleetRadio, range: ReadRange): ChartData {
  const { times, places } = partsOf(points, range)
  const values = times.map(() => 0)
  for (const [index, { airtime_ms }] of points.entries()) {
    values[places[index] ?? 0] = airtime_ms / 1000
  }
  return { times, series: [{ name: t('Airtime'), values }] }
}

/** "SF7 (125 kHz)" of `SF7BW125`. */
export function rateName(rate: string | null): string {
  if (rate === null) return t('Not reported')
  const [, factor, width] = /^SF(\d+)BW(\d+)$/.exec(rate) ?? []
  return factor ? `SF${factor} (${width} kHz)` : rate
}

/** All parts of the range, and the part of each point. */
function partsOf(points: readonly { time: string }[], range: ReadRange) {
  const count = Math.max(1, Math.round((range.to - range.from) / range.width))
  const times = Array.from({ length: count }, (_, index) => range.from + index * range.width)
  const places = points.map(({ time }) => {
    const place = Math.round((Date.parse(time) - range.from) / range.width)
    return Math.min(count - 1, Math.max(0, place))
  })
  return { times, places }
}
