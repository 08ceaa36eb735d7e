import { Text } from '@mantine/core'
import type { Answer } from '../../api/client.ts'
import { useApi } from '../../api/hooks.ts'
import { Eui } from '../../ui/eui.tsx'
import { Link } from '../../ui/link.tsx'
import { type Column, List } from '../../ui/list/list.tsx'
import { EmptyState } from '../../ui/notices.tsx'
import { countOf, formatCount } from '../../ui/numbers.ts'
import { Time } from '../../ui/time.tsx'

type HeardDevice = Answer<'GET /fleet/gateways/{gateway_id}/devices'>['data'][number]

const columns: readonly Column<HeardDevice>[] = [
  {
    title: 'Device',
    cell: ({ name, device_eui }) => (
      <Link to="/devices/$eui" params={{ eui: device_eui }}>
        {name}
      </Link>
    ),
  },
  { title: 'EUI', cell: ({ device_eui }) => <Eui value={device_eui} />, isExtra: true },
  {
    title: 'Last heard',
    cell: ({ last_heard }) => <Time value={last_heard} />,
    isNumber: true,
  },
  { title: 'Uplinks', cell: ({ uplinks }) => formatCount(uplinks), isNumber: true },
  { title: 'Mean RSSI', cell: ({ rssi }) => withUnit(rssi, 'dBm'), isNumber: true },
  { title: 'Mean SNR', cell: ({ snr }) => withUnit(snr, 'dB'), isNumber: true, isExtra: true },
]

export function withUnit(value: number | null, unit: string): string {
  return value === null ? '–' : `${value} ${unit}`
}

/** The devices whose newest uplinks came through the gateway. */
export function HeardDevices({ gatewayId }: { gatewayId: number }) {
  const answer = useApi('GET /fleet/gateways/{gateway_id}/devices', {
    path: { gateway_id: String(gatewayId) },
    query: { limit: 500 },
  })
  const { data } = answer
  return (
    <>
      {data && data.total > 0 && (
        <Text size="sm" c="dimmed" mb="xs">
          {countOf(data.total, 'device')}
          {data.total > data.data.length && `, the ${formatCount(data.data.length)} heard last`}.{' '}
          <ReadRange read={data.read} />
        </Text>
      )}
      <List
        caption="Devices that the gateway hears"
        answer={answer}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <EmptyState title="No devices heard">{data && <ReadRange read={data.read} />}</EmptyState>
        }
      />
    </>
  )
}

interface ReadRangeProps {
  read: { uplinks: number; since: string | null }
}

/** How far back the list reaches: it is read from the newest uplinks, not from all. */
export function ReadRange({ read }: ReadRangeProps) {
  if (read.uplinks === 0) return <>The organization has no uplinks yet.</>
  return (
    <>
      Read from the newest {countOf(read.uplinks, 'uplink')} of all devices, since{' '}
      <Time value={read.since} exact />.
    </>
  )
}
