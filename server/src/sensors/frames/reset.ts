import { uint8, uint16 } from '../bytes.ts'
import { type Measurement, measurement } from '../measurement.ts'
import type { Content, Layout, PayloadField, StatusChange } from '../sensor.ts'

/*
 * Reset (0x00): every sensor sends it on power-up.
 *
 * | byte | meaning                                                                       |
 * |------|-------------------------------------------------------------------------------|
 * | 0    | sensor type code                                                              |
 * | 1    | hardware version: high nibble . low nibble; 00 and FF: not set                |
 * | 2-3  | firmware version. Bit 15 clear: 7 bits major, 8 bits minor (0x0103 = 1.3);    |
 * |      | bit 15 set: 5 bits each of major, minor, build (0x8823 = 2.1.3)               |
 * | 4-5  | reset code, factory diagnostics; may be absent                                |
 *
 * Source: RBS3010NA0EBN0 manual (manualslib 3247730) p. 13; hardware version not set:
 * RadioBridge/Packet-Decoder. Type codes: the same manual and the Radio Bridge decoder of
 * TheThingsNetwork/lorawan-devices; 0x22 from the part number RBS3010xx22BN00.
 */
const sensorTypes: Record<number, string> = {
  1: 'Door/Window',
  2: 'Door/Window High Security',
  3: 'Contact',
  4: 'No-Probe Temperature',
  5: 'External Probe Temperature',
  6: 'Single Push Button',
  7: 'Dual Push Button',
  8: 'Acceleration-Based Movement',
  9: 'Tilt',
  10: 'Water',
  11: 'Tank Level Float',
  12: 'Glass Break',
  13: 'Ambient Light',
  14: 'Air Temperature and Humidity',
  15: 'High-Precision Tilt',
  16: 'Ultrasonic Level',
  17: '4-20mA Current Loop',
  18: 'External Probe Air Temperature and Humidity',
  19: 'Thermocouple',
  20: 'Voltage',
  21: 'Custom',
  22: 'GPS',
  23: 'Honeywell 5800 Bridge',
  24: 'Magnetometer',
  25: 'Internal Temperature',
  26: 'High-Bandwidth Vibration',
  34: 'Water, Temperature and Humidity',
}

function decodeReset(payload: Uint8Array): Content {
  const sensorTypeCode = uint8(payload, 0)
  const sensorType = sensorTypes[sensorTypeCode] ?? 'Unknown'
  const hardware = readHardwareVersion(uint8(payload, 1))
  const firmware = readFirmwareVersion(uint16(payload, 2))
  const values: Content['values'] = { sensorType, sensorTypeCode, firmwareVersion: firmware }
  const lines = ['Reset', `Sensor type: ${sensorType}`, `Firmware version: ${firmware}`]
  const status: StatusChange = { firmware_version: firmware }
  if (hardware) {
    values.hardwareVersion = hardware
    lines.push(`Hardware version: ${hardware}`)
    status.hardware_version = hardware
  }
  if (payload.length >= 6) {
    const resetCode = `0x${uint16(payload, 4).toString(16).toUpperCase().padStart(4, '0')}`
    values.resetCode = resetCode
    lines.push(`Reset code: ${resetCode}`)
  }
  return { description: 'Reset', values, lines, status }
}

const measurements: readonly Measurement[] = [
  measurement('sensorTypeCode', 'code'),
  ...['sensorType', 'firmwareVersion', 'hardwareVersion', 'resetCode'].map((key) =>
    measurement(key, 'text'),
  ),
]

const fields: readonly PayloadField[] = [
  {
    label: 'Sensor type',
    at: 0,
    keys: ['sensorTypeCode', 'sensorType'],
    coding: Object.entries(sensorTypes)
      .map(([code, name]) => `${code} ${name}`)
      .join(', '),
  },
  {
    label: 'Hardware version',
    at: 1,
    keys: ['hardwareVersion'],
    coding: 'one nibble each; 0 and 255: not set',
  },
  {
    label: 'Firmware version',
    at: 2,
    length: 2,
    keys: ['firmwareVersion'],
    coding: 'bit 15 clear: 7 and 8 bits; set: 5 bits each of three numbers',
  },
  {
    label: 'Reset code',
    at: 4,
    length: 2,
    keys: ['resetCode'],
    coding: 'factory diagnostics; may be absent',
  },
]

function readHardwareVersion(byte: number): string | undefined {
  if (byte === 0x00 || byte === 0xff) return undefined
  return `${byte >> 4}.${byte & 0x0f}`
}

function readFirmwareVersion(word: number): string {
  if (word & 0x8000) return `${(word >> 10) & 0x1f}.${(word >> 5) & 0x1f}.${word & 0x1f}`
  return `${word >> 8}.${word & 0xff}`
}

export const reset: Layout = {
  messages: [
    {
      eventCode: 0x00,
      event: 'RESET',
      minimumLength: 4,
      decode: decodeReset,
      fields,
      measurements,
    },
  ],
  examples: [
    {
      about: 'firmware of three numbers',
      hex: '100011278850703c',
      gives: {
        event: 'RESET',
        description: 'Reset',
        values: {
          sensorType: '4-20mA Current Loop',
          sensorTypeCode: 17,
          hardwareVersion: '2.7',
          firmwareVersion: '2.2.16',
          resetCode: '0x703C',
        },
        lines: [
          'Reset',
          'Sensor type: 4-20mA Current Loop',
          'Firmware version: 2.2.16',
          'Hardware version: 2.7',
          'Reset code: 0x703C',
        ],
        status: { hardware_version: '2.7', firmware_version: '2.2.16' },
      },
    },
    {
      about: 'older firmware, without a hardware version and a reset code',
      hex: '100001ff0103',
      gives: {
        values: { sensorType: 'Door/Window', sensorTypeCode: 1, firmwareVersion: '1.3' },
        status: { firmware_version: '1.3' },
      },
    },
  ],
}
