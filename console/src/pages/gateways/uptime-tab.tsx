import { Stack, Table, Text } from '@mantine/core'
import type { Answer } from '../../api/client.ts'
import { useApi } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { Card } from '../../ui/card.tsx'
import { formatTime } from '../../ui/formats.ts'
import { EmptyState, ErrorNotice } from '../../ui/notices.tsx'
import { formatCount, lengthText } from '../../ui/numbers.ts'
import { LoadingLines } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { useTimeZone } from '../../ui/time-zone.ts'
import classes from './gateways.module.css'
import { percentText } from './uptime-text.ts'

type Uptime = Answer<'GET /fleet/gateways/{gateway_id}/uptime'>['data']
type Part = Uptime['parts'][number]

/** The uptime of the last days and months, and the outages. */
export function UptimeTab({ gatewayId }: { gatewayId: number }) {
  const days = useUptime(gatewayId, 'day')
  const months = useUptime(gatewayId, 'month')
  const failed = [days, months].filter(({ data, error }) => error && !data)
  if (failed[0]) {
    const retry = () => void Promise.all(failed.map(({ refetch }) => refetch()))
    return <ErrorNotice error={failed[0].error} retry={retry} />
  }
  if (!days.data || !months.data) return <LoadingLines />
  if (days.data.data.known_since === null) {
    return (
      <EmptyState title={t('Not heard yet')}>
        {t('The uptime is counted from the first uplink on.')}
      </EmptyState>
    )
  }
  return (
    <Stack>
      <Days uptime={days.data.data} />
      <Months parts={months.data.data.parts.filter(({ uptime }) => uptime !== null)} />
      <Outages outages={days.data.data.outages} />
    </Stack>
  )
}

function useUptime(gatewayId: number, step: 'day' | 'month') {
  const time_zone = useTimeZone()
  return useApi(
    'GET /fleet/gateways/{gateway_id}/uptime',
    { path: { gateway_id: String(gatewayId) }, query: { step, time_zone } },
    { refetchInterval: 60_000 },
  )
}

function Days({ uptime: { uptime, parts } }: { uptime: Uptime }) {
  const timeZone = useTimeZone()
  const dayOf = ({ from }: Part) => formatTime(Date.parse(from), { date: 'full' }, timeZone)
  return (
    <Card
      title={t('{uptime} in {count, plural, one {# day} other {# days}}', {
        uptime: percentText(uptime),
        count: parts.length,
      })}
      note={t(
        'Offline from the last uplink before an outage to the first one after. Time in which the service did not run counts as online.',
      )}
    >
      <ul className={classes.days} aria-label={t('Uptime by day')}>
        {parts.map((part) => {
          const label = `${dayOf(part)}: ${describe(part)}`
          return (
            <li key={part.from} data-state={stateOf(part)} title={label}>
              <span className="visually-hidden">{label}</span>
            </li>
          )
        })}
      </ul>
      <Text size="xs" c="dimmed" className={classes.axis} aria-hidden>
        <span>{parts[0] && dayOf(parts[0])}</span>
        <span>{t('Today')}</span>
      </Text>
    </Card>
  )
}

/** An hour offline is 96 % of a day. */
function stateOf({ uptime }: Part) {
  if (uptime === null) return 'unknown'
  if (uptime === 100) return 'good'
  return uptime >= 96 ? 'warn' : 'bad'
}

function describe({ uptime, offline_seconds: seconds }: Part): string {
  if (uptime === null) return t('not known')
  return seconds === 0
    ? t('no outage')
    : t('{uptime}, {seconds} offline', {
        uptime: percentText(uptime),
        seconds: lengthText(seconds),
      })
}

function Months({ parts }: { parts: readonly Part[] }) {
  const timeZone = useTimeZone()
  return (
    <Card title={t('By month')}>
      <Table verticalSpacing={4} maw={560} className={classes.table}>
        <caption className="visually-hidden">{t('Uptime by month')}</caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('Month')}</Table.Th>
            {[t('Uptime'), t('Offline'), t('Outages')].map((title) => (
              <Table.Th key={title} scope="col" data-number>
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {parts.toReversed().map(({ from, uptime, offline_seconds: seconds, outages }) => (
            <Table.Tr key={from}>
              <Table.Td>{formatTime(Date.parse(from), { date: 'month' }, timeZone)}</Table.Td>
              <Table.Td data-number>{percentText(uptime)}</Table.Td>
              <Table.Td data-number>{seconds === 0 ? '–' : lengthText(seconds)}</Table.Td>
              <Table.Td data-number>{formatCount(outages)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  )
}

function Outages({ outages }: Pick<Uptime, 'outages'>) {
  if (outages.length === 0) return <Card title={t('Outages')}>{t('None in this time.')}</Card>
  return (
    <Card title={t('Outages')}>
      <Table verticalSpacing={4} maw={560} className={classes.table}>
        <caption className="visually-hidden">{t('Outages, newest first')}</caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('From')}</Table.Th>
            <Table.Th scope="col">{t('To')}</Table.Th>
            <Table.Th scope="col" data-number>
              {t('Length')}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {outages.map(({ began_at, ended_at, seconds }) => (
            <Table.Tr key={began_at}>
              <Table.Td>
                <Time value={began_at} exact />
              </Table.Td>
              <Table.Td>
                <Time value={ended_at} exact none={t('Still offline')} />
              </Table.Td>
              <Table.Td data-number>{lengthText(seconds)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  )
}
