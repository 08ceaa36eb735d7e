import { useSyncExternalStore } from 'react'
import {
  type Formats,
  type TimeParts,
  usualFormats,
  writeNumber,
  writeTime,
} from '../../../server/src/lora/formats.ts'
import {
  type Conversion,
  conversionFor,
  joinUnit,
  writeLimit,
  writeMeasured,
} from '../../../server/src/lora/units.ts'
import type { Schemas } from '../api/generated.ts'

/*
 * Every number, measured value and time of the console is written here, as the user reads them. The API
 * gives base units.
 */

let formats: Formats = usualFormats
const listeners = new Set<() => void>()

/** What is shown follows these, also while it is shown. */
export function useFormats(): Formats {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => formats,
  )
}

/** The same formats stay the same object. */
export function setFormats(wanted: Formats): void {
  if (JSON.stringify(wanted) === JSON.stringify(formats)) return
  formats = wanted
  for (const listener of listeners) listener()
}

/** "1,234.50" with two decimals. */
export function formatNumber(value: number, decimals?: number | null): string {
  return writeNumber(value, decimals, formats)
}

/** A number with the unit that it is in already: "2.9 V", "-108.4 dBm", "12°". */
export function formatValue(value: number, unit?: string | null, decimals?: number | null): string {
  return joinUnit(formatNumber(value, decimals), unit)
}

/** A value in a base unit, in the user's: "21.7 °C", or "71.1 °F". */
export function formatMeasured(
  value: number,
  unit: string | null,
  decimals?: number | null,
): string {
  return writeMeasured(value, { unit, decimals }, formats)
}

/** A limit in a base unit, in the user's, with all its digits. */
export function formatLimit(value: number, unit: string | null): string {
  return writeLimit(value, unit, formats)
}

/** From a base unit to the user's; undefined where values are shown as they are. */
export function shownIn(unit: string | null | undefined): Conversion | undefined {
  return conversionFor(unit, formats)
}

/** What a sensor says: "21.7 °C · 49 %", "Open". */
export function readingText(reading: Pick<Schemas['Reading'], 'text' | 'parts'>): string {
  return readingParts(reading).join(' · ')
}

/** Its values, each with its unit. */
export function readingParts({ text, parts }: Pick<Schemas['Reading'], 'text' | 'parts'>) {
  return parts.length === 0 ? [text] : parts.map(partText)
}

function partText({ value, unit, decimals, prefix, text }: Schemas['Reading']['parts'][number]) {
  if (typeof value !== 'number' || prefix === null) return text
  return `${prefix}${formatMeasured(value, unit, decimals)}`
}

/** A time, or a part of it, in a time zone. */
export function formatTime(time: Date | number, parts: TimeParts, timeZone: string): string {
  return writeTime(time, parts, timeZone, formats)
}
