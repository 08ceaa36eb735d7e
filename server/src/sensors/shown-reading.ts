import { joinUnit } from '../lora/units.ts'
import { baseOf, type Measurement } from './measurement.ts'
import { measurementsOfEvent, measurementsOfType } from './measurements.ts'
import { type OwnType, ownValues } from './own-measurements.ts'
import type { ReadingValue } from './sensor.ts'

/*
 * What a sensor says, in a few words: "21.7 °C · 49 %", "Open", "Water detected". Everything that shows
 * a reading has it from here.
 */

export interface ReadingPart {
  name: string
  label: string
  value: ReadingValue
  unit: string | null
  /** Null where they are not known. */
  decimals: number | null
  /** What stands before a number in the text; null where it is said in words. */
  prefix: string | null
  text: string
}

export interface ShownReading {
  text: string
  parts: ReadingPart[]
}

interface DecodedUplink {
  event_type: string
  decoded_object: Readonly<Record<string, ReadingValue>>
  /** Of its device type; null for a built-in one. */
  own_type: OwnType | null
}

const separator = ' · '
/** More numbers are no reading at a glance. */
const mostParts = 4

/** What an uplink says; undefined where it says nothing of what the sensor is for. */
export function readingOf(uplink: DecodedUplink): ShownReading | undefined {
  const { event_type, decoded_object: values, own_type } = uplink
  if (event_type === 'DECODED') return join(ownParts(values, own_type))
  const description = String(values.eventDescription)
  const parts = measurementsOfEvent(event_type).flatMap((measurement) => {
    const value = values[measurement.name]
    if (!measurement.isHeadline || value === undefined) return []
    const isEvent = measurement.kind === 'event' && !measurement.words
    return [toPart(measurement, value, isEvent ? description : undefined)]
  })
  return join(parts)
}

function join(parts: ReadingPart[]): ShownReading | undefined {
  if (parts.length === 0) return undefined
  return { text: parts.map(({ text }) => text).join(separator), parts }
}

function toPart(measurement: Measurement, sent: ReadingValue, said?: string): ReadingPart {
  const { name, label, words } = measurement
  const word = said ?? words?.find(({ value }) => value === sent)?.text
  if (typeof sent !== 'number' || word !== undefined) {
    const text = word ?? `${measurement.prefix ?? `${label} `}${sayOther(sent)}`
    return { name, label, value: sent, unit: null, decimals: null, prefix: null, text }
  }
  const { unit, decimals, convert } = baseOf(measurement)
  const value = convert(sent)
  const prefix = measurement.prefix ?? (unit === undefined ? `${label} ` : '')
  const text = `${prefix}${withUnit(value, { unit, decimals })}`
  return { name, label, value, unit: unit ?? null, decimals: decimals ?? null, prefix, text }
}

function sayOther(value: ReadingValue): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** A number with its decimals and unit: "21.0 °C", "12°". */
export function withUnit(
  value: number,
  { unit, decimals }: Pick<Measurement, 'unit' | 'decimals'>,
): string {
  const text = decimals === undefined ? shorten(value) : write(value, decimals)
  return joinUnit(text, unit)
}

/** Without the sign of what is rounded to 0. */
function write(value: number, decimals: number): string {
  const text = value.toFixed(decimals)
  return Number(text) === 0 ? (0).toFixed(decimals) : text
}

/** Codecs give 21.700000762939453. */
function shorten(value: number): string {
  const isLarge = Math.abs(value) >= 100_000
  return String(isLarge ? Number(value.toFixed(1)) : Number(value.toPrecision(6)))
}

/** What the last frames said of a built-in sensor, from the contract's `current_sensor_state`. */
export function readingOfState(typeId: number, status: string): ShownReading {
  const headlines = measurementsOfType(typeId).filter(({ isHeadline }) => isHeadline)
  return join(findParts(headlines, status)) ?? { text: status, parts: [] }
}

/** The state has its values in the order of their measurements; none where some can't be read. */
function findParts(headlines: readonly Measurement[], status: string): ReadingPart[] {
  const parts: ReadingPart[] = []
  let first = 0
  for (const piece of status.split(', ')) {
    const number = /^-?\d+(\.\d+)?/.exec(piece)?.[0]
    const rest = piece.slice(number?.length ?? 0)
    const next = headlines.findIndex(
      ({ words, inState }, index) =>
        index >= first &&
        (words?.some((word) => word.status === piece) ||
          (number !== undefined && inState === rest)),
    )
    const measurement = headlines[next]
    if (!measurement) return []
    const word = measurement.words?.find(({ status }) => status === piece)
    parts.push(toPart(measurement, word?.value ?? Number(number)))
    first = next + 1
  }
  return parts
}

/** Names of what is not what a sensor is for. */
const aside =
  /bat|vdd|rssi|snr|version|firmware|hardware|uptime|count|interval|(^|\.|_)(id|type|port|status|error|crc|seq)/i
/** A longer text is no value. */
const longestText = 30

function ownParts(decoded: DecodedUplink['decoded_object'], type: OwnType | null): ReadingPart[] {
  const values = ownValues(decoded, type).filter(
    ({ measurement, value }) =>
      !measurement.isHidden &&
      (typeof value !== 'string' || (value !== '' && value.length <= longestText)),
  )
  // In the order of the owner: the database has the shortest keys first.
  const chosen = (type?.measurements ?? []).flatMap(
    ({ name, isHeadline }) =>
      (isHeadline && values.find(({ measurement }) => measurement.name === name)) || [],
  )
  const told = values.filter(({ measurement }) => !aside.test(measurement.name))
  const withUnits = told.filter(({ measurement }) => measurement.unit !== undefined)
  const numbers = told.filter(({ value }) => typeof value === 'number')
  const best = [chosen, withUnits, numbers, told, values].find(({ length }) => length > 0) ?? []
  const shown = best.slice(0, mostParts)
  return shown.map(({ measurement, value }) => {
    const { unit, label } = measurement
    const isOnly = shown.filter((other) => other.measurement.unit === unit).length === 1
    return toPart(isOnly ? measurement : { ...measurement, prefix: `${label} ` }, value)
  })
}
