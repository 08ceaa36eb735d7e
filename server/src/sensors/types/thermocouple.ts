import { int16, uint8 } from '../bytes.ts'
import {
  type Measurement,
  measurement,
  probeTemperature,
  rangeMeasurement,
} from '../measurement.ts'
import { ranges, reasonField, reportEvents, unknownReason } from '../measurement-message.ts'
import type { Content, PayloadField, Sensor } from '../sensor.ts'
import {
  decrease,
  increase,
  lowerThreshold,
  modes,
  periodicReportField,
  type Quantity,
  restoralMargin,
  upperThreshold,
} from '../settings/measurement-fields.ts'
import { select, sensorSection } from '../settings/section.ts'

/*
 * Thermocouple.
 *
 * | byte | meaning                                                                               |
 * |------|---------------------------------------------------------------------------------------|
 * | 0    | 0 periodic, 1 above threshold, 2 below threshold, 3 and 4 change up, down, 5 fault    |
 * | 1-2  | °C / 16, two's complement                                                             |
 * | 3    | fault bits, see `faultTexts`                                                          |
 *
 * Source: support.radiobridge.com, decoding of a thermocouple event. The bits are those of the converter
 * (MAX31856 datasheet, fault status register): with an open circuit, or a voltage that it cannot convert,
 * bytes 1-2 are no measurement; outside the range of the thermocouple they are an end of it.
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

const fields: readonly PayloadField[] = [
  reasonField(events),
  {
    label: 'Temperature',
    at: 1,
    length: 2,
    keys: ['temperature', 'temperatureRange'],
    coding: "two's complement, °C / 16; no number with the faults of bits 0, 1 and 6",
  },
  {
    label: 'Faults',
    at: 3,
    keys: ['faultBits', 'faults', 'temperatureRange'],
    coding: faultTexts.map((text, bit) => `bit ${bit} ${text}`).join(', '),
  },
]

const measurements: readonly Measurement[] = [
  probeTemperature(1),
  rangeMeasurement({ key: 'temperature', isHeadline: true }, ['no reading', ...ranges]),
  measurement('faultBits', 'code'),
  measurement('faults', 'text'),
]

function decodeThermocouple(payload: Uint8Array): Content {
  const description = events[uint8(payload, 0)] ?? unknownReason(uint8(payload, 0))
  const temperature = int16(payload, 1) / 16
  const faultBits = uint8(payload, 3)
  const faults = nameFaults(faultBits)
  const range = rangeOf(temperature, faultBits)
  return {
    description,
    values: { ...(range ? { temperatureRange: range } : { temperature }), faultBits, faults },
    lines: [
      `Thermocouple Event: ${description}`,
      `Temperature in degrees Celsius: ${range ?? `${temperature} C`}`,
      `Faults: ${faults}`,
    ],
    status: { current_sensor_state: range ? `temperature ${range}` : `${temperature} C` },
  }
}

/** Undefined where the temperature was measured. */
function rangeOf(temperature: number, faultBits: number): string | undefined {
  if (faultBits & 0b11) return 'no reading'
  if ((faultBits & 0b100_0000) === 0) return undefined
  return temperature > 0 ? 'above range' : 'below range'
}

function nameFaults(bits: number): string {
  if (bits === 0) return 'none'
  return faultTexts.filter((_, bit) => bits & (1 << bit)).join(', ')
}

/*
 * | byte | thresholds                                   | report on change             |
 * |------|----------------------------------------------|------------------------------|
 * | 0    | type in bits 4:1, bit 0 clear                | type in bits 4:1, bit 0 set  |
 * | 1    | period                                       | period                       |
 * | 2    | restoral margin, °C                          | not used                     |
 * | 3-4  | upper threshold, 1/16 °C, two's complement   | increase, 1/16 °C; 0 off     |
 * | 5-6  | lower threshold, 1/16 °C, two's complement   | decrease, 1/16 °C; 0 off     |
 *
 * The upper threshold comes first, unlike in the other sensors.
 * Source: support.radiobridge.com, configuration downlink of a thermocouple sensor. Its frames have
 * 0 and 1 in byte 0, but its explanation gives 6 and 7 for type K. It has no defaults. Ours are the
 * ends of the range, which no measurement passes.
 */
const lowest = -250
const highest = 1600

const temperature: Quantity = {
  name: 'temperature',
  unit: '°C',
  scale: 16,
  length: 2,
  isSigned: true,
  lowest,
  highest,
  largestChange: highest - lowest,
}

const settings = sensorSection({
  command: 0x13,
  fields: [
    select({
      id: 1901,
      key: 'mode',
      label: 'Mode',
      description:
        'Thresholds: an event when the measurement passes a limit. Report on change: an event when it has changed by an amount. Left empty, thresholds.',
      place: { byte: 0, bits: { lowest: 0, count: 1 } },
      default: 0,
      options: modes,
    }),
    select({
      id: 1902,
      key: 'thermocouple_type',
      label: 'Type of thermocouple',
      description: 'What is connected. Left empty, type K, which comes with the sensor.',
      place: { byte: 0, bits: { lowest: 1, count: 4 } },
      default: 3,
      options: [
        { value: 0, text: 'Type B' },
        { value: 1, text: 'Type E' },
        { value: 2, text: 'Type J' },
        { value: 3, text: 'Type K' },
        { value: 4, text: 'Type N' },
        { value: 5, text: 'Type R' },
        { value: 6, text: 'Type S' },
        { value: 7, text: 'Type T' },
        { value: 8, text: 'Voltage, gain 8' },
        { value: 12, text: 'Voltage, gain 32' },
      ],
    }),
    periodicReportField(1903),
    restoralMargin({ ...temperature, scale: 1 }, { id: 1904, byte: 2, default: 0 }),
    upperThreshold(temperature, {
      id: 1905,
      byte: 3,
      default: highest,
      outcome: 'no event',
    }),
    lowerThreshold(temperature, { id: 1906, byte: 5, default: lowest, outcome: 'no event' }),
    increase(temperature, { id: 1907, byte: 3 }),
    decrease(temperature, { id: 1908, byte: 5 }),
  ],
  ordered: [['lower_threshold', 'upper_threshold']],
})

export const thermocouple: Sensor = {
  messages: [
    {
      eventCode: 0x13,
      event: 'THERMOCOUPLE_TEMP_SENSOR',
      minimumLength: 4,
      decode: decodeThermocouple,
      measurements,
      fields,
    },
  ],
  deviceTypes: [
    {
      typeId: 118,
      typeName: 'Thermocouple',
      partNumber: 'RBS306-TEMP-TC',
      typeCode: 0x13,
      settings,
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
          temperatureRange: 'no reading',
          faultBits: 65,
          faults: 'open circuit, hot junction outside its normal range',
        },
        lines: [
          'Thermocouple Event: Fault',
          'Temperature in degrees Celsius: no reading',
          'Faults: open circuit, hot junction outside its normal range',
        ],
        status: { current_sensor_state: 'temperature no reading' },
      },
    },
    {
      about: 'hotter than the thermocouple can tell',
      hex: '101305640048',
      gives: {
        description: 'Fault',
        values: {
          temperatureRange: 'above range',
          faultBits: 72,
          faults: 'thermocouple too hot, hot junction outside its normal range',
        },
      },
    },
  ],
}
