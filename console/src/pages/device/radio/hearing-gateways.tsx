import { Eui } from '../../../ui/eui.tsx'
import { formatCount } from '../../../ui/numbers.ts'
import { type Column, PlainTable } from '../../../ui/plain-table.tsx'
import { Time } from '../../../ui/time.tsx'
import { Card } from '../card.tsx'
import type { Radio } from './radio-series.ts'

type Gateway = Radio['gateways'][number]

const columns: Column<Gateway>[] = [
  {
    title: 'Gateway',
    cell: ({ gateway_eui, name }) => (
      <>
        {name && <div>{name}</div>}
        <Eui value={gateway_eui} label="gateway EUI" />
      </>
    ),
  },
  { title: 'Uplinks', isNumber: true, cell: ({ uplinks }) => formatCount(uplinks) },
  { title: 'Best RSSI', isNumber: true, cell: ({ best_rssi }) => write(best_rssi, 'dBm') },
  {
    title: 'Mean RSSI',
    isNumber: true,
    isExtra: true,
    cell: (row) => write(row.average_rssi, 'dBm'),
  },
  { title: 'Best SNR', isNumber: true, cell: ({ best_snr }) => write(best_snr, 'dB') },
  { title: 'Mean SNR', isNumber: true, isExtra: true, cell: (row) => write(row.average_snr, 'dB') },
  { title: 'First heard', isExtra: true, cell: (row) => <Time value={row.first_heard} /> },
  { title: 'Last heard', cell: (row) => <Time value={row.last_heard} /> },
]

/** The gateways that heard the device, the one that heard the most first. */
export function HearingGateways({ gateways }: { gateways: readonly Gateway[] }) {
  return (
    <Card title="Gateways that heard it">
      {gateways.length > 0 ? (
        <PlainTable
          caption="Gateways that heard the device"
          columns={columns}
          rows={gateways}
          keyOf={({ gateway_eui }) => gateway_eui}
        />
      ) : (
        'The network does not tell which gateways heard it.'
      )}
    </Card>
  )
}

function write(value: number | null, unit: string): string {
  return value === null ? '–' : `${value.toFixed(1)} ${unit}`
}
