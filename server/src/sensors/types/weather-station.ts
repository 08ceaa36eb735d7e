import { uint8 } from '../bytes.ts'
import { readMeasurements } from '../measurement-message.ts'
import type { Content, Sensor } from '../sensor.ts'
import {
  errorKind,
  referenceVoltage,
  reports,
  stationKind,
  weatherFields,
  weatherMeasurements,
} from './weather-reports.ts'

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
/** The length of kinds 1 to 6 without the optional last word. */
const wordsEnd = 7
const referenceEnd = 9

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
      fields: weatherFields,
      measurements: weatherMeasurements,
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
