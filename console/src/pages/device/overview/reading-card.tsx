import { useApi } from '../../../api/hooks.ts'
import { StateBand } from '../../../charts/state-band.tsx'
import { TimeChart } from '../../../charts/time-chart.tsx'
import { t } from '../../../languages/text.ts'
import { Card } from '../../../ui/card.tsx'
import { Link } from '../../../ui/link.tsx'
import { useDeviceStates, useLastDay } from '../measurements/state-bands.tsx'
import type { DeviceRecord } from '../use-device.ts'

/** Charts that have room above the state. */
const mostShown = 2
/** A point every quarter of an hour. */
const points = 96
const pointMs = 900_000

/** What the device measured in the last 24 hours, and its states. */
export function ReadingCard({ device }: { device: DeviceRecord }) {
  const { device_id: eui, reading } = device
  const numbers = (reading?.parts ?? []).filter(({ value }) => typeof value === 'number')
  const names = numbers.slice(0, mostShown).map(({ name }) => name)
  const { data } = useApi(
    'GET /devices/{device_id}/measurements',
    { path: { device_id: eui }, query: { keys: names.join(','), points } },
    { enabled: names.length > 0, refetchInterval: 60_000, keepsPrevious: true },
  )
  const shown = data?.data.filter((measurement) => measurement.points.length > 0) ?? []
  const range = useLastDay()
  const states = useDeviceStates(eui, range).data?.data ?? []
  if (shown.length === 0 && states.length === 0) return null
  return (
    <Card
      title={t('Last 24 hours')}
      actions={
        <Link to="/devices/$eui" params={{ eui }} search={{ tab: 'measurements' }} size="sm">
          {t('Measurements')}
        </Link>
      }
    >
      {states.map((state) => (
        <StateBand key={state.name} state={state} range={range} />
      ))}
      {shown.map(({ key, label, unit, decimals, points: parts }) => (
        <TimeChart
          key={key}
          title={label}
          unit={unit}
          decimals={decimals}
          height={120}
          width={pointMs}
          times={parts.map(({ time }) => Date.parse(time))}
          series={[{ name: label, values: parts.map(({ average }) => average) }]}
        />
      ))}
    </Card>
  )
}
