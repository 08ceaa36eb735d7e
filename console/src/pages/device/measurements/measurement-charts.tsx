import { Button, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useApi } from '../../../api/hooks.ts'
import type { ChartData, ChartNote, TimeRange } from '../../../charts/chart-data.ts'
import type { Limit } from '../../../charts/chart-options.ts'
import { EmptyRange } from '../../../charts/empty-range.tsx'
import type { ReadRange } from '../../../charts/range.ts'
import { TimeChart } from '../../../charts/time-chart.tsx'
import { t } from '../../../languages/text.ts'
import { useChartNotes } from '../../../notes/use-chart-notes.ts'
import { Card } from '../../../ui/card.tsx'
import { formatMeasured, useFormats } from '../../../ui/formats.ts'
import { ErrorNotice } from '../../../ui/notices.tsx'
import classes from '../device.module.css'
import type { DeviceRecord } from '../use-device.ts'
import { linesOf, type Measurement, type useComparison } from './comparison.ts'

/** More are shown on request: each chart is drawn by itself. */
const shownAtFirst = 8

interface MeasurementChartsProps {
  device: DeviceRecord
  /** Those that are chosen. */
  measurements: readonly Measurement[]
  others: readonly string[]
  comparison: ReturnType<typeof useComparison>
  range: ReadRange
  onZoom: (range: TimeRange | undefined) => void
  isOld: boolean
}

/** A chart for each measurement, with the other devices in it. */
export function MeasurementCharts(props: MeasurementChartsProps) {
  const { device, measurements, others, comparison, range, onZoom, isOld } = props
  const [isWhole, setWhole] = useState(false)
  const limits = useLimits(device)
  const notes = useChartNotes(device.device_id, range)
  if (measurements.length === 0) {
    return (
      <EmptyRange title={t('No numbers in this range')} range={range} onZoom={onZoom}>
        {t(
          'The device sent no measurements in this time range. Choose a longer one, or look at its uplinks: events such as “door opened” have no number.',
        )}
      </EmptyRange>
    )
  }
  const shown = isWhole ? measurements : measurements.slice(0, shownAtFirst)
  const { series, names, error, refetch, width } = comparison
  return (
    <>
      {error && <ErrorNotice error={error} retry={() => void refetch()} />}
      <div className={classes.charts} aria-busy={isOld || comparison.isPlaceholderData}>
        {shown.map((measurement) => (
          <Card key={measurement.key}>
            <MeasurementChart
              measurement={measurement}
              device={device}
              series={series}
              others={others}
              names={names}
              limits={limits.filter(({ key }) => key === measurement.key)}
              width={series ? width : range.width}
              range={range}
              notes={notes}
              onZoom={onZoom}
            />
          </Card>
        ))}
      </div>
      {shown.length < measurements.length && (
        <Button variant="default" onClick={() => setWhole(true)}>
          {t('Show {count} more', { count: measurements.length - shown.length })}
        </Button>
      )}
      <Text size="xs" c="dimmed">
        {t(
          'Lines are averages{series}. Hatched: nothing was received. Drag over a chart to zoom all of them.',
          { series: !series && ', bands lowest and highest values' },
        )}
      </Text>
    </>
  )
}

interface MeasurementChartProps extends Pick<MeasurementChartsProps, 'device' | 'others'> {
  measurement: Measurement
  series: ReturnType<typeof useComparison>['series']
  names: ReadonlyMap<string, string>
  limits: readonly DeviceLimit[]
  width: number
  range: ReadRange
  notes: readonly ChartNote[]
  onZoom: (range: TimeRange | undefined) => void
}

function MeasurementChart(props: MeasurementChartProps) {
  const { measurement, device, series, others, names, limits, ...rest } = props
  const { label, unit, decimals } = measurement
  // Labels of limits have the unit of the user.
  useFormats()
  const chart = useMemo(() => {
    if (!series) return ownLine(measurement)
    const devices = [
      { eui: device.device_id, name: device.device_name },
      ...others.map((eui) => ({ eui, name: names.get(eui) ?? eui })),
    ]
    return linesOf(measurement, series, devices)
  }, [measurement, series, device.device_id, device.device_name, others, names])
  return (
    <TimeChart
      title={label}
      device={device.device_name}
      unit={unit}
      decimals={decimals}
      limits={nearLimits(limits, chart, unit)}
      {...rest}
      {...chart}
    />
  )
}

function ownLine({ label, points }: Measurement): ChartData {
  const isAlone = points.every(({ min, max }) => min === max)
  return {
    times: points.map(({ time }) => Date.parse(time)),
    series: [
      {
        name: label,
        values: points.map(({ average }) => average),
        ...(!isAlone && {
          low: points.map(({ min }) => min),
          high: points.map(({ max }) => max),
        }),
      },
    ],
  }
}

interface DeviceLimit {
  key: string
  rule_name: string
  above: number | null
  below: number | null
}

const noLimits: readonly DeviceLimit[] = []

/** The levels of the alert rules that are about the device. */
function useLimits({ id }: DeviceRecord): readonly DeviceLimit[] {
  const path = { device_id: String(id) }
  const { data } = useApi('GET /devices/{device_id}/alerts', { path }, { staleTime: 60_000 })
  return data?.data.limits ?? noLimits
}

/** A level far from all values would make their line flat. */
function nearLimits(limits: readonly DeviceLimit[], { series }: ChartData, unit: string | null) {
  const values = series.flatMap((one) => [one.values, one.low ?? [], one.high ?? []].flat())
  const known = values.filter((value) => value !== null)
  const [least, most] = [Math.min(...known), Math.max(...known)]
  const room = Math.max(2 * (most - least), 0.25 * Math.abs(most), 1)
  return limits
    .flatMap(({ above, below, rule_name: name }): (Limit | [])[] => [
      above === null
        ? []
        : {
            value: above,
            label: t('{name}: above {above}', { name, above: formatMeasured(above, unit) }),
          },
      below === null
        ? []
        : {
            value: below,
            label: t('{name}: below {below}', { name, below: formatMeasured(below, unit) }),
          },
    ])
    .flat()
    .filter(({ value }) => value >= least - room && value <= most + room)
}
