import { z } from 'zod'
import { withExamples } from '../../http/examples.ts'
import { isoTime } from '../../http/timestamps.ts'
import { messageOf } from '../rows/message.ts'
import { receptionRecord, toReceptionRecords } from './reception-record.ts'
import type { StoredUplink } from './uplink-queries.ts'

/** An uplink in answers of the API (docs/contract.txt, 2.14). */
export const uplinkRecord = z
  .object(
    withExamples(
      {
        id: z.int(),
        did: z.int(),
        device_id: z.string(),
        device_type_id: z.int(),
        device_name: z.string(),
        event_type: z.string(),
        sensor_sequence: z.array(z.int()),
        decoded_object: z.object({ eventDescription: z.string() }).catchall(z.unknown()),
        decoded_message: z.string(),
        event_time: z.string(),
        data: z.string().regex(/^([0-9a-f]{2})*$/),
        lat: z.number(),
        lng: z.number(),
        signal_bars: z.enum(['0', '1', '2', '3', '4', '5']),
        snr: z.number(),
        rssi: z.int(),
        client_api_log: z.array(z.unknown()),
        additional_data: z.object({
          network: z.string(),
          f_port: z.int(),
          f_cnt: z.int(),
          data_rate: z.string().nullable(),
          frequency: z.int().nullable(),
          gateways: z.array(receptionRecord),
        }),
      },
      {
        id: 90210,
        did: 101,
        device_id: '00AA000000000001',
        device_type_id: 16,
        device_name: 'Front door',
        event_type: 'DOOR_SENSOR',
        sensor_sequence: [10],
        decoded_object: { eventDescription: 'Door Opened', state: 'open' },
        decoded_message: 'Door Opened',
        event_time: '2026-03-01T11:59:07.775023Z',
        data: '1a0301',
        lat: 52.25,
        lng: 4.875,
        signal_bars: '5',
        snr: 10.5,
        rssi: -36,
        client_api_log: [],
        additional_data: {
          network: 'chirpstack',
          f_port: 2,
          f_cnt: 10,
          data_rate: 'SF7BW125',
          frequency: 867100000,
          gateways: [
            { gateway_eui: '00AA0000000000F1', rssi: -36, snr: 10.5, lat: 52.25, lng: 4.875 },
          ],
        },
      },
    ),
  )
  .meta({ id: 'Uplink' })

export function toUplinkRecord(uplink: StoredUplink) {
  return {
    id: uplink.id,
    did: uplink.device_id,
    device_id: uplink.device_eui,
    device_type_id: uplink.device_type_id,
    device_name: uplink.device_name,
    event_type: uplink.event_type,
    sensor_sequence: uplink.sensor_sequence,
    decoded_object: uplink.decoded_object as z.infer<typeof uplinkRecord>['decoded_object'],
    decoded_message: messageOf(uplink),
    event_time: isoTime(uplink.event_time),
    data: uplink.payload,
    lat: uplink.latitude ?? 0,
    lng: uplink.longitude ?? 0,
    signal_bars: signalBars(uplink.rssi, uplink.snr),
    snr: uplink.snr ?? 0,
    rssi: uplink.rssi ?? 0,
    client_api_log: uplink.client_api_log ?? [],
    additional_data: {
      network: uplink.network,
      f_port: uplink.f_port,
      f_cnt: uplink.f_cnt,
      data_rate: uplink.data_rate,
      frequency: uplink.frequency,
      gateways: toReceptionRecords(uplink),
    },
  }
}

const bars = ['0', '1', '2', '3', '4', '5'] as const
/** dBm. */
const strengthSteps = [-120, -115, -105, -95, -85]
/** dB. */
const snrSteps = [-20, -12.5, -7.5, -2.5, 2.5]

/**
 * Returns the reception in bars. A signal below the noise (negative SNR) is worse than its strength
 * indicates. LoRa can still receive it down to -20 dB (SX1276 data sheet, table 13); this is one
 * bar.
 */
function signalBars(rssi: number | null, snr: number | null): (typeof bars)[number] {
  if (rssi === null && snr === null) return '0'
  const byStrength = stepsAbove(rssi ?? -100, strengthSteps)
  const bySnr = stepsAbove(snr ?? 0, snrSteps)
  return bars[Math.min(byStrength, bySnr)] ?? '0'
}

function stepsAbove(value: number, steps: readonly number[]): number {
  let count = 0
  for (const step of steps) if (value >= step) count += 1
  return count
}
