import { Stack } from '@mantine/core'
import { UplinkFrame } from '../../../frames/uplink-frame.tsx'
import { Eui } from '../../../ui/eui.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { type Column, PlainTable } from '../../../ui/plain-table.tsx'
import { Time } from '../../../ui/time.tsx'
import { nameOfKey } from '../measurements/key-names.ts'
import type { Uplink } from './uplink-table.tsx'

type Reception = Uplink['additional_data']['gateways'][number]

const columns: Column<Reception>[] = [
  {
    title: 'Gateway',
    cell: ({ gateway_eui }) =>
      gateway_eui ? <Eui value={gateway_eui} label="gateway EUI" /> : 'not told',
  },
  { title: 'RSSI', isNumber: true, cell: ({ rssi }) => (rssi === undefined ? '–' : `${rssi} dBm`) },
  { title: 'SNR', isNumber: true, cell: ({ snr }) => (snr === undefined ? '–' : `${snr} dB`) },
]

/** Everything that is known of one uplink. */
export function UplinkDetails({ uplink }: { uplink: Uplink }) {
  const { decoded_object: decoded, additional_data: more } = uplink
  const values = Object.entries(decoded).filter(([key]) => key !== 'eventDescription')
  const receptions = more.gateways.map((gateway, index) => ({ ...gateway, index }))
  return (
    <Stack gap="sm" p="xs">
      <Facts
        rows={[
          ['Time', <Time key="time" value={uplink.event_time} exact />],
          ...values.map(([key, value]) => [nameOfKey(key), writeDecoded(value)] as const),
          ['FPort', more.f_port],
          ['FCnt', more.f_cnt],
          ['Frequency', more.frequency ? `${more.frequency / 1_000_000} MHz` : null],
        ]}
      />
      <UplinkFrame eui={uplink.device_id} uplinkId={uplink.id} />
      {receptions.length > 0 && (
        <PlainTable
          caption="Gateways that heard the uplink"
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
