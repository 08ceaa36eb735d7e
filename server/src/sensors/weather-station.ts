import { int16, uint8, uint16 } from './bytes.ts'
import type { Content, SensorFile } from './sensor.ts'
import { weatherStationExamples } from './weather-station-examples.ts'

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
type Report = (payload: Uint8Array) => Content

const reports: readonly Report[] = [
  readError,
  readWindDirection,
  readWindSpeed,
  readAir,
  readRain,
  readHail,
  readStation,
]

/** Bytes of the kinds from 1 on, the optional last word not counted. */
const wordsEnd = 7

function decodeWeatherStation(payload: Uint8Array): Content | undefined {
  const kind = uint8(payload, 0)
  if (kind > 0 && payload.length < wordsEnd) return undefined
  return reports[kind]?.(payload)
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

function readWindDirection(payload: Uint8Array): Content {
  const lowest = uint16(payload, 1)
  const average = uint16(payload, 3)
  const highest = uint16(payload, 5)
  return {
    description: 'Wind direction',
    values: {
      windDirectionMinimum: lowest,
      windDirectionAverage: average,
      windDirectionMaximum: highest,
    },
    lines: [
      'Weather Station Event: Wind direction',
      `Lowest wind direction: ${lowest} degrees`,
      `Average wind direction: ${average} degrees`,
      `Highest wind direction: ${highest} degrees`,
    ],
    status: { current_sensor_state: `${average} degrees` },
  }
}

function readWindSpeed(payload: Uint8Array): Content {
  const lowest = uint16(payload, 1) / 1000
  const average = uint16(payload, 3) / 1000
  const highest = uint16(payload, 5) / 1000
  return {
    description: 'Wind speed',
    values: { windSpeedMinimum: lowest, windSpeedAverage: average, windSpeedMaximum: highest },
    lines: [
      'Weather Station Event: Wind speed',
      `Lowest wind speed: ${lowest} m/s`,
      `Average wind speed: ${average} m/s`,
      `Highest wind speed: ${highest} m/s`,
    ],
    status: { current_sensor_state: `${average} m/s` },
  }
}

function readAir(payload: Uint8Array): Content {
  const temperature = int16(payload, 1) / 10
  const pressure = uint16(payload, 3) * 10
  const humidity = uint16(payload, 5) / 10
  return {
    description: 'Temperature, pressure and humidity',
    values: { temperature, pressure, humidity },
    lines: [
      'Weather Station Event: Temperature, pressure and humidity',
      `Current temperature in degrees Celsius: ${temperature}`,
      `Pressure: ${pressure} Pa`,
      `Humidity in % relative humidity: ${humidity}`,
    ],
    status: { current_sensor_state: `${temperature} C, ${pressure} Pa, ${humidity} %` },
  }
}

function readRain(payload: Uint8Array): Content {
  const rainDuration = uint16(payload, 1)
  const rainAccumulation = uint16(payload, 3) / 100
  const rainIntensity = uint16(payload, 5) / 10
  return {
    description: 'Rain',
    values: { rainDuration, rainAccumulation, rainIntensity },
    lines: [
      'Weather Station Event: Rain',
      `Duration: ${rainDuration} s`,
      `Accumulation: ${rainAccumulation} mm`,
      `Intensity: ${rainIntensity} mm/h`,
    ],
    status: { current_sensor_state: `${rainIntensity} mm/h` },
  }
}

function readHail(payload: Uint8Array): Content {
  const hailDuration = uint16(payload, 1)
  const hailAccumulation = uint16(payload, 3) / 10
  const hailIntensity = uint16(payload, 5) / 10
  return {
    description: 'Hail',
    values: { hailDuration, hailAccumulation, hailIntensity },
    lines: [
      'Weather Station Event: Hail',
      `Duration: ${hailDuration} s`,
      `Accumulation: ${hailAccumulation}`,
      `Intensity: ${hailIntensity}`,
    ],
    status: { current_sensor_state: `Hail ${hailIntensity}` },
  }
}

function readStation(payload: Uint8Array): Content {
  const heatingTemperature = int16(payload, 1) / 10
  const heatingVoltage = uint16(payload, 3) / 10
  const supplyVoltage = uint16(payload, 5) / 10
  const values: Content['values'] = { heatingTemperature, heatingVoltage, supplyVoltage }
  const lines = [
    'Weather Station Event: Station status',
    `Heating temperature in degrees Celsius: ${heatingTemperature}`,
    `Heating voltage: ${heatingVoltage} V`,
    `Supply voltage: ${supplyVoltage} V`,
  ]
  if (payload.length >= 9) {
    values.referenceVoltage = uint16(payload, 7) / 1000
    lines.push(`Reference voltage: ${values.referenceVoltage} V`)
  }
  // The station's own health is no measurement, so the last one stays the sensor's state.
  return { description: 'Station status', values, lines, status: {} }
}

export const weatherStation: SensorFile = {
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
