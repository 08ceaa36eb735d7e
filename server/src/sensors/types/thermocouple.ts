import { int16, uint8 } from '../bytes.ts'
import { reportEvents } from '../report-events.ts'
import type { Content, SensorFile } from '../sensor.ts'
import { unknownReason } from '../unknown-reason.ts'
import { thermocoupleSettings } from './thermocouple-settings.ts'

/*
 * Thermocouple.
 *
 * | byte | meaning                                                                               |
 * |------|---------------------------------------------------------------------------------------|
 * | 0    | 0 periodic, 1 above threshold, 2 below threshold, 3 and 4 change up, down, 5 fault    |
 * | 1-2  | °C / 16, two's complement                                                             |
 * | 3    | fault bits, see `faultTexts`                                                          |
 *
 * Source: support.radiobridge.com, decoding of a thermocouple event.
 */
const events = [...reportEvents('Temperature'), 'Fault']

/** By bit, lowest first. */
const faultTexts = [
  'open circuit',
  'input voltage negative or above the supply',
  'thermocouple too cold',
  'thermocouple too hot',
  'cold junction below its low threshold',
  'cold junction above its high threshold',
  'hot junction outside its normal range',
  'cold junction outside its normal range',
]

function decodeThermocouple(payload: Uint8Array): Content {
  const description = events[uint8(payload, 0)] ?? unknownReason(uint8(payload, 0))
  const temperature = int16(payload, 1) / 16
  const faultBits = uint8(payload, 3)
  const faults = nameFaults(faultBits)
  return {
    description,
    values: { temperature, faultBits, faults },
    lines: [
      `Thermocouple Event: ${description}`,
      `Temperature in degrees Celsius: ${temperature} C`,
      `Faults: ${faults}`,
    ],
    status: { current_sensor_state: `${temperature} C` },
  }
}

function nameFaults(bits: number): string {
  if (bits === 0) return 'none'
  return faultTexts.filter((_, bit) => bits & (1 << bit)).join(', ')
}

export const thermocouple: SensorFile = {
  messages: [
    {
      eventCode: 0x13,
      event: 'THERMOCOUPLE_TEMP_SENSOR',
      minimumLength: 4,
      decode: decodeThermocouple,
    },
  ],
  deviceTypes: [
    {
      typeId: 118,
      typeName: 'Thermocouple',
      partNumber: 'RBS306-TEMP-TC',
      typeCode: 0x13,
      eventCodes: [0x13],
      settings: thermocoupleSettings,
    },
  ],
  examples: [
    {
      about: 'room temperature',
      hex: '141300015d00',
      gives: {
        event: 'THERMOCOUPLE_TEMP_SENSOR',
        description: 'Periodic Report',
        values: { temperature: 21.8125, faultBits: 0, faults: 'none' },
        lines: [
          'Thermocouple Event: Periodic Report',
          'Temperature in degrees Celsius: 21.8125 C',
          'Faults: none',
        ],
        status: { current_sensor_state: '21.8125 C' },
      },
    },
    {
      about: 'a broken wire in the frost',
      hex: '101305fff041',
      gives: {
        description: 'Fault',
        values: {
          temperature: -1,
          faultBits: 65,
          faults: 'open circuit, hot junction outside its normal range',
        },
      },
    },
  ],
}
