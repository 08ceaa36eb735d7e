import { MultiSelect, Stack } from '@mantine/core'
import { useMemo } from 'react'
import { useApi } from '../../../api/hooks.ts'
import type { TimeRange } from '../../../charts/chart-data.ts'
import { searchOfRange, useRange } from '../../../charts/range.ts'
import { RangePicker } from '../../../charts/range-picker.tsx'
import { t } from '../../../languages/text.ts'
import { ErrorNotice } from '../../../ui/notices.tsx'
import { LoadingLines } from '../../../ui/page.tsx'
import classes from '../device.module.css'
import { useDeviceSearch } from '../device-search.ts'
import type { DeviceRecord } from '../use-device.ts'
import { ComparePicker } from './compare-picker.tsx'
import { type Compared, type Measurement, othersOf, useComparison } from './comparison.ts'
import { MeasurementCharts } from './measurement-charts.tsx'
import { type DeviceState, StateBands, useDeviceStates } from './state-bands.tsx'

const parts = 300
const none: readonly Measurement[] = []
const noStates: readonly DeviceState[] = []

/** Charts of everything that the device measures, and other devices in the same charts. */
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
  const measurements = data?.data ?? none
  const chosen = useChosen(device, measurements, search.keys)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a device keeps its EUI
  const others = useMemo(() => othersOf(search.with, device), [search.with, device.device_id])
  const ofStates = useDeviceStates(device.device_id, range)
  const states = ofStates.data?.data ?? noStates
  const comparison = useComparison(device, { measurements: chosen, states, others }, range)
  return (
    <Stack gap="md">
      <div className={classes.bar}>
        <RangePicker range={range} onChange={(to) => change(to)} />
        {(measurements.length > 0 || states.length > 0) && (
          <div className={classes.choices}>
            <KeyChooser measurements={measurements} />
            <ComparePicker
              device={device}
              measurements={comparable([...states, ...chosen])}
              others={others}
              names={comparison.names}
              onChange={(euis) => change({ with: euis.join(',') || undefined }, { replace: true })}
            />
          </div>
        )}
      </div>
      {ofStates.error && (
        <ErrorNotice error={ofStates.error} retry={() => void ofStates.refetch()} />
      )}
      <StateBands
        device={device}
        states={states}
        others={others}
        names={comparison.names}
        range={range}
      />
      {error && <ErrorNotice error={error} retry={() => void refetch()} />}
      {!data && !error && <LoadingLines />}
      {data && !error && (chosen.length > 0 || states.length === 0) && (
        <MeasurementCharts
          device={device}
          measurements={chosen}
          others={others}
          comparison={comparison}
          range={range}
          onZoom={zoom}
          isOld={isPlaceholderData}
        />
      )}
    </Stack>
  )
}

/** Devices are compared by what they are for: all have a battery. */
function comparable(all: readonly Compared[]): readonly Compared[] {
  const rest = all.filter(({ quantity }) => quantity !== 'battery')
  return rest.length > 0 ? rest : all
}

/** The chosen keys; without a choice, all but codes. What the reading says comes first. */
function useChosen(
  { reading }: DeviceRecord,
  measurements: readonly Measurement[],
  text: string | undefined,
) {
  const said = reading?.parts.map(({ name }) => name).join()
  return useMemo(() => {
    const keys = text?.split(',')
    const first = said?.split(',') ?? []
    const placeOf = ({ name }: Measurement) =>
      first.includes(name) ? first.indexOf(name) : first.length + 1
    const chosen = measurements.filter(({ key, kind }) =>
      keys ? keys.includes(key) : kind !== 'code',
    )
    return chosen.toSorted(
      (one, other) => placeOf(one) - placeOf(other) || rankOf(one) - rankOf(other),
    )
  }, [measurements, text, said])
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
      aria-label={t('Measurements to show')}
      placeholder={search.keys ? undefined : t('All measurements')}
      data={measurements.map(({ key, label }) => ({ value: key, label }))}
      value={search.keys?.split(',') ?? []}
      onChange={(keys) => change({ keys: keys.join(',') || undefined }, { replace: true })}
      clearable
      searchable
    />
  )
}
