import { int16, tensOf16, uint8, uint16 } from '../bytes.ts'
import { fieldsOf, type MeasuredField, readMeasurements } from '../measurement-message.ts'
import type { Content, PayloadField, Sensor } from '../sensor.ts'

/*
 * Weather station Vaisala WXT530. The first byte is the kind of report, the rest are words:
 *
 * | byte 0       | 1-2                     | 3-4              | 5-6              |
 * |--------------|-------------------------|------------------|------------------|
 * | 1 direction  | lowest, ° from north    | average          | highest          |
 * | 2 wind speed | lowest, m/s / 1000      | average          | highest          |
 * | 3 air        | °C / 10, signed         | pressure, 10 Pa  | humidity, % / 10 |
 * | 4 rain       | duration, s             | mm / 100         | mm/h / 10        |
 * | 5 hail       | duration, s             | amount / 10      | intensity / 10   |
 * | 6 station    | heating °C / 10, signed | heating, V / 10  | supply, V / 10   |
 *
 * Kind 0 is an error: byte 1 has bit 0 timeout, 1 CRC, 2 some data invalid. Kind 6 may have the
 * reference voltage, V / 1000, in bytes 7-8.
 *
 * Source: RadioBridge/Packet-Decoder, src/decoders/WeatherStationSensor.ts. Hail has no unit here:
 * that decoder prints mm, but the station counts hits per area.
 */
const errorKind = 0
const stationKind = 6

/** The length of kinds 1 to 6 without the optional last word. */
const wordsEnd = 7
const referenceEnd = 9

/** The report of a kind from 1 on: words from byte 1. */
interface Report {
  description: string
  fields: readonly MeasuredField[]
}

function report(
  description: string,
  words: readonly (Omit<MeasuredField, 'read' | 'at'> & Partial<Pick<MeasuredField, 'read'>>)[],
): Report {
  const fields = words.map((word, index) => ({ read: uint16, at: 1 + index * 2, ...word }))
  return { description, fields }
}

/** By the kind, from 1 on. */
const reports: readonly Report[] = [
  report('Wind direction', [
    { key: 'windDirectionMinimum', label: 'Lowest wind direction', suffix: ' degrees' },
    {
      key: 'windDirectionAverage',
      label: 'Average wind direction',
      suffix: ' degrees',
      state: ' degrees',
    },
    { key: 'windDirectionMaximum', label: 'Highest wind direction', suffix: ' degrees' },
  ]),
  report('Wind speed', [
    { key: 'windSpeedMinimum', label: 'Lowest wind speed', per: 1000, suffix: ' m/s' },
    {
      key: 'windSpeedAverage',
      label: 'Average wind speed',
      per: 1000,
      suffix: ' m/s',
      state: ' m/s',
    },
    { key: 'windSpeedMaximum', label: 'Highest wind speed', per: 1000, suffix: ' m/s' },
  ]),
  report('Temperature, pressure and humidity', [
    {
      key: 'temperature',
      label: 'Current temperature in degrees Celsius',
      read: int16,
      per: 10,
      state: ' C',
    },
    { key: 'pressure', label: 'Pressure', read: tensOf16, suffix: ' Pa', state: ' Pa' },
    { key: 'humidity', label: 'Humidity in % relative humidity', per: 10, state: ' %' },
  ]),
  report('Rain', [
    { key: 'rainDuration', label: 'Duration', suffix: ' s' },
    { key: 'rainAccumulation', label: 'Accumulation', per: 100, suffix: ' mm' },
    { key: 'rainIntensity', label: 'Intensity', per: 10, suffix: ' mm/h', state: ' mm/h' },
  ]),
  report('Hail', [
    { key: 'hailDuration', label: 'Duration', suffix: ' s' },
    { key: 'hailAccumulation', label: 'Accumulation', per: 10 },
    { key: 'hailIntensity', label: 'Intensity', per: 10, state: '' },
  ]),
  // No `state`: the health of the station does not replace the last measurement.
  report('Station status', [
    {
      key: 'heatingTemperature',
      label: 'Heating temperature in degrees Celsius',
      read: int16,
      per: 10,
    },
    { key: 'heatingVoltage', label: 'Heating voltage', per: 10, suffix: ' V' },
    { key: 'supplyVoltage', label: 'Supply voltage', per: 10, suffix: ' V' },
  ]),
]
const referenceVoltage: MeasuredField = {
  key: 'referenceVoltage',
  label: 'Reference voltage',
  read: uint16,
  at: 7,
  per: 1000,
  suffix: ' V',
}

const payloadFields: readonly PayloadField[] = [
  {
    label: 'Kind of report',
    at: 0,
    keys: ['eventDescription'],
    texts: ['Error', ...reports.map(({ description }) => description)],
  },
  ...['timeout', 'checksumError', 'invalidData'].map(
    (key, bit): PayloadField => ({
      label: ['Timeout', 'CRC error', 'Some data invalid'][bit] ?? key,
      at: 1,
      bits: { lowest: bit, count: 1 },
      keys: [key],
      only: whenKind(errorKind),
    }),
  ),
  ...reports.flatMap(({ fields }, index) =>
    [...fields, ...(index + 1 === stationKind ? [referenceVoltage] : [])]
      .flatMap((field) => fieldsOf([field]))
      .map((field): PayloadField => ({ ...field, only: whenKind(index + 1) })),
  ),
]

function whenKind(kind: number): NonNullable<PayloadField['only']> {
  const { description = 'Error' } = reports[kind - 1] ?? {}
  return { when: `the kind is ${kind}, ${description}`, holds: (payload) => payload[0] === kind }
}

function decodeWeatherStation(payload: Uint8Array): Content | undefined {
  const kind = uint8(payload, 0)
  if (kind === errorKind) return readError(payload)
  const known = reports[kind - 1]
  if (!known || payload.length < wordsEnd) return undefined
  const { description, fields } = known
  const hasReference = kind === stationKind && payload.length >= referenceEnd
  return readMeasurements(hasReference ? [...fields, referenceVoltage] : fields, payload, {
    title: `Weather Station Event: ${description}`,
    description,
  })
}

function readError(payload: Uint8Array): Content {
  const bits = uint8(payload, 1)
  const timeout = (bits & 0x01) !== 0
  const checksumError = (bits & 0x02) !== 0
  const invalidData = (bits & 0x04) !== 0
  const lines = ['Weather Station Event: Error']
  if (timeout) lines.push('Error: timeout')
  if (checksumError) lines.push('Error: CRC')
  if (invalidData) lines.push('Error: some data invalid')
  return {
    description: 'Error',
    values: { timeout, checksumError, invalidData },
    lines,
    status: { current_sensor_state: 'Error' },
  }
}

export const weatherStation: Sensor = {
  messages: [
    {
      eventCode: 0x1b,
      event: 'WEATHER_STATION_SENSOR',
      minimumLength: 2,
      decode: decodeWeatherStation,
      fields: payloadFields,
    },
  ],
  deviceTypes: [
    {
      typeId: 60,
      typeName: 'WXT530 Weather Station',
      partNumber: 'RBS306-VWS',
    },
  ],
  examples: [
    {
      about: 'the station does not answer',
      hex: '101b0005',
      gives: {
        event: 'WEATHER_STATION_SENSOR',
        description: 'Error',
        values: { timeout: true, checksumError: false, invalidData: true },
        lines: ['Weather Station Event: Error', 'Error: timeout', 'Error: some data invalid'],
      },
    },
    {
      about: 'wind around the west',
      hex: '111b0100fa010e0122',
      gives: {
        description: 'Wind direction',
        values: { windDirectionMinimum: 250, windDirectionAverage: 270, windDirectionMaximum: 290 },
      },
    },
    {
      about: 'a light breeze',
      hex: '121b02000003e70708',
      gives: {
        values: { windSpeedMinimum: 0, windSpeedAverage: 0.999, windSpeedMaximum: 1.8 },
        lines: [
          'Weather Station Event: Wind speed',
          'Lowest wind speed: 0 m/s',
          'Average wind speed: 0.999 m/s',
          'Highest wind speed: 1.8 m/s',
        ],
        status: { current_sensor_state: '0.999 m/s' },
      },
    },
    {
      about: 'air below zero',
      hex: '1a1b03ffd220cc0187',
      gives: {
        description: 'Temperature, pressure and humidity',
        values: { temperature: -4.6, pressure: 83960, humidity: 39.1 },
        status: { current_sensor_state: '-4.6 C, 83960 Pa, 39.1 %' },
      },
    },
    {
      about: 'rain',
      hex: '141b0400780113002a',
      gives: {
        values: { rainDuration: 120, rainAccumulation: 2.75, rainIntensity: 4.2 },
        lines: [
          'Weather Station Event: Rain',
          'Duration: 120 s',
          'Accumulation: 2.75 mm',
          'Intensity: 4.2 mm/h',
        ],
      },
    },
    {
      about: 'hail',
      hex: '151b05001e000c0005',
      gives: { values: { hailDuration: 30, hailAccumulation: 1.2, hailIntensity: 0.5 } },
    },
    {
      about: "the station's own supply",
      hex: '161b0600000000007a0e37',
      gives: {
        description: 'Station status',
        values: {
          heatingTemperature: 0,
          heatingVoltage: 0,
          supplyVoltage: 12.2,
          referenceVoltage: 3.639,
        },
        status: {},
      },
    },
    {
      about: 'without the reference voltage',
      hex: '171b060000000000f0',
      gives: { values: { heatingTemperature: 0, heatingVoltage: 0, supplyVoltage: 24 } },
    },
  ],
}
