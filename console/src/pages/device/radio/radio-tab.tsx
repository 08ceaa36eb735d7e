import { Stack } from '@mantine/core'
import { useMemo } from 'react'
import { useApi } from '../../../api/hooks.ts'
import type { TimeRange } from '../../../charts/chart-data.ts'
import { EmptyRange } from '../../../charts/empty-range.tsx'
import { type ReadRange, searchOfRange, useRange } from '../../../charts/range.ts'
import { RangePicker } from '../../../charts/range-picker.tsx'
import { BarChart, TimeChart } from '../../../charts/time-chart.tsx'
import { t } from '../../../languages/text.ts'
import { framesOf, type Radio, ratesOf, signalOf } from '../../../radio/radio-series.ts'
import { Card } from '../../../ui/card.tsx'
import { ErrorNotice } from '../../../ui/notices.tsx'
import { LoadingLines } from '../../../ui/page.tsx'
import classes from '../device.module.css'
import { useDeviceSearch } from '../device-search.ts'
import type { DeviceRecord } from '../use-device.ts'
import { AirtimeCard } from './airtime-card.tsx'
import { HearingGateways } from './hearing-gateways.tsx'
import { RadioFacts } from './radio-facts.tsx'

const parts = 150

/** How the frames of the device arrive: signal, data rates, losses, and who heard them. */
export default function RadioTab({ device }: { device: DeviceRecord }) {
  const { search, change } = useDeviceSearch()
  const beginning = Date.parse(device.created_at) - 86_400_000
  const range = useRange(search, { usual: 'week', beginning, parts })
  const { data, error, refetch } = useApi(
    'GET /devices/{device_id}/radio',
    {
      path: { device_id: device.device_id },
      query: {
        since: new Date(range.from).toISOString(),
        until: new Date(range.to).toISOString(),
        points: parts,
      },
    },
    { keepsPrevious: true, staleTime: 30_000 },
  )
  const radio = data?.data
  const zoom = (to: TimeRange | undefined) => change(searchOfRange(to), { replace: true })
  return (
    <Stack gap="md">
      <div className={classes.left}>
        <RangePicker range={range} onChange={(to) => change(to)} />
      </div>
      {error && <ErrorNotice error={error} retry={() => void refetch()} />}
      {!radio && !error && <LoadingLines />}
      {radio && !error && <RadioCharts device={device} radio={radio} range={range} onZoom={zoom} />}
      {radio && radio.points.length > 0 && (
        <AirtimeCard eui={device.device_id} range={range} onZoom={zoom} />
      )}
    </Stack>
  )
}

interface RadioChartsProps {
  device: DeviceRecord
  radio: Radio
  range: ReadRange
  onZoom: (range: TimeRange | undefined) => void
}

function RadioCharts({ device, radio, range, onZoom }: RadioChartsProps) {
  const charts = useMemo(() => {
    return {
      rssi: signalOf(radio, 'rssi'),
      snr: signalOf(radio, 'snr'),
      frames: framesOf(radio, range),
      rates: ratesOf(radio, range),
    }
  }, [radio, range])
  if (radio.points.length === 0) {
    return (
      <EmptyRange title={t('No uplinks in this range')} range={range} onZoom={onZoom}>
        {t('The device sent nothing in this time range. Choose a longer one.')}
      </EmptyRange>
    )
  }
  const common = { width: range.width, range, onZoom }
  return (
    <>
      <RadioFacts radio={radio} />
      <div className={classes.charts}>
        <Card>
          <TimeChart title={t('Signal strength (RSSI)')} unit="dBm" {...common} {...charts.rssi} />
        </Card>
        <Card>
          <TimeChart title={t('Signal to noise (SNR)')} unit="dB" {...common} {...charts.snr} />
        </Card>
        <Card>
          <BarChart
            title={t('Frames received and lost')}
            isStacked
            {...common}
            {...charts.frames}
          />
        </Card>
        <Card>
          <BarChart title={t('Data rates')} isStacked {...common} {...charts.rates} />
        </Card>
      </div>
      <HearingGateways gateways={radio.gateways} device={device} />
    </>
  )
}
