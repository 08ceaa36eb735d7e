import { Text } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import type { Answer } from '../../api/client.ts'
import { useApi } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { Card } from '../../ui/card.tsx'
import { Eui } from '../../ui/eui.tsx'
import { Link } from '../../ui/link.tsx'
import { type Column, List } from '../../ui/list/list.tsx'
import { ErrorNotice } from '../../ui/notices.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { LoadingLines } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { ReadRange, withUnit } from './heard-devices.tsx'

type SoleDevice = Answer<'GET /fleet/gateways/{gateway_id}/sole-devices'>['data'][number]

const pageSize = 25

const columns: readonly Column<SoleDevice>[] = [
  {
    title: t('Device'),
    cell: ({ name, device_eui }) => (
      <Link to="/devices/$eui" params={{ eui: device_eui }} search={{ tab: 'radio' }}>
        {name}
      </Link>
    ),
  },
  { title: 'EUI', cell: ({ device_eui }) => <Eui value={device_eui} />, isExtra: true },
  { title: t('Last heard'), cell: ({ last_heard }) => <Time value={last_heard} />, isNumber: true },
  { title: t('Uplinks'), cell: ({ uplinks }) => formatCount(uplinks), isNumber: true },
  {
    title: t('Mean RSSI'),
    cell: ({ main_gateway }) => withUnit(main_gateway?.rssi ?? null, 'dBm'),
    isNumber: true,
  },
  {
    title: t('Mean SNR'),
    cell: ({ main_gateway }) => withUnit(main_gateway?.snr ?? null, 'dB'),
    isNumber: true,
    isExtra: true,
  },
]

/** The devices that would be silent without the gateway. */
export function SoleDevices({ gatewayId }: { gatewayId: number }) {
  const { page = 1 } = useSearch({ from: '/shell/gateways/$gatewayId' })
  const answer = useApi(
    'GET /fleet/gateways/{gateway_id}/sole-devices',
    {
      path: { gateway_id: String(gatewayId) },
      query: { limit: pageSize, offset: (page - 1) * pageSize },
    },
    { keepsPrevious: true, staleTime: 30_000 },
  )
  const { data, error, refetch } = answer
  if (error) return <ErrorNotice error={error} retry={() => void refetch()} />
  if (!data) return <LoadingLines />
  return (
    <Card
      title={
        data.total === 0
          ? t('No device depends only on it')
          : t('Only gateway for {total, plural, one {# device} other {# devices}}', {
              total: data.total,
            })
      }
    >
      {data.total > 0 && (
        <List
          caption={t('Devices that only this gateway hears')}
          columns={columns}
          answer={answer}
          keyOf={({ id }) => id}
          pageCount={Math.ceil(data.total / pageSize)}
        />
      )}
      <Text size="xs" c="dimmed">
        <ReadRange read={data.read} />
      </Text>
    </Card>
  )
}
