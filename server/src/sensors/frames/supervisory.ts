import { uint8, uint16 } from '../bytes.ts'
import { type Measurement, measurement } from '../measurement.ts'
import type { Content, Layout, PayloadField, StatusChange } from '../sensor.ts'

/*
 * Supervisory (0x01): the health report of every sensor, every 19 hours by default.
 *
 * | byte | meaning                                                                            |
 * |------|------------------------------------------------------------------------------------|
 * | 0    | bit 0 radio communication error, 1 battery low, 2 error with the last downlink,    |
 * |      | 3 current tamper state, 4 tamper since reset                                       |
 * | 1    | sensor state; its meaning depends on the sensor                                    |
 * | 2    | battery voltage: high nibble volts, low nibble tenths (0x29 = 2.9 V)               |
 * | 3-6  | extended sensor state; absent in old firmware                                      |
 * | 7-8  | events since the last supervisory message; firmware 2.0 and newer                  |
 *
 * Source: RBS3010NA0EBN0 manual (manualslib 3247730) p. 12-15. The flags are in the order of the
 * manual and of the decoder in TheThingsNetwork/lorawan-devices; RadioBridge/Packet-Decoder shifts
 * them by one.
 */
function decodeSupervisory(payload: Uint8Array): Content {
  const flags = uint8(payload, 0)
  const battery = readBattery(uint8(payload, 2))
  const values: Content['values'] = {
    radioCommunicationError: (flags & 0x01) !== 0,
    batteryLow: (flags & 0x02) !== 0,
    errorWithLastDownlink: (flags & 0x04) !== 0,
    tamperState: (flags & 0x08) !== 0,
    tamperSinceLastReset: (flags & 0x10) !== 0,
    sensorState: uint8(payload, 1),
    battery,
  }
  const lines = [
    'Supervisory message',
    `Battery: ${battery.toFixed(1)} V`,
    `Battery low: ${yesOrNo(flags & 0x02)}`,
    `Radio communication error: ${yesOrNo(flags & 0x01)}`,
    `Error with last downlink: ${yesOrNo(flags & 0x04)}`,
    `Tamper: ${yesOrNo(flags & 0x08)}`,
    `Tamper since last reset: ${yesOrNo(flags & 0x10)}`,
    `Sensor state: ${uint8(payload, 1)}`,
  ]
  if (payload.length >= 7) {
    values.extendedSensorState = Array.from(payload.subarray(3, 7))
    lines.push(`Extended sensor state: ${values.extendedSensorState.join(' ')}`)
  }
  if (payload.length >= 9) {
    values.accumulationCount = uint16(payload, 7)
    lines.push(`Events since last supervisory message: ${values.accumulationCount}`)
  }
  return { description: 'Supervisory message', values, lines, status: readStatus(flags, battery) }
}

const flags = [
  ['radioCommunicationError', 'Radio communication error'],
  ['batteryLow', 'Battery low'],
  ['errorWithLastDownlink', 'Error with last downlink'],
  ['tamperState', 'Tamper'],
  ['tamperSinceLastReset', 'Tamper since last reset'],
] as const

const measurements: readonly Measurement[] = [
  measurement('battery', 'number', {
    ...{ unit: 'V', quantity: 'battery', decimals: 1, min: 0 },
    ...{ isHeadline: true, prefix: 'Battery ' },
  }),
  ...flags.map(([key, label]) => measurement(key, 'state', { label })),
  measurement('sensorState', 'code'),
  measurement('extendedSensorState', 'code'),
  measurement('accumulationCount', 'counter', { label: 'Events since last supervisory message' }),
]

const flagFields = flags.map(
  ([key, label], bit): PayloadField => ({
    label,
    at: 0,
    bits: { lowest: bit, count: 1 },
    keys: [key],
  }),
)

const fields: readonly PayloadField[] = [
  ...flagFields,
  { label: 'Sensor state', at: 1, keys: ['sensorState'], coding: 'depends on the sensor' },
  { label: 'Battery', at: 2, keys: ['battery'], coding: 'a nibble of volts, a nibble of tenths' },
  {
    label: 'Extended sensor state',
    at: 3,
    length: 4,
    keys: ['extendedSensorState'],
    coding: 'depends on the sensor; absent in old firmware',
  },
  {
    label: 'Events since last supervisory message',
    at: 7,
    length: 2,
    keys: ['accumulationCount'],
    coding: 'unsigned; firmware 2.0 and newer',
  },
]

function readStatus(flags: number, battery: number): StatusChange {
  return {
    battery: `${battery.toFixed(1)}V`,
    low_battery: yesOrNo(flags & 0x02),
    tamper: yesOrNo(flags & 0x08),
    tamper_detect_since_reset: yesOrNo(flags & 0x10),
    config_error: yesOrNo(flags & 0x04),
    // A sensor that sends again is within its rate limit.
    rate_limit_status: 'No',
  }
}

function readBattery(byte: number): number {
  return ((byte >> 4) * 10 + (byte & 0x0f)) / 10
}

function yesOrNo(bit: number): 'Yes' | 'No' {
  return bit ? 'Yes' : 'No'
}

export const supervisory: Layout = {
  messages: [
    {
      eventCode: 0x01,
      event: 'SUPERVISOR',
      minimumLength: 3,
      decode: decodeSupervisory,
      fields,
      measurements,
    },
  ],
  examples: [
    {
      about: 'low battery and radio error, all nine bytes',
      hex: '1901030126000000000102',
      gives: {
        event: 'SUPERVISOR',
        description: 'Supervisory message',
        values: {
          radioCommunicationError: true,
          batteryLow: true,
          errorWithLastDownlink: false,
          tamperState: false,
          tamperSinceLastReset: false,
          sensorState: 1,
          battery: 2.6,
          extendedSensorState: [0, 0, 0, 0],
          accumulationCount: 258,
        },
        status: {
          battery: '2.6V',
          low_battery: 'Yes',
          tamper: 'No',
          tamper_detect_since_reset: 'No',
          config_error: 'No',
          rate_limit_status: 'No',
        },
      },
    },
    {
      about: 'three bytes of old firmware: case open, last downlink refused, 3.0 V',
      hex: '10011c0130',
      gives: {
        lines: [
          'Supervisory message',
          'Battery: 3.0 V',
          'Battery low: No',
          'Radio communication error: No',
          'Error with last downlink: Yes',
          'Tamper: Yes',
          'Tamper since last reset: Yes',
          'Sensor state: 1',
        ],
        status: {
          battery: '3.0V',
          low_battery: 'No',
          tamper: 'Yes',
          tamper_detect_since_reset: 'Yes',
          config_error: 'Yes',
          rate_limit_status: 'No',
        },
      },
    },
  ],
}
