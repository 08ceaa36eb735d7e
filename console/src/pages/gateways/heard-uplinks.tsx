import { Text } from '@mantine/core'
import type { Answer } from '../../api/client.ts'
import { useApi } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { Link } from '../../ui/link.tsx'
import { type Column, List } from '../../ui/list/list.tsx'
import { EmptyState } from '../../ui/notices.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { Clock } from '../../ui/time.tsx'
import { ReadRange, withUnit } from './heard-devices.tsx'

type HeardUplink = Answer<'GET /fleet/gateways/{gateway_id}/uplinks'>['data'][number]

const columns: readonly Column<HeardUplink>[] = [
  { title: t('Time'), isOneLine: true, cell: ({ event_time }) => <Clock value={event_time} /> },
  {
    title: t('Device'),
    cell: ({ device }) => (
      <Link to="/devices/$eui" params={{ eui: device.device_eui }}>
        {device.name}
      </Link>
    ),
  },
  { title: t('Message'), cell: ({ event_type }) => event_type, isExtra: true },
  { title: t('Counter'), cell: ({ f_cnt }) => f_cnt, isNumber: true, isExtra: true },
  { title: t('Data rate'), cell: ({ data_rate }) => data_rate ?? '–', isExtra: true },
  { title: 'RSSI', cell: ({ rssi }) => withUnit(rssi, 'dBm'), isNumber: true },
  { title: 'SNR', cell: ({ snr }) => withUnit(snr, 'dB'), isNumber: true },
]

/** The newest uplinks that came through the gateway. */
export function HeardUplinks({ gatewayId }: { gatewayId: number }) {
  const answer = useApi(
    'GET /fleet/gateways/{gateway_id}/uplinks',
    { path: { gateway_id: String(gatewayId) }, query: { limit: 100 } },
    { refetchInterval: 15_000 },
  )
  const { data } = answer
  return (
    <>
      {data && data.total > 0 && (
        <Text size="sm" c="dimmed" mb="xs">
          {t('The newest {count} of {total, plural, one {# uplink} other {# uplinks}}. ', {
            count: formatCount(data.data.length),
            total: data.total,
          })}
          <ReadRange read={data.read} />
        </Text>
      )}
      <List
        caption={t('Uplinks through the gateway')}
        answer={answer}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <EmptyState title={t('No uplinks heard')}>
            {data && <ReadRange read={data.read} />}
          </EmptyState>
        }
      />
    </>
  )
}
