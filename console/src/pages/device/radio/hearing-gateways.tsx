import { Text } from '@mantine/core'
import { useMemo } from 'react'
import { t } from '../../../languages/text.ts'
import type { MapPoint } from '../../../map/map-points.ts'
import { MapView } from '../../../map/map-view.tsx'
import type { Radio } from '../../../radio/radio-series.ts'
import { isWeak } from '../../../radio/signal.ts'
import { Card } from '../../../ui/card.tsx'
import { Eui } from '../../../ui/eui.tsx'
import { formatNumber } from '../../../ui/formats.ts'
import { Link } from '../../../ui/link.tsx'
import { type Column, List } from '../../../ui/list/list.tsx'
import { formatCount } from '../../../ui/numbers.ts'
import type { StateKind } from '../../../ui/state.tsx'
import { Time } from '../../../ui/time.tsx'
import type { DeviceRecord } from '../use-device.ts'

type Gateway = Radio['gateways'][number]

const columns: Column<Gateway>[] = [
  {
    title: t('Gateway'),
    cell: ({ gateway_eui, id, name }) => (
      <>
        {id !== null && (
          <div>
            <Link to="/gateways/$gatewayId" params={{ gatewayId: String(id) }}>
              {name}
            </Link>
          </div>
        )}
        <Eui value={gateway_eui} label={t('gateway EUI')} />
      </>
    ),
  },
  { title: t('Uplinks'), isNumber: true, cell: ({ uplinks }) => formatCount(uplinks) },
  { title: t('Best RSSI'), isNumber: true, cell: ({ best_rssi }) => write(best_rssi, 'dBm') },
  {
    title: t('Mean RSSI'),
    isNumber: true,
    isExtra: true,
    cell: (row) => write(row.average_rssi, 'dBm'),
  },
  { title: t('Best SNR'), isNumber: true, cell: ({ best_snr }) => write(best_snr, 'dB') },
  {
    title: t('Mean SNR'),
    isNumber: true,
    isExtra: true,
    cell: (row) => write(row.average_snr, 'dB'),
  },
  { title: t('First heard'), isExtra: true, cell: (row) => <Time value={row.first_heard} /> },
  { title: t('Last heard'), cell: (row) => <Time value={row.last_heard} /> },
]

interface HearingProps {
  gateways: readonly Gateway[]
  device: DeviceRecord
}

/** The gateways that heard the device, the one that heard the most first. */
export function HearingGateways({ gateways, device }: HearingProps) {
  return (
    <Card title={t('Gateways that heard it')}>
      {gateways.length > 0 ? (
        <List
          caption={t('Gateways that heard the device')}
          columns={columns}
          rows={gateways}
          keyOf={({ gateway_eui }) => gateway_eui}
        />
      ) : (
        t('The network does not report which gateways heard it.')
      )}
      <GatewayMap gateways={gateways} device={device} />
    </Card>
  )
}

/** Where the gateways stand, as far as it is known, and their ways to the device. */
function GatewayMap({ gateways, device }: HearingProps) {
  const heard = useMemo(() => gateways.flatMap(toPoint), [gateways])
  const { latitude: lat, longitude: lng, device_name: name } = device
  const { points, lines } = useMemo(() => {
    if (lat === null || lng === null) return { points: heard, lines: [] }
    const own = { id: 'device', lat, lng, name }
    return {
      points: [own, ...heard],
      lines: heard.map((to) => ({ from: own, to, kind: to.kind })),
    }
  }, [heard, lat, lng, name])
  if (heard.length === 0) return null
  const unknown = gateways.length - heard.length
  return (
    <>
      <MapView label={t('Gateways that heard it')} points={points} lines={lines} hasNoList />
      {unknown > 0 && (
        <Text size="xs" c="dimmed">
          {t('The place of {unknown, plural, one {# gateway} other {# gateways}} is unknown.', {
            unknown,
          })}
        </Text>
      )}
    </>
  )
}

function toPoint(gateway: Gateway): MapPoint[] {
  const { gateway_eui: id, name, uplinks, best_rssi: rssi, best_snr: snr, lat, lng } = gateway
  if (lat === null || lng === null) return []
  const detail = [
    t('{uplinks, plural, one {# uplink} other {# uplinks}}', { uplinks }),
    rssi !== null && t('best {rssi}', { rssi: write(rssi, 'dBm') }),
  ]
  const kind: StateKind = isWeak(rssi, snr) ? 'warn' : 'good'
  const words = detail.filter(Boolean).join(', ')
  return [{ id, lat, lng, name: name ?? id, detail: words, kind, shape: 'gateway' }]
}

function write(value: number | null, unit: string): string {
  return value === null ? '–' : `${formatNumber(value, 1)} ${unit}`
}
