import { int16, tensOf16, uint16 } from '../bytes.ts'
import { airTemperature, humidity, type Measurement, measurement } from '../measurement.ts'
import { fieldsOf, type MeasuredField, measurementsOf } from '../measurement-message.ts'
import type { PayloadField } from '../sensor.ts'

/* The reports of the weather station; its file has their layout as a table. */

export const errorKind = 0
export const stationKind = 6

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

const direction = { unit: '°', min: 0, max: 360, prefix: 'Wind ' }
const speed = { unit: 'm/s', decimals: 1, min: 0, prefix: 'Wind ' }

/** By the kind, from 1 on. */
export const reports: readonly Report[] = [
  report('Wind direction', [
    {
      key: 'windDirectionMinimum',
      ...direction,
      label: 'Lowest wind direction',
      suffix: ' degrees',
    },
    {
      key: 'windDirectionAverage',
      ...direction,
      quantity: 'wind.direction',
      label: 'Average wind direction',
      suffix: ' degrees',
      state: ' degrees',
    },
    {
      key: 'windDirectionMaximum',
      ...direction,
      label: 'Highest wind direction',
      suffix: ' degrees',
    },
  ]),
  report('Wind speed', [
    { key: 'windSpeedMinimum', ...speed, label: 'Lowest wind speed', per: 1000, suffix: ' m/s' },
    {
      key: 'windSpeedAverage',
      ...speed,
      quantity: 'wind.speed',
      label: 'Average wind speed',
      per: 1000,
      suffix: ' m/s',
      state: ' m/s',
    },
    { key: 'windSpeedMaximum', ...speed, label: 'Highest wind speed', per: 1000, suffix: ' m/s' },
  ]),
  report('Temperature, pressure and humidity', [
    {
      ...airTemperature,
      label: 'Current temperature in degrees Celsius',
      read: int16,
      per: 10,
      state: ' C',
    },
    {
      key: 'pressure',
      unit: 'Pa',
      quantity: 'air.pressure',
      // In steps of 10 Pa.
      decimals: -1,
      min: 0,
      label: 'Pressure',
      read: tensOf16,
      suffix: ' Pa',
      state: ' Pa',
    },
    { ...humidity, label: 'Humidity in % relative humidity', per: 10, state: ' %' },
  ]),
  report('Rain', [
    { key: 'rainDuration', unit: 's', min: 0, label: 'Duration', suffix: ' s' },
    {
      key: 'rainAccumulation',
      unit: 'mm',
      quantity: 'rain.cumulative',
      min: 0,
      label: 'Accumulation',
      per: 100,
      suffix: ' mm',
    },
    {
      key: 'rainIntensity',
      unit: 'mm/h',
      quantity: 'rain.intensity',
      prefix: 'Rain ',
      min: 0,
      label: 'Intensity',
      per: 10,
      suffix: ' mm/h',
      state: ' mm/h',
    },
  ]),
  report('Hail', [
    { key: 'hailDuration', unit: 's', min: 0, label: 'Duration', suffix: ' s' },
    { key: 'hailAccumulation', min: 0, label: 'Accumulation', per: 10 },
    { key: 'hailIntensity', prefix: 'Hail ', min: 0, label: 'Intensity', per: 10, state: '' },
  ]),
  // No `state`: the health of the station does not replace the last measurement.
  report('Station status', [
    {
      key: 'heatingTemperature',
      unit: '°C',
      label: 'Heating temperature in degrees Celsius',
      read: int16,
      per: 10,
    },
    { key: 'heatingVoltage', unit: 'V', label: 'Heating voltage', per: 10, suffix: ' V' },
    { key: 'supplyVoltage', unit: 'V', label: 'Supply voltage', per: 10, suffix: ' V' },
  ]),
]
export const referenceVoltage: MeasuredField = {
  key: 'referenceVoltage',
  unit: 'V',
  label: 'Reference voltage',
  read: uint16,
  at: 7,
  per: 1000,
  suffix: ' V',
}

/** What the values of all kinds are. */
export const weatherMeasurements: readonly Measurement[] = [
  ...reports.flatMap(({ fields }) => measurementsOf(fields)),
  ...measurementsOf([referenceVoltage]),
  ...['timeout', 'checksumError', 'invalidData'].map((key) => measurement(key, 'state')),
]

/** Where the values of all kinds stand. */
export const weatherFields: readonly PayloadField[] = [
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
