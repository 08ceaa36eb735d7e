import { conversionToBase, convertDecimals } from '../lora/units.ts'

/** What the values of `decoded_object` are: each message declares its own (`Message`). */

export const measurementKinds = ['number', 'state', 'event', 'counter', 'code', 'text'] as const
export type MeasurementKind = (typeof measurementKinds)[number]

/** A value of a state, and what a reading says for it. */
interface StateWord {
  value: string
  text: string
  /** What `current_sensor_state` says for it, if it says anything. */
  status?: string | undefined
}

/** A member of `decoded_object`. */
export interface Measurement {
  /** Its key, or its path where it is within objects and lists. */
  name: string
  label: string
  kind: MeasurementKind
  /**
   * What it is a measurement of, whatever the maker. The names of The Things Stack's normalized payload
   * where they fit (thethingsindustries.com/docs, "normalizeUplink").
   */
  quantity?: string | undefined
  unit?: string | undefined
  /** With how many decimals a person is shown it. */
  decimals?: number | undefined
  min?: number | undefined
  max?: number | undefined
  /** Set when it is neither listed nor part of a reading. */
  isHidden?: boolean | undefined
  /** Set when the reading of a device shows it. */
  isHeadline?: boolean | undefined
  /** Stands before it in a reading, where the value alone would not say what it is. */
  prefix?: string | undefined
  words?: readonly StateWord[] | undefined
  /** Follows the number in `current_sensor_state`. */
  inState?: string | undefined
}

/** Declares a measurement; its label is the words of its name unless it has another. */
export function measurement(
  name: string,
  kind: MeasurementKind,
  more: Partial<Measurement> = {},
): Measurement {
  return { name, kind, label: labelOf(name), ...more }
}

/**
 * How its numbers are given beside `decoded_object`: in the base unit of the quantity, so that those of
 * all sensors can be compared.
 */
export function baseOf(measured: Pick<Measurement, 'quantity' | 'unit' | 'decimals'>) {
  const conversion = conversionToBase(measured)
  const { unit, decimals } = measured
  if (!conversion) return { unit, decimals, convert: (value: number) => value }
  const digits = decimals === undefined ? undefined : convertDecimals(decimals, conversion)
  return { unit: conversion.unit, decimals: digits, convert: conversion.convert }
}

/** "Wind speed average" of `windSpeedAverage`. Names of other forms stay as they are. */
export function labelOf(name: string): string {
  if (!/^[a-z][a-zA-Z0-9]*(_[a-z0-9]+)*$/.test(name)) return name
  if (name === 'rssi' || name === 'snr') return name.toUpperCase()
  const words = name
    .replaceAll('_', ' ')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** What several sensors measure: a name means the same in all of them. */
export const airTemperature = { key: 'temperature', unit: '°C', quantity: 'air.temperature' }
/** Of the electronics, beside what the sensor is for. */
export const innerTemperature = { key: 'temperature', unit: '°C' }
export const humidity = {
  ...{ key: 'humidity', unit: '%', quantity: 'air.relativeHumidity' },
  // No sensor is more exact.
  ...{ decimals: 0, min: 0, max: 100 },
}
export const angle = { key: 'angle', unit: '°', quantity: 'angle', prefix: 'Tilted ', min: 0 }

/** Of whatever the probe is in. */
export function probeTemperature(decimals: number): Measurement {
  const facts = { unit: '°C', quantity: 'temperature', isHeadline: true, inState: ' C' }
  return measurement('temperature', 'number', { ...facts, decimals })
}

/** The marks of a number that could not be measured, for the key of the number. */
export function rangeMeasurement(
  { key, isHeadline }: { key: string; isHeadline: boolean },
  marks: readonly string[],
  statusOf = (mark: string) => `${key} ${mark}`,
): Measurement {
  const words = marks.map((value) => ({
    value,
    text: `${labelOf(key)} ${value}`,
    ...(isHeadline ? { status: statusOf(value) } : {}),
  }))
  return measurement(`${key}Range`, 'state', { words, isHeadline })
}
