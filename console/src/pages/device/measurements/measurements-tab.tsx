import { Button, MultiSelect, Stack, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { Answer } from '../../../api/client.ts'
import { useApi } from '../../../api/hooks.ts'
import type { TimeRange } from '../../../charts/chart-data.ts'
import { EmptyRange } from '../../../charts/empty-range.tsx'
import { type ReadRange, searchOfRange, useRange } from '../../../charts/range.ts'
import { RangePicker } from '../../../charts/range-picker.tsx'
import { TimeChart } from '../../../charts/time-chart.tsx'
import { Card } from '../../../ui/card.tsx'
import { ErrorNotice } from '../../../ui/notices.tsx'
import { LoadingLines } from '../../../ui/page.tsx'
import classes from '../device.module.css'
import { useDeviceSearch } from '../device-search.ts'
import type { DeviceRecord } from '../use-device.ts'
import { StateBands } from './state-bands.tsx'

type Measurement = Answer<'GET /devices/{device_id}/measurements'>['data'][number]

const parts = 300
/** More are shown on request: each chart is drawn by itself. */
const shownAtFirst = 8

/** Charts of everything that the device measures. */
export default function MeasurementsTab({ device }: { device: DeviceRecord }) {
  const { search, change } = useDeviceSearch()
  const beginning = Date.parse(device.created_at) - 86_400_000
  const range = useRange(search, { usual: 'week', beginning, parts })
  const { data, error, isPlaceholderData, refetch } = useApi(
    'GET /devices/{device_id}/measurements',
    {
      path: { device_id: device.device_id },
      query: {
        from: new Date(range.from).toISOString(),
        to: new Date(range.to).toISOString(),
        points: parts,
      },
    },
    { keepsPrevious: true, staleTime: 30_000 },
  )
  const zoom = (to: TimeRange | undefined) => change(searchOfRange(to), { replace: true })
  const measurements = data?.data
  return (
    <Stack gap="md">
      <div className={classes.bar}>
        <RangePicker range={range} onChange={(to) => change(to)} />
        {measurements && <KeyChooser measurements={measurements} />}
      </div>
      <StateBands eui={device.device_id} range={range} />
      {error && <ErrorNotice error={error} retry={() => void refetch()} />}
      {!measurements && !error && <LoadingLines />}
      {measurements && !error && (
        <Charts measurements={measurements} range={range} onZoom={zoom} isOld={isPlaceholderData} />
      )}
    </Stack>
  )
}

/** The chosen keys; without a choice, all but codes. */
function useChosen(measurements: readonly Measurement[]) {
  const { search } = useDeviceSearch()
  const keys = search.keys?.split(',')
  const chosen = measurements.filter(({ key, kind }) =>
    keys ? keys.includes(key) : kind !== 'code',
  )
  return chosen.toSorted((one, other) => rankOf(one) - rankOf(other))
}

/** What is measured comes first, then codes and counters, and last what never changes. */
function rankOf({ unit, points }: Measurement): number {
  const [first] = points
  const isConstant = points.every(({ min, max }) => min === first?.min && max === first?.max)
  return (unit === null ? 1 : 0) + (isConstant ? 2 : 0)
}

function KeyChooser({ measurements }: { measurements: readonly Measurement[] }) {
  const { search, change } = useDeviceSearch()
  if (measurements.length < 2) return null
  return (
    <MultiSelect
      size="xs"
      aria-label="Measurements to show"
      placeholder={search.keys ? undefined : 'All measurements'}
      data={measurements.map(({ key, label }) => ({ value: key, label }))}
      value={search.keys?.split(',') ?? []}
      onChange={(keys) => change({ keys: keys.join(',') || undefined }, { replace: true })}
      clearable
      searchable
    />
  )
}

interface ChartsProps {
  measurements: readonly Measurement[]
  range: ReadRange
  onZoom: (range: TimeRange | undefined) => void
  isOld: boolean
}

function Charts({ measurements, range, onZoom, isOld }: ChartsProps) {
  const chosen = useChosen(measurements)
  const [isWhole, setWhole] = useState(false)
  if (chosen.length === 0) {
    return (
      <EmptyRange title="No numbers in this range" range={range} onZoom={onZoom}>
        The device sent no measurements then. Choose a longer range, or look at its uplinks: events
        such as “door opened” have no number.
      </EmptyRange>
    )
  }
  const shown = isWhole ? chosen : chosen.slice(0, shownAtFirst)
  return (
    <>
      <div className={classes.charts} aria-busy={isOld}>
        {shown.map((measurement) => (
          <MeasurementChart
            key={measurement.key}
            measurement={measurement}
            range={range}
            onZoom={onZoom}
          />
        ))}
      </div>
      {shown.length < chosen.length && (
        <Button variant="default" onClick={() => setWhole(true)}>
          Show {chosen.length - shown.length} more
        </Button>
      )}
      <Text size="xs" c="dimmed">
        Lines are averages, bands lowest and highest values. Drag over a chart to zoom all of them.
      </Text>
    </>
  )
}

interface MeasurementChartProps extends Omit<ChartsProps, 'measurements' | 'isOld'> {
  measurement: Measurement
}

function MeasurementChart({ measurement, range, onZoom }: MeasurementChartProps) {
  const { label, unit, decimals, points } = measurement
  const chart = useMemo(() => {
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
  }, [label, points])
  return (
    <Card>
      <TimeChart
        title={label}
        unit={unit}
        decimals={decimals}
        width={range.width}
        range={range}
        onZoom={onZoom}
        {...chart}
      />
    </Card>
  )
}
