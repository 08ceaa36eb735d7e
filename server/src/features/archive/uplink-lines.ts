import { csvLine } from '../../http/csv.ts'
import { messageOf } from '../../uplinks/message.ts'
import { readReceptions } from '../../uplinks/receptions.ts'
import { toPlainText } from '../uplinks/fleet-uplink-record.ts'
import type { ArchivedUplink } from './archive-format.ts'

/** What lines of CSV say of a device, by its id. */
export type Naming = Map<number, { eui: string; name: string; network: string }>

/** Reads a line of the database: its gateways are text there. */
export function toArchivedUplink(line: string): ArchivedUplink {
  const { receptions, ...uplink } = JSON.parse(line)
  const decoded_message = messageOf(uplink)
  return { ...uplink, decoded_message, gateways: readReceptions({ receptions }) }
}

export const csvHeader = csvLine([
  'received_at',
  'event_time',
  'device_id',
  'device_name',
  'network',
  'event_type',
  'text',
  'data',
  'f_port',
  'f_cnt',
  'rssi',
  'snr',
  'data_rate',
  'frequency',
])

export function toCsvLine(uplink: ArchivedUplink, naming: Naming): string {
  const device = naming.get(uplink.device)
  return csvLine([
    uplink.received_at,
    uplink.event_time,
    device?.eui ?? null,
    device?.name ?? null,
    device?.network ?? null,
    uplink.event_type,
    toPlainText(uplink.decoded_message),
    uplink.payload,
    uplink.f_port,
    uplink.f_cnt,
    uplink.rssi,
    uplink.snr,
    uplink.data_rate,
    uplink.frequency,
  ])
}
