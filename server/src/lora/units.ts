import { decimalsOf, type Formats, writeNumber } from './formats.ts'

/*
 * The units of readings. The service gives base units, which are metric. What is shown to people is
 * converted here, and what they type is converted back. A unit that is not listed is shown as it is.
 */

type Dimension =
  | 'temperature'
  | 'length'
  | 'speed'
  | 'rain'
  | 'pressure'
  | 'mass'
  | 'volume'
  | 'flow'

/** A value times `factor`, plus `offset`, is in the first unit of its dimension. */
const units: Record<string, { of: Dimension; factor: number; offset?: number }> = {
  '°C': { of: 'temperature', factor: 1 },
  '°F': { of: 'temperature', factor: 5 / 9, offset: -160 / 9 },
  mm: { of: 'length', factor: 1 },
  cm: { of: 'length', factor: 10 },
  m: { of: 'length', factor: 1000 },
  km: { of: 'length', factor: 1e6 },
  in: { of: 'length', factor: 25.4 },
  ft: { of: 'length', factor: 304.8 },
  mi: { of: 'length', factor: 1_609_344 },
  'm/s': { of: 'speed', factor: 1 },
  'mm/s': { of: 'speed', factor: 0.001 },
  'km/h': { of: 'speed', factor: 1 / 3.6 },
  'in/s': { of: 'speed', factor: 0.0254 },
  mph: { of: 'speed', factor: 0.44704 },
  'mm/h': { of: 'rain', factor: 1 },
  'in/h': { of: 'rain', factor: 25.4 },
  hPa: { of: 'pressure', factor: 1 },
  mbar: { of: 'pressure', factor: 1 },
  Pa: { of: 'pressure', factor: 0.01 },
  kPa: { of: 'pressure', factor: 10 },
  bar: { of: 'pressure', factor: 1000 },
  inHg: { of: 'pressure', factor: 33.863886666667 },
  psi: { of: 'pressure', factor: 68.947572931684 },
  kg: { of: 'mass', factor: 1 },
  lb: { of: 'mass', factor: 0.45359237 },
  l: { of: 'volume', factor: 1 },
  'm³': { of: 'volume', factor: 1000 },
  gal: { of: 'volume', factor: 3.785411784 },
  'ft³': { of: 'volume', factor: 28.316846592 },
  'l/min': { of: 'flow', factor: 1 },
  'm³/h': { of: 'flow', factor: 1000 / 60 },
  'gal/min': { of: 'flow', factor: 3.785411784 },
}

/** Other spellings that codecs give. */
const spellings: Record<string, string> = {
  ...{ '℃': '°C', degC: '°C', celsius: '°C', Celsius: '°C' },
  ...{ '℉': '°F', degF: '°F', fahrenheit: '°F', Fahrenheit: '°F' },
  ...{ L: 'l', 'L/min': 'l/min', m3: 'm³', 'm3/h': 'm³/h' },
}

/** What people in the US read in place of a metric unit. */
const usual: Record<string, string> = {
  ...{ '°C': '°F', mm: 'in', cm: 'in', m: 'ft', km: 'mi' },
  ...{ 'm/s': 'mph', 'km/h': 'mph', 'mm/s': 'in/s', 'mm/h': 'in/h' },
  ...{ hPa: 'inHg', mbar: 'inHg', kPa: 'psi', bar: 'psi', kg: 'lb' },
  ...{ l: 'gal', 'm³': 'ft³', 'l/min': 'gal/min', 'm³/h': 'gal/min' },
}

/** The first metric unit of each. */
const metric = Object.fromEntries(
  Object.entries(usual)
    .toReversed()
    .map(([unit, us]) => [us, unit]),
)

/** From one unit to another. */
export interface Conversion {
  unit: string
  convert(value: number): number
  /** What was typed in the new unit, in the former one. */
  revert(value: number): number
  /** Of a difference between two values, which has no offset. */
  factor: number
}

/** How a value is shown; undefined where it is shown as it is. */
export function conversionFor(
  unit: string | null | undefined,
  formats: Pick<Formats, 'temperature' | 'units'>,
): Conversion | undefined {
  if (!unit) return undefined
  const known = spellings[unit] ?? unit
  const isUs =
    units[known]?.of === 'temperature'
      ? formats.temperature === 'fahrenheit'
      : formats.units === 'us'
  const wanted = (isUs ? usual : metric)[known]
  return wanted === undefined ? undefined : conversionBetween(known, wanted)
}

/** Undefined where the units are the same, or not of one dimension. */
export function conversionBetween(from: string, to: string): Conversion | undefined {
  const [one, other] = [units[spellings[from] ?? from], units[to]]
  if (!one || !other || one === other || one.of !== other.of) return undefined
  const factor = one.factor / other.factor
  const offset = ((one.offset ?? 0) - (other.offset ?? 0)) / other.factor
  return {
    unit: to,
    convert: (value) => clean(value * factor + offset),
    revert: (value) => clean((value - offset) / factor),
    factor,
  }
}

/** Without the last digits of binary fractions: 2891 mV are 2.891 V. */
export function clean(value: number): number {
  return Number(Number(value.toPrecision(12)).toFixed(9)) + 0
}

/** The decimals of a converted value: as fine as the sensor measures, and no finer. */
export function convertDecimals(decimals: number, { factor }: Conversion): number {
  return Math.max(0, decimals + Math.ceil(-Math.log10(Math.abs(factor)) - 0.3))
}

/** A number with its unit: "21.0 °C", "12°". */
export function joinUnit(number: string, unit: string | null | undefined): string {
  if (!unit) return number
  return unit === '°' ? `${number}°` : `${number} ${unit}`
}

/** A measured value as a person reads it: "21.7 °C", or "71.1 °F". */
export function writeMeasured(
  value: number,
  { unit, decimals }: { unit?: string | null | undefined; decimals?: number | null | undefined },
  formats: Pick<Formats, 'temperature' | 'units' | 'numbers'>,
): string {
  const conversion = conversionFor(unit, formats)
  if (!conversion) return joinUnit(writeNumber(value, decimals, formats), unit)
  const digits = convertDecimals(decimals ?? decimalsOf(value), conversion)
  return joinUnit(writeNumber(conversion.convert(value), digits, formats), conversion.unit)
}

/** A limit, which a person has set and no sensor has measured: with all its digits. */
export function writeLimit(
  value: number,
  unit: string | null | undefined,
  formats: Pick<Formats, 'temperature' | 'units' | 'numbers'>,
): string {
  const conversion = conversionFor(unit, formats)
  const shown = conversion ? conversion.convert(value) : value
  return joinUnit(writeNumber(shown, undefined, formats), conversion?.unit ?? unit)
}

/** The base units of quantities (schema.thethings.network, "LoRaWAN Device Repository Payload"). */
export const quantityUnits: Record<string, string> = {
  'air.co2': 'ppm',
  'air.lightIntensity': 'lux',
  'air.pressure': 'hPa',
  'air.relativeHumidity': '%',
  'air.temperature': '°C',
  battery: 'V',
  'rain.cumulative': 'mm',
  'rain.intensity': 'mm/h',
  'soil.depth': 'cm',
  'soil.ec': 'dS/m',
  'soil.k': 'ppm',
  'soil.moisture': '%',
  'soil.n': 'ppm',
  'soil.p': 'ppm',
  'soil.temperature': '°C',
  'water.temperature.current': '°C',
  'wind.direction': '°',
  'wind.speed': 'm/s',
}

/** How a value of a quantity is given by the API; undefined where the sensor has its base unit already. */
export function conversionToBase({
  quantity,
  unit,
}: {
  quantity?: string | null | undefined
  unit?: string | null | undefined
}): Conversion | undefined {
  const base = quantityUnits[quantity ?? '']
  return base === undefined || !unit ? undefined : conversionBetween(unit, base)
}
