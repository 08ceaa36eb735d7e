import { Text } from '@mantine/core'
import type { Answer } from '../../api/client.ts'
import { useApi } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { Eui } from '../../ui/eui.tsx'
import { Link } from '../../ui/link.tsx'
import { type Column, List } from '../../ui/list/list.tsx'
import { EmptyState } from '../../ui/notices.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { Time } from '../../ui/time.tsx'

type HeardDevice = Answer<'GET /fleet/gateways/{gateway_id}/devices'>['data'][number]

const columns: readonly Column<HeardDevice>[] = [
  {
    title: t('Device'),
    cell: ({ name, device_eui }) => (
      <Link to="/devices/$eui" params={{ eui: device_eui }}>
        {name}
      </Link>
    ),
  },
  { title: 'EUI', cell: ({ device_eui }) => <Eui value={device_eui} />, isExtra: true },
  {
    title: t('Last heard'),
    cell: ({ last_heard }) => <Time value={last_heard} />,
    isNumber: true,
  },
  { title: t('Uplinks'), cell: ({ uplinks }) => formatCount(uplinks), isNumber: true },
  { title: t('Mean RSSI'), cell: ({ rssi }) => withUnit(rssi, 'dBm'), isNumber: true },
  { title: t('Mean SNR'), cell: ({ snr }) => withUnit(snr, 'dB'), isNumber: true, isExtra: true },
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
          {t('{total, plural, one {# device} other {# devices}}', { total: data.total })}
          {data.total > data.data.length &&
            t(', the {count} heard last', { count: formatCount(data.data.length) })}
          . <ReadRange read={data.read} />
        </Text>
      )}
      <List
        caption={t('Devices that the gateway hears')}
        answer={answer}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <EmptyState title={t('No devices heard')}>
            {data && <ReadRange read={data.read} />}
          </EmptyState>
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
  if (read.uplinks === 0) return <>{t('The organization has no uplinks yet.')}</>
  return (
    <>
      {t(
        'Read from the newest {uplinks, plural, one {# uplink} other {# uplinks}} of all devices, since ',
        { uplinks: read.uplinks },
      )}
      <Time value={read.since} exact />.
    </>
  )
}
