import { Stack, Text } from '@mantine/core'
import { useMemo } from 'react'
import type { TimeRange } from '../charts/chart-data.ts'
import { EmptyRange } from '../charts/empty-range.tsx'
import { type RangeSearch, type ReadRange, searchOfRange } from '../charts/range.ts'
import { RangePicker } from '../charts/range-picker.tsx'
import { BarChart, TimeChart } from '../charts/time-chart.tsx'
import { rich, t } from '../languages/text.ts'
import { Card } from '../ui/card.tsx'
import { Facts } from '../ui/facts.tsx'
import { formatNumber } from '../ui/formats.ts'
import { ErrorNotice } from '../ui/notices.tsx'
import { formatCount } from '../ui/numbers.ts'
import { LoadingLines } from '../ui/page.tsx'
import { State } from '../ui/state.tsx'
import { Time } from '../ui/time.tsx'
import classes from './radio.module.css'
import { airtimeOf, type FleetRadio, framesOf, ratesOf, signalOf } from './radio-series.ts'

/** The parts of a range that are asked for. */
export const parts = 150

interface FleetRadioViewProps {
  radio: FleetRadio | undefined
  error: unknown
  retry: () => void
  range: ReadRange
  onChange: (search: RangeSearch) => void
  /** What is said where nothing was heard. */
  none: string
}

/** How the frames of many devices arrive, at a gateway or in a network, over a range of time. */
export function FleetRadioView(props: FleetRadioViewProps) {
  const { radio, error, retry, range, onChange, none } = props
  const onZoom = (to: TimeRange | undefined) => onChange(searchOfRange(to))
  return (
    <Stack gap="md">
      <div className={classes.left}>
        <RangePicker range={range} onChange={onChange} />
      </div>
      {error !== null && <ErrorNotice error={error} retry={retry} />}
      {!radio && error === null && <LoadingLines />}
      {radio && error === null && radio.points.length === 0 && (
        <EmptyRange title={t('No uplinks in this range')} range={range} onZoom={onZoom}>
          {none}
        </EmptyRange>
      )}
      {radio && error === null && radio.points.length > 0 && (
        <>
          <FleetRadioFacts radio={radio} />
          <Charts radio={radio} range={range} onZoom={onZoom} />
        </>
      )}
    </Stack>
  )
}

/** The range in numbers. */
function FleetRadioFacts({ radio }: { radio: FleetRadio }) {
  const { devices, uplinks, received, lost, loss, repeated, airtime_ms, untimed } = radio
  return (
    <Card>
      <Facts
        rows={[
          [
            t('Uplinks'),
            t('{uplinks}, of {devices, plural, one {# device} other {# devices}}', {
              uplinks: formatCount(uplinks),
              devices,
            }),
          ],
          [
            t('Lost'),
            <State key="lost" kind={(loss ?? 0) > 0.1 ? 'warn' : 'good'}>
              {t('{lost} of {received} frames, ', {
                lost: formatCount(lost),
                received: formatCount(received + lost),
              })}
              {formatNumber((loss ?? 0) * 100, 1)} %
            </State>,
          ],
          [t('Repeated'), formatCount(repeated)],
          [t('Airtime'), `${formatCount(airtime_ms / 1000)} s${restOf(untimed)}`],
        ]}
      />
      {!radio.is_complete && (
        <Text size="xs" mt="xs">
          {rich(
            'The range holds more uplinks than are read at once. This is what came since {time}.',
            { time: <Time value={radio.since} exact /> },
          )}
        </Text>
      )}
    </Card>
  )
}

export function restOf(untimed: number): string {
  return untimed > 0
    ? t(', not known of {untimed, plural, one {# uplink} other {# uplinks}}', { untimed })
    : ''
}

interface ChartsProps {
  radio: FleetRadio
  range: ReadRange
  onZoom: (range: TimeRange | undefined) => void
}

function Charts({ radio, range, onZoom }: ChartsProps) {
  const charts = useMemo(() => {
    return {
      frames: framesOf(radio, range),
      rssi: signalOf(radio, 'rssi'),
      snr: signalOf(radio, 'snr'),
      rates: ratesOf(radio, range),
      airtime: airtimeOf(radio, range),
    }
  }, [radio, range])
  const common = { width: range.width, range, onZoom }
  return (
    <div className={classes.charts}>
      <Card>
        <BarChart title={t('Frames received and lost')} isStacked {...common} {...charts.frames} />
      </Card>
      <Card>
        <BarChart title={t('Data rates')} isStacked {...common} {...charts.rates} />
      </Card>
      <Card>
        <TimeChart title={t('Signal strength (RSSI)')} unit="dBm" {...common} {...charts.rssi} />
      </Card>
      <Card>
        <TimeChart title={t('Signal to noise (SNR)')} unit="dB" {...common} {...charts.snr} />
      </Card>
      <Card>
        <BarChart title={t('Airtime')} unit="s" {...common} {...charts.airtime} />
      </Card>
    </div>
  )
}
