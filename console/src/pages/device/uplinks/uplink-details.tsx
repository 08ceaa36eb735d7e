import { Stack } from '@mantine/core'
import { UplinkFrame } from '../../../frames/uplink-frame.tsx'
import { t } from '../../../languages/text.ts'
import type { LiveUplink } from '../../../live/events.ts'
import { Eui } from '../../../ui/eui.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { formatNumber } from '../../../ui/formats.ts'
import { type Column, List } from '../../../ui/list/list.tsx'
import { Time } from '../../../ui/time.tsx'
import { nameOfKey } from '../measurements/key-names.ts'

type Reception = LiveUplink['gateways'][number]

const columns: Column<Reception>[] = [
  {
    title: t('Gateway'),
    cell: ({ gateway_eui, id }) =>
      gateway_eui ? <Eui value={gateway_eui} label={t('gateway EUI')} /> : (id ?? t('not told')),
  },
  {
    title: 'RSSI',
    isNumber: true,
    cell: ({ rssi }) => (rssi === null ? '–' : t('{rssi} dBm', { rssi })),
  },
  {
    title: 'SNR',
    isNumber: true,
    cell: ({ snr }) => (snr === null ? '–' : t('{snr} dB', { snr: formatNumber(snr) })),
  },
]

/** Everything that is known of one uplink. */
export function UplinkDetails({ uplink }: { uplink: LiveUplink }) {
  const { decoded_object: decoded } = uplink
  const values = Object.entries(decoded).filter(([key]) => key !== 'eventDescription')
  const receptions = uplink.gateways.map((gateway, index) => ({ ...gateway, index }))
  return (
    <Stack gap="sm" p="xs">
      <Facts
        rows={[
          [t('Time'), <Time key="time" value={uplink.event_time} exact />],
          ...values.map(([key, value]) => [nameOfKey(key), writeDecoded(value)] as const),
          ['FPort', uplink.f_port],
          ['FCnt', uplink.f_cnt],
          [
            t('Frequency'),
            uplink.frequency
              ? t('{frequency} MHz', { frequency: uplink.frequency / 1_000_000 })
              : null,
          ],
        ]}
      />
      <UplinkFrame eui={uplink.device_id} uplinkId={uplink.id} />
      {receptions.length > 0 && (
        <List
          caption={t('Gateways that heard the uplink')}
          columns={columns}
          rows={receptions}
          keyOf={(row) => (row as (typeof receptions)[number]).index}
        />
      )}
    </Stack>
  )
}

/** A decoded value as text: codecs of organizations may give anything. */
export function writeDecoded(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every((item) => typeof item === 'number'))
    return value.join(' ')
  return JSON.stringify(value) ?? ''
}
