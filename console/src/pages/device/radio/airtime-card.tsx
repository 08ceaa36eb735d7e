import { Text } from '@mantine/core'
import { useMemo } from 'react'
import type { Answer } from '../../../api/client.ts'
import { useApi } from '../../../api/hooks.ts'
import type { ChartData, TimeRange } from '../../../charts/chart-data.ts'
import type { ReadRange } from '../../../charts/range.ts'
import { BarChart } from '../../../charts/time-chart.tsx'
import { rich, t } from '../../../languages/text.ts'
import { restOf } from '../../../radio/fleet-radio-view.tsx'
import { Card } from '../../../ui/card.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { formatNumber } from '../../../ui/formats.ts'
import { ErrorNotice } from '../../../ui/notices.tsx'
import { LoadingLines } from '../../../ui/page.tsx'
import { State, type StateKind } from '../../../ui/state.tsx'
import { Time } from '../../../ui/time.tsx'
import classes from '../device.module.css'

type Airtime = Answer<'GET /devices/{device_id}/airtime'>['data']
type Band = Airtime['bands'][number]

const hour = 3_600_000

interface AirtimeCardProps {
  eui: string
  range: ReadRange
  onZoom: (range: TimeRange | undefined) => void
}

/** How long the device was on the air, and what that is of its duty cycle. */
export function AirtimeCard({ eui, range, onZoom }: AirtimeCardProps) {
  const { data, error, refetch } = useApi(
    'GET /devices/{device_id}/airtime',
    {
      path: { device_id: eui },
      query: {
        since: new Date(range.from).toISOString(),
        until: new Date(range.to).toISOString(),
      },
    },
    { keepsPrevious: true, staleTime: 30_000 },
  )
  const airtime = data?.data
  return (
    <Card title={t('Airtime and duty cycle')}>
      {error && <ErrorNotice error={error} retry={() => void refetch()} />}
      {!airtime && !error && <LoadingLines />}
      {airtime && !error && <Airtimes airtime={airtime} range={range} onZoom={onZoom} />}
    </Card>
  )
}

interface AirtimesProps extends Omit<AirtimeCardProps, 'eui'> {
  airtime: Airtime
}

function Airtimes({ airtime, range, onZoom }: AirtimesProps) {
  const { airtime_ms, untimed, bands } = airtime
  const charts = useMemo(() => ({ all: hoursOf(airtime), used: usedOf(airtime) }), [airtime])
  const common = { width: hour, range, onZoom }
  return (
    <>
      <Facts
        rows={[
          [t('Airtime'), `${formatNumber(airtime_ms / 1000, 1)} s${restOf(untimed)}`],
          ...bands.map((band): [string, React.ReactNode] => [
            nameOf(band),
            <Use key="use" band={band} />,
          ]),
        ]}
      />
      <div className={classes.charts}>
        <BarChart title={t('Airtime by the hour')} unit="s" {...common} {...charts.all} />
        {bands.length > 0 && (
          <BarChart
            title={t('Duty cycle used by the hour')}
            unit="%"
            {...common}
            {...charts.used}
          />
        )}
      </div>
      <Text size="xs" c="dimmed">
        {bands.length > 0
          ? t('Of the frames that arrived: lost ones, joins and repetitions come on top.')
          : t('No frequency of it has a duty cycle of EU868.')}
        {!airtime.is_complete && (
          <>
            {' '}
            {t('The range holds more uplinks than are read at once: these came since ')}
            <Time value={airtime.since} exact />.
          </>
        )}
      </Text>
    </>
  )
}

/** The busiest hour of a band. */
function Use({ band: { busiest_hour, limit } }: { band: Band }) {
  const { used, time } = busiest_hour
  const kind: StateKind = used > 1 ? 'bad' : used > 0.8 ? 'warn' : 'good'
  return (
    <State kind={kind}>
      {rich('at most {used} % of the {toFixed} % allowed, in the hour from {time}', {
        used: formatNumber(used * 100, 1),
        toFixed: formatNumber(+(limit * 100).toFixed(1)),
        time: <Time value={time} exact />,
      })}
    </State>
  )
}

/** "Band M (868.0–868.6 MHz)". */
function nameOf({ band, from, to }: Band): string {
  const write = (frequency: number) => String(frequency / 1_000_000)
  return t('Band {band} ({from}–{to} MHz)', { band, from: write(from), to: write(to) })
}

function hoursOf({ hours }: Airtime): ChartData {
  return {
    times: hours.map(({ time }) => Date.parse(time)),
    series: [{ name: t('Airtime'), values: hours.map(({ airtime_ms }) => airtime_ms / 1000) }],
  }
}

function usedOf({ hours, bands }: Airtime): ChartData {
  return {
    times: hours.map(({ time }) => Date.parse(time)),
    series: bands.map(({ band }) => ({
      name: t('Band {band}', { band }),
      values: hours.map((each) => {
        const use = each.bands.find((one) => one.band === band)
        return use ? use.used * 100 : 0
      }),
    })),
  }
}
