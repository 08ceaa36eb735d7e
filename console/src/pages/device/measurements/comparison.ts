import { useMemo } from 'react'
import type { Answer } from '../../../api/client.ts'
import { useApi } from '../../../api/hooks.ts'
import type { ChartData, TimeRange } from '../../../charts/chart-data.ts'
import { mostSeries } from '../../../charts/series-styles.ts'
import { useFormats } from '../../../ui/formats.ts'
import { useTimeZone } from '../../../ui/time-zone.ts'
import type { DeviceRecord } from '../use-device.ts'

export type Measurement = Answer<'GET /devices/{device_id}/measurements'>['data'][number]
type Selected = { measurement: string } | { quantity: string }
type Series = Answer<'POST /measurements/query'>['data'][number]

/** What it is that devices are compared by. */
export interface Compared {
  name: string
  quantity: string | null
}

/** Besides the device itself. */
export const mostOthers = mostSeries - 1
/** Selectors of one request. */
const mostSelectors = 20

const minute = 60_000
/** Minutes of each step of the API. */
const steps = [
  ['1m', 1],
  ['5m', 5],
  ['15m', 15],
  ['1h', 60],
  ['3h', 180],
  ['6h', 360],
  ['1d', 1440],
  ['1w', 10_080],
] as const
/** Points of a line: more would be narrower than a pixel. */
const mostPoints = 300

function stepOf({ from, to }: TimeRange) {
  const fits = steps.find(([, length]) => (to - from) / (length * minute) <= mostPoints)
  const [step, length] = fits ?? (['1w', 10_080] as const)
  return { step, width: length * minute }
}

/** DevEUIs of an address. */
export function othersOf(text: string | undefined, device: DeviceRecord): string[] {
  const euis = (text ?? '').split(',').filter((eui) => eui !== '' && eui !== device.device_id)
  return [...new Set(euis)].slice(0, mostOthers)
}

/** What several devices measured, in one request. */
export function useComparison(
  device: DeviceRecord,
  {
    measurements,
    states,
    others,
  }: {
    measurements: readonly Measurement[]
    states: readonly Compared[]
    others: readonly string[]
  },
  range: TimeRange,
) {
  const timeZone = useTimeZone()
  const { week_start } = useFormats()
  const { step, width } = stepOf(range)
  const devices = [device.device_id, ...others]
  const asked = new Map(
    // States are drawn by themselves; here they tell the names of devices that measure nothing else.
    [...measurements, ...states].map(({ name, quantity }): [string, Selected] =>
      quantity === null ? [name, { measurement: name }] : [quantity, { quantity }],
    ),
  )
  const { data, ...rest } = useApi(
    'POST /measurements/query',
    {
      body: {
        from: new Date(range.from).toISOString(),
        to: new Date(range.to).toISOString(),
        step,
        aggregate: ['avg'],
        time_zone: timeZone,
        week_start,
        series: [...asked.values()].slice(0, mostSelectors).map((each) => ({ devices, ...each })),
      },
    },
    { enabled: others.length > 0 && asked.size > 0, keepsPrevious: true, staleTime: 30_000 },
  )
  const series = others.length > 0 ? data?.data : undefined
  const names = useMemo(
    () => new Map((data?.data ?? []).map((one) => [one.device_id, one.device_name])),
    [data],
  )
  return { ...rest, series, names, width }
}

/** The lines of a measurement, one for each device, in the order of the devices. */
export function linesOf(
  measurement: Measurement,
  series: readonly Series[],
  devices: readonly { eui: string; name: string }[],
): ChartData {
  const found = devices.map(({ eui }) => {
    const own = series.filter(({ device_id }) => device_id === eui)
    return (
      own.find((one) => one.measurement === measurement.name) ??
      own.find(({ quantity }) => quantity !== null && quantity === measurement.quantity)
    )
  })
  const points = found.map(
    (one) => new Map(one?.points.map(([time, value]) => [Date.parse(String(time)), Number(value)])),
  )
  const times = [...new Set(points.flatMap((each) => [...each.keys()]))].sort((a, b) => a - b)
  return {
    times,
    series: devices.map(({ name }, place) => ({
      name,
      device: name,
      values: times.map((time) => points[place]?.get(time) ?? null),
    })),
  }
}
