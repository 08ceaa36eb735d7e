import { z } from 'zod'
import { ownType } from '../../features/fleet/inventory/device-queries.ts'
import {
  exampleReading,
  readingRecord,
  toReadingRecord,
} from '../../features/fleet/inventory/reading-record.ts'
import { type Tags, tagsInAnswer } from '../../features/fleet/inventory/tags.ts'
import { withExamples } from '../../http/examples.ts'
import { isoTime, type Moment } from '../../http/timestamps.ts'
import type { OwnType } from '../../sensors/own-measurements.ts'
import type { ReadingValue } from '../../sensors/sensor.ts'
import { readingOf } from '../../sensors/shown-reading.ts'
import { messageOf } from '../rows/message.ts'
import type { StoredReceptions } from '../rows/receptions.ts'
import { receptionRecord, toReceptionRecords } from './reception-record.ts'

/** An uplink with the columns of its device, as `fleetColumns` reads it. */
export interface FleetUplinkRow extends StoredReceptions {
  id: number
  ordinal: number
  device_id: number
  device_eui: string
  device_name: string
  device_type_id: number
  tags: Tags
  /** Of a type of the organization; null for a built-in one. */
  own_type: OwnType | null
  is_deleted: boolean
  network: string
  event_type: string
  decoded_object: Record<string, ReadingValue>
  /** See `messageOf`. */
  decoded_message: string | null
  event_time: Moment
  received_at: Moment
  payload: string
  f_port: number
  f_cnt: number
  rssi: number | null
  snr: number | null
  data_rate: string | null
  frequency: number | null
}

/** SQL: the columns of `FleetUplinkRow`. */
export const fleetColumns = `uplinks.id, uplinks.ordinal, uplinks.device_id,
  devices.device_eui, devices.name as device_name, devices.type_id as device_type_id,
  devices.tags, ${ownType} as own_type,
  devices.deleted_at is not null as is_deleted, devices.network,
  uplinks.event_type,
  uplinks.decoded_object, uplinks.decoded_message, uplinks.event_time, uplinks.received_at,
  encode(uplinks.payload, 'hex') as payload, uplinks.f_port, uplinks.f_cnt, uplinks.rssi,
  uplinks.snr, uplinks.data_rate, uplinks.frequency,
  uplinks.receptions`

/** An uplink in the lists and the stream of the console. What is absent is null. */
export const fleetUplink = z
  .object(
    withExamples(
      {
        id: z.int(),
        ordinal: z
          .int()
          .describe('Counts the uplinks of the organization in the order of their arrival.'),
        did: z.int().describe('The id of the device.'),
        device_id: z.string().describe('The DevEUI.'),
        device_name: z.string(),
        device_type_id: z.int(),
        tags: tagsInAnswer.describe('Of the device, as they are now.'),
        device_is_deleted: z.boolean(),
        network: z.string(),
        event_type: z.string(),
        reading: readingRecord.nullable().describe('Null where it has none of its sensor.'),
        text: z.string().describe('What was decoded, as plain text in lines.'),
        decoded_object: z.object({ eventDescription: z.string() }).catchall(z.unknown()),
        event_time: z.string().describe('The time of the network.'),
        received_at: z.string().describe('The time at which it was stored.'),
        data: z.string().regex(/^([0-9a-f]{2})*$/),
        f_port: z.int(),
        f_cnt: z.int(),
        rssi: z.int().nullable(),
        snr: z.number().nullable(),
        data_rate: z.string().nullable(),
        frequency: z.int().nullable(),
        gateways: z.array(receptionRecord),
      },
      {
        id: 90210,
        ordinal: 80113,
        did: 101,
        device_id: '00AA000000000001',
        device_name: 'Front door',
        device_type_id: 16,
        tags: { floor: '2' },
        device_is_deleted: false,
        network: 'chirpstack',
        event_type: 'DOOR_SENSOR',
        reading: exampleReading,
        text: 'Door Opened',
        decoded_object: { eventDescription: 'Door Opened', state: 'open' },
        event_time: '2026-03-01T11:59:07.775023Z',
        received_at: '2026-03-01T11:59:07.912004Z',
        data: '1a0301',
        f_port: 2,
        f_cnt: 10,
        rssi: -36,
        snr: 10.5,
        data_rate: 'SF7BW125',
        frequency: 867100000,
        gateways: [
          { gateway_eui: '00AA0000000000F1', rssi: -36, snr: 10.5, lat: 52.25, lng: 4.875 },
        ],
      },
    ),
  )
  .meta({ id: 'FleetUplink' })

export type FleetUplink = z.infer<typeof fleetUplink>

export function toFleetUplink(row: FleetUplinkRow): FleetUplink {
  return {
    id: row.id,
    ordinal: row.ordinal,
    did: row.device_id,
    device_id: row.device_eui,
    device_name: row.device_name,
    device_type_id: row.device_type_id,
    tags: row.tags,
    device_is_deleted: row.is_deleted,
    network: row.network,
    event_type: row.event_type,
    reading: toReadingRecord(readingOf(row), isoTime(row.event_time)),
    text: toPlainText(messageOf(row)),
    decoded_object: row.decoded_object as FleetUplink['decoded_object'],
    event_time: isoTime(row.event_time),
    received_at: isoTime(row.received_at),
    data: row.payload,
    f_port: row.f_port,
    f_cnt: row.f_cnt,
    rssi: row.rssi,
    snr: row.snr,
    data_rate: row.data_rate,
    frequency: row.frequency,
    gateways: toReceptionRecords(row),
  }
}

const characters: Record<string, string> = {
  '<br>': '\n',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
}

/** Undoes `renderMessage`: the console shows text, never HTML. */
export function toPlainText(message: string): string {
  return message.replace(/<br>|&(?:lt|gt|quot|#39|amp);/g, (found) => characters[found] ?? found)
}
