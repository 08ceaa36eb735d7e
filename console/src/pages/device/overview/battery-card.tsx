import { Text } from '@mantine/core'
import { useMemo } from 'react'
import type { Answer } from '../../../api/client.ts'
import { useApi } from '../../../api/hooks.ts'
import { writeValue } from '../../../charts/chart-data.ts'
import { TimeChart } from '../../../charts/time-chart.tsx'
import { t } from '../../../languages/text.ts'
import { Card } from '../../../ui/card.tsx'
import { ErrorNotice } from '../../../ui/notices.tsx'
import { LoadingLines } from '../../../ui/page.tsx'
import { State } from '../../../ui/state.tsx'
import { Time } from '../../../ui/time.tsx'
import classes from '../device.module.css'
import type { DeviceRecord } from '../use-device.ts'
import { batteryWords } from './battery-words.ts'

const day = 86_400_000

type Battery = Answer<'GET /devices/{device_id}/battery'>['data']

/** The battery, and when it will be empty by its own trend. */
export function BatteryCard({ device }: { device: DeviceRecord }) {
  const parts = { path: { device_id: device.device_id } }
  const { data, error, refetch } = useApi('GET /devices/{device_id}/battery', parts, {
    staleTime: 60_000,
  })
  const battery = data?.data
  return (
    <Card title={t('Battery')}>
      {battery ? (
        <BatteryReadings battery={battery} isLow={device.low_battery} />
      ) : error ? (
        <ErrorNotice error={error} retry={() => void refetch()} />
      ) : (
        <LoadingLines count={3} />
      )}
    </Card>
  )
}

function BatteryReadings({ battery, isLow }: { battery: Battery; isLow: boolean | null }) {
  const { latest, days, unit } = battery
  const chart = useMemo(() => toChart(days), [days])
  const limits = useMemo(() => toLimits(battery), [battery])
  if (!latest)
    return <Text c="dimmed">{t('No battery reading yet. Most sensors send one a day.')}</Text>
  const words = batteryWords(battery, Date.now())
  return (
    <>
      <div>
        <span className={classes.value}>
          {writeValue(latest.value, unit, unit === 'V' ? 1 : undefined)}
        </span>{' '}
        <Text span size="xs" c="dimmed">
          <Time value={latest.time} />
        </Text>{' '}
        {isLow !== null && (
          <State kind={isLow ? 'bad' : 'good'}>
            {isLow ? t('The sensor says low') : t('Not low')}
          </State>
        )}
      </div>
      <div>
        <Text fw={600}>{words.headline}</Text>
        <Text size="xs" c="dimmed">
          {words.explanation}
        </Text>
      </div>
      {days.length > 1 && (
        <TimeChart
          title={t('Battery by day')}
          unit={unit}
          width={day}
          height={120}
          limits={limits}
          {...chart}
        />
      )}
    </>
  )
}

function toChart(days: Battery['days']) {
  return {
    times: days.map(({ time }) => Date.parse(time)),
    series: [
      {
        name: t('Battery'),
        values: days.map(({ median }) => median),
        low: days.map(({ min }) => min),
        high: days.map(({ max }) => max),
      },
    ],
  }
}

function toLimits({ empty, low, unit }: Battery) {
  return [
    ...(low === null
      ? []
      : [{ value: low, label: t('low {low}', { low: writeValue(low, unit) }) }]),
    ...(empty === null
      ? []
      : [{ value: empty, label: t('empty {empty}', { empty: writeValue(empty, unit) }) }]),
  ]
}
