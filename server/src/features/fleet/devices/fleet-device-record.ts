import { z } from 'zod'
import { withExamples } from '../../../http/examples.ts'
import { isoTime } from '../../../http/timestamps.ts'
import { readingOf, readingOfState } from '../../../sensors/shown-reading.ts'
import { accountNameInAnswer, methodInAnswer } from '../../accounts/connections/account-name.ts'
import { placeInAnswer, placeOf } from '../inventory/places.ts'
import { exampleReading, readingRecord, toReadingRecord } from '../inventory/reading-record.ts'
import { typeName } from '../inventory/references.ts'
import { tagsInAnswer } from '../inventory/tags.ts'
import { toVerdict, verdictRecord } from '../inventory/verdict.ts'
import { networkName } from './device-record.ts'
import type { FleetDevice } from './fleet-device-queries.ts'

const isTold = z.boolean().nullable()

/** A row of the console's table of devices. What the device has not told is null. */
export const fleetDevice = z
  .object({
    ...withExamples(
      {
        id: z.int(),
        device_id: z.string(),
        join_eui: z.string(),
        device_name: z.string(),
        device_type: z.object({ id: z.int(), name: z.string() }),
        network: z.object({ key: z.string(), name: z.string() }),
        register_method: z.string(),
        ...accountNameInAnswer,
        groups: z.array(z.object({ id: z.int(), name: z.string() })),
        last_seen: z.string().nullable(),
        reading: readingRecord.nullable(),
        battery: z.number().nullable().meta({ description: 'In volts.' }),
        low_battery: isTold,
        tamper: isTold,
        config_error: isTold,
        sensor_state: z.string().nullable(),
        rssi: z.int().nullable().meta({ description: 'Of the last uplink.' }),
        snr: z.number().nullable().meta({ description: 'Of the last uplink.' }),
        uplink_count: z.int(),
        device_register_status: z.enum(['pending', 'active', 'register_error']),
        api_error: z.string().nullable(),
        is_active: z.boolean(),
        waiting_downlinks: z.int(),
        extra_notes: z.string().nullable(),
        tags: tagsInAnswer,
        created_at: z.string(),
      },
      {
        id: 101,
        device_id: '00AA000000000001',
        join_eui: '0000000000000000',
        device_name: 'Front door',
        device_type: { id: 16, name: 'RBS301-DWS - LoRa Door/Window' },
        network: { key: 'chirpstack', name: 'ChirpStack v4' },
        register_method: 'user_account',
        groups: [{ id: 12, name: 'Ground floor' }],
        last_seen: '2026-03-01T11:59:07.775023Z',
        reading: exampleReading,
        battery: 2.9,
        low_battery: false,
        tamper: false,
        config_error: false,
        sensor_state: 'Open',
        rssi: -36,
        snr: 10.5,
        uplink_count: 4711,
        device_register_status: 'active',
        api_error: null,
        is_active: true,
        waiting_downlinks: 0,
        extra_notes: null,
        tags: { floor: '2' },
        created_at: '2026-02-03T09:30:00.125000Z',
      },
    ),
    ...placeInAnswer,
    verdict: verdictRecord,
  })
  .meta({ id: 'FleetDevice' })

export type FleetDeviceRecord = z.infer<typeof fleetDevice>

export function toFleetDevice(device: FleetDevice, now: Date): FleetDeviceRecord {
  const { status } = device
  return {
    id: device.id,
    device_id: device.eui,
    join_eui: device.join_eui,
    device_name: device.name,
    device_type: { id: device.type_id, name: typeName(device) },
    network: { key: device.network, name: networkName(device) },
    ...methodInAnswer(device.register_method),
    groups: device.groups,
    last_seen: device.last_seen === null ? null : isoTime(device.last_seen),
    reading: readingOfDevice(device),
    battery: device.battery,
    low_battery: isYes(status.low_battery),
    tamper: isYes(status.tamper),
    config_error: isYes(status.config_error),
    sensor_state: status.current_sensor_state ?? null,
    rssi: device.rssi,
    snr: device.snr,
    uplink_count: device.uplink_count,
    device_register_status: device.register_status,
    api_error: device.register_error,
    is_active: device.is_active,
    waiting_downlinks: device.waiting_downlinks,
    extra_notes: device.extra_notes,
    tags: device.tags,
    ...placeOf(device, status.place && { ...status.place, source: 'sensor' }),
    created_at: isoTime(device.created_at),
    verdict: toVerdict(device, now),
  }
}

/** A built-in sensor keeps its state over messages that say nothing of it. */
function readingOfDevice(device: FleetDevice) {
  const { type_id, own_type, event_type, event_time, decoded_object, status, state_time } = device
  if (decoded_object && event_type !== null && event_time !== null) {
    const reading = readingOf({ event_type, decoded_object, own_type })
    return toReadingRecord(reading, isoTime(event_time))
  }
  const { current_sensor_state: state } = status
  if (state === undefined || state_time === null) return null
  return toReadingRecord(readingOfState(type_id, state), state_time)
}

function isYes(text: 'Yes' | 'No' | undefined): boolean | null {
  return text === undefined ? null : text === 'Yes'
}
