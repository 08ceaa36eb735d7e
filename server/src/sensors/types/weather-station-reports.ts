import { int16, uint16 } from '../bytes.ts'
import type { MeasuredField } from '../measurement-message.ts'

/** A report of the weather station but for its first byte. */
export interface WeatherStationReport {
  description: string
  fields: readonly MeasuredField[]
}

/** By the kind, from 1 on; the layout stands in `weather-station.ts`. */
export const weatherStationReports: readonly WeatherStationReport[] = [
  {
    description: 'Wind direction',
    fields: [
      {
        key: 'windDirectionMinimum',
        label: 'Lowest wind direction',
        read: uint16,
        at: 1,
        suffix: ' degrees',
      },
      {
        key: 'windDirectionAverage',
        label: 'Average wind direction',
        read: uint16,
        at: 3,
        suffix: ' degrees',
        state: ' degrees',
      },
      {
        key: 'windDirectionMaximum',
        label: 'Highest wind direction',
        read: uint16,
        at: 5,
        suffix: ' degrees',
      },
    ],
  },
  {
    description: 'Wind speed',
    fields: [
      {
        key: 'windSpeedMinimum',
        label: 'Lowest wind speed',
        read: uint16,
        at: 1,
        per: 1000,
        suffix: ' m/s',
      },
      {
        key: 'windSpeedAverage',
        label: 'Average wind speed',
        read: uint16,
        at: 3,
        per: 1000,
        suffix: ' m/s',
        state: ' m/s',
      },
      {
        key: 'windSpeedMaximum',
        label: 'Highest wind speed',
        read: uint16,
        at: 5,
        per: 1000,
        suffix: ' m/s',
      },
    ],
  },
  {
    description: 'Temperature, pressure and humidity',
    fields: [
      {
        key: 'temperature',
        label: 'Current temperature in degrees Celsius',
        read: int16,
        at: 1,
        per: 10,
        suffix: '',
        state: ' C',
      },
      {
        key: 'pressure',
        label: 'Pressure',
        read: readPressure,
        at: 3,
        suffix: ' Pa',
        state: ' Pa',
      },
      {
        key: 'humidity',
        label: 'Humidity in % relative humidity',
        read: uint16,
        at: 5,
        per: 10,
        suffix: '',
        state: ' %',
      },
    ],
  },
  {
    description: 'Rain',
    fields: [
      { key: 'rainDuration', label: 'Duration', read: uint16, at: 1, suffix: ' s' },
      {
        key: 'rainAccumulation',
        label: 'Accumulation',
        read: uint16,
        at: 3,
        per: 100,
        suffix: ' mm',
      },
      {
        key: 'rainIntensity',
        label: 'Intensity',
        read: uint16,
        at: 5,
        per: 10,
        suffix: ' mm/h',
        state: ' mm/h',
      },
    ],
  },
  {
    description: 'Hail',
    fields: [
      { key: 'hailDuration', label: 'Duration', read: uint16, at: 1, suffix: ' s' },
      { key: 'hailAccumulation', label: 'Accumulation', read: uint16, at: 3, per: 10, suffix: '' },
      {
        key: 'hailIntensity',
        label: 'Intensity',
        read: uint16,
        at: 5,
        per: 10,
        suffix: '',
        state: '',
      },
    ],
  },
  {
    // The station's own health is no measurement, so the last one stays the sensor's state.
    description: 'Station status',
    fields: [
      {
        key: 'heatingTemperature',
        label: 'Heating temperature in degrees Celsius',
        read: int16,
        at: 1,
        per: 10,
        suffix: '',
      },
      {
        key: 'heatingVoltage',
        label: 'Heating voltage',
        read: uint16,
        at: 3,
        per: 10,
        suffix: ' V',
      },
      { key: 'supplyVoltage', label: 'Supply voltage', read: uint16, at: 5, per: 10, suffix: ' V' },
    ],
  },
]
const referenceVoltage: MeasuredField = {
  key: 'referenceVoltage',
  label: 'Reference voltage',
  read: uint16,
  at: 7,
  per: 1000,
  suffix: ' V',
}
/** The fields of the last report when it is long enough for the reference voltage. */
export const stationWithReference = [
  ...(weatherStationReports.at(-1)?.fields ?? []),
  referenceVoltage,
]

function readPressure(payload: Uint8Array, at: number): number {
  return uint16(payload, at) * 10
}
