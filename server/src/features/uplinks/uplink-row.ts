import type { Uplink } from '../../networks/network-message.ts'
import { renderMessage, renderObject } from '../../sensors/render.ts'
import type { Reading } from '../../sensors/sensor.ts'
import type { KnownDevice } from '../inventory/named-device-queries.ts'
import { eventNumber } from '../inventory/uplink-columns.ts'
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

/**
 * The row of an uplink with these ordinals. A short one leaves out what follows from the payload
 * (docs/decisions/0047-short-rows.md).
 */
export function toUplinkRow(
  { arrival, device, reading, isPlain }: DecodedArrival,
  { ordinal, deviceOrdinal, isShort }: { ordinal: number; deviceOrdinal: number; isShort: boolean },
): UplinkRow {
  const { uplink } = arrival
  const { deduplicationKey: key } = uplink
  const event_number = isShort ? eventNumber(reading.event) : undefined
  const isId = isShort && uuid.test(key)
  const best = uplink.receptions[0]
  return {
    organization_id: device.organization_id,
    ordinal,
    device_id: device.id,
    device_ordinal: deviceOrdinal,
    deduplication_key: isId ? undefined : key,
    deduplication_id: isId ? key : undefined,
    event_time: uplink.receivedAt,
    event_type: event_number === undefined ? reading.event : undefined,
    event_number,
    sensor_sequence: isShort && isOfPayload(reading, uplink) ? undefined : reading.sequence,
    decoded_object: renderObject(reading),
    decoded_message: isShort && isPlain ? undefined : renderMessage(reading),
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

/** As PostgreSQL writes one. */
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Whether the payload tells the packet counter: see `sequenceOf` (inventory/uplink-columns.ts). */
function isOfPayload({ sequence }: Reading, { payload: [header] }: Uplink): boolean {
  return header !== undefined && sequence.length === 1 && sequence[0] === (header & 15)
}

/** Some networks report a mean RSSI, or a frequency in MHz that gives a fraction of a Hz. */
function rounded(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(value)
}
