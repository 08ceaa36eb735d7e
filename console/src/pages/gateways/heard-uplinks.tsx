import { Text } from '@mantine/core'
import type { Answer } from '../../api/client.ts'
import { useApi } from '../../api/hooks.ts'
import { Link } from '../../ui/link.tsx'
import { type Column, List } from '../../ui/list/list.tsx'
import { EmptyState } from '../../ui/notices.tsx'
import { countOf, formatCount } from '../../ui/numbers.ts'
import { Clock } from '../../ui/time.tsx'
import { ReadRange, withUnit } from './heard-devices.tsx'

type HeardUplink = Answer<'GET /fleet/gateways/{gateway_id}/uplinks'>['data'][number]

const columns: readonly Column<HeardUplink>[] = [
  { title: 'Time', isOneLine: true, cell: ({ event_time }) => <Clock value={event_time} /> },
  {
    title: 'Device',
    cell: ({ device }) => (
      <Link to="/devices/$eui" params={{ eui: device.device_eui }}>
        {device.name}
      </Link>
    ),
  },
  { title: 'Message', cell: ({ event_type }) => event_type, isExtra: true },
  { title: 'Counter', cell: ({ f_cnt }) => f_cnt, isNumber: true, isExtra: true },
  { title: 'Data rate', cell: ({ data_rate }) => data_rate ?? '–', isExtra: true },
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
          The newest {formatCount(data.data.length)} of {countOf(data.total, 'uplink')}.{' '}
          <ReadRange read={data.read} />
        </Text>
      )}
      <List
        caption="Uplinks through the gateway"
        answer={answer}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <EmptyState title="No uplinks heard">{data && <ReadRange read={data.read} />}</EmptyState>
        }
      />
    </>
  )
}
