import { Table, Text } from '@mantine/core'
import { useMemo } from 'react'
import { HourBars } from '../../charts/hour-bars.tsx'
import { t } from '../../languages/text.ts'
import { Card } from '../../ui/card.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { Time } from '../../ui/time.tsx'
import type { GatewayDetails } from './gateway-query.ts'
import classes from './gateways.module.css'

type Hour = GatewayDetails['hours'][number]

/** The uplinks of a week by the hour, as bars and as a table. */
export function GatewayTraffic({ hours }: { hours: readonly Hour[] }) {
  const bars = useMemo(
    () => hours.map(({ hour, uplinks }) => ({ start: hour, count: uplinks })),
    [hours],
  )
  const unknown = hours.filter(({ uplinks }) => uplinks === null).length
  return (
    <Card>
      <HourBars hours={bars} />
      {unknown > 0 && (
        <Text size="xs" c="dimmed">
          {t(
            '{unknown, plural, one {# hour} other {# hours}} not known: the service did not run at their ends.',
            { unknown },
          )}
        </Text>
      )}
      <HourTable hours={hours} />
    </Card>
  )
}

function HourTable({ hours }: { hours: readonly Hour[] }) {
  const rows = [...hours].reverse()
  return (
    <details>
      <Text component="summary" size="sm" py={4}>
        {t('Numbers by the hour')}
      </Text>
      <Table verticalSpacing={4} maw={480} className={classes.table}>
        <caption className="visually-hidden">{t('Uplinks and downlinks by the hour')}</caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('Hour from')}</Table.Th>
            <Table.Th scope="col" data-number>
              {t('Uplinks')}
            </Table.Th>
            <Table.Th scope="col" data-number>
              {t('Downlinks')}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ hour, uplinks, downlinks }) => (
            <Table.Tr key={hour}>
              <Table.Td>
                <Time value={hour} exact />
              </Table.Td>
              <Table.Td data-number>
                {uplinks === null ? t('not known') : formatCount(uplinks)}
              </Table.Td>
              <Table.Td data-number>
                {downlinks === null ? t('not known') : formatCount(downlinks)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </details>
  )
}
