import { uint8 } from '../bytes.ts'
import { readFields } from '../measurement-message.ts'
import type { Content, Sensor } from '../sensor.ts'
import { weatherStationExamples } from './weather-station-examples.ts'
import { stationWithReference, weatherStationReports } from './weather-station-reports.ts'

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
 * that decoder says mm, and the station counts hits per area.
 */
const errorKind = 0
const stationKind = 6

/** Bytes of the kinds from 1 on, the optional last word not counted. */
const wordsEnd = 7
const referenceEnd = 9

function decodeWeatherStation(payload: Uint8Array): Content | undefined {
  const kind = uint8(payload, 0)
  if (kind === errorKind) return readError(payload)
  const report = weatherStationReports[kind - 1]
  if (!report || payload.length < wordsEnd) return undefined
  const { description } = report
  const hasReference = kind === stationKind && payload.length >= referenceEnd
  const fields = hasReference ? stationWithReference : report.fields
  return readFields(fields, payload, {
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
    },
  ],
  deviceTypes: [
    {
      typeId: 60,
      typeName: 'WXT530 Weather Station',
      partNumber: 'RBS306-VWS',
      eventCodes: [0x1b],
    },
  ],
  examples: weatherStationExamples,
}
