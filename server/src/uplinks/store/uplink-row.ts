import type { KnownDevice } from '../../features/fleet/inventory/named-device-queries.ts'
import { renderMessage, renderObject } from '../../sensors/render.ts'
import type { Reading } from '../../sensors/sensor.ts'
import type { Arrival } from './arrival.ts'
import { toGateways } from './receptions.ts'
import type { UplinkRow } from './writer-queries.ts'

interface DecodedArrival {
  arrival: Arrival
  device: KnownDevice
  reading: Reading
  /** Whether the built-in decoder alone has made the reading from the payload. */
  isPlain: boolean
}

interface RowPlace {
  ordinal: number
  deviceOrdinal: number
}

/** The row of an uplink with these ordinals. */
export function toUplinkRow(
  { arrival, device, reading, isPlain }: DecodedArrival,
  { ordinal, deviceOrdinal }: RowPlace,
): UplinkRow {
  const { uplink } = arrival
  const best = uplink.receptions[0]
  return {
    organization_id: device.organization_id,
    ordinal,
    device_id: device.id,
    device_ordinal: deviceOrdinal,
    deduplication_key: uplink.deduplicationKey,
    event_time: uplink.receivedAt,
    event_type: reading.event,
    sensor_sequence: reading.sequence,
    decoded_object: renderObject(reading),
    decoded_message: isPlain ? undefined : renderMessage(reading),
    payload: Buffer.from(uplink.payload).toString('hex'),
    f_port: uplink.fPort,
    f_cnt: uplink.fCnt,
    rssi: rounded(best?.rssi),
    snr: best?.snr,
    latitude: best?.latitude,
    longitude: best?.longitude,
    data_rate: uplink.dataRate,
    frequency: rounded(uplink.frequency),
    gateways: toGateways(uplink.receptions),
  }
}

/** Some networks report a mean RSSI, or a frequency in MHz that gives a fraction of a Hz. */
function rounded(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(value)
}
