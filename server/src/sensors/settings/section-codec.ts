import { int8, int16, uint8, uint16 } from '../bytes.ts'
import type { Chosen, Field, FieldPlace, Section } from './section.ts'

/** The length of every downlink, padded with zeros (RBS3010 manual, "Downlink Messages"). */
export const downlinkLength = 8

/** Whether a field counts with these values of the others. */
export function isApplicable(field: Field, chosen: Chosen): boolean {
  if (!field.onlyWhen) return true
  const other = chosen[field.onlyWhen.key]
  return other !== undefined && field.onlyWhen.values.includes(other)
}

/** Encodes the downlink of a section, without the fields that don't count. */
export function writeSection(section: Section, chosen: Chosen): Uint8Array {
  const bytes = new Uint8Array(downlinkLength)
  bytes[0] = section.command
  const payload = bytes.subarray(1)
  for (const field of section.fields) {
    const value = chosen[field.key]
    if (value === undefined || !isApplicable(field, chosen)) continue
    writeCount(payload, field.place, countOf(field, value))
  }
  return bytes
}

/** Decodes a downlink with the command of the section, without the fields that don't count. */
export function readSection(section: Section, bytes: Uint8Array): Chosen {
  const payload = bytes.subarray(1)
  const all: Chosen = Object.fromEntries(
    section.fields.map((field) => [field.key, readField(payload, field)]),
  )
  return Object.fromEntries(
    section.fields
      .filter((field) => isApplicable(field, all))
      .map((field) => [field.key, all[field.key]]),
  )
}

/** The whole number that is sent for a value. */
export function countOf(field: Field, value: number): number {
  return field.kind === 'number' ? Math.round(value * field.scale) : value
}

function readField(payload: Uint8Array, field: Field): number {
  const count = readCount(payload, field.place)
  return field.kind === 'number' ? count / field.scale : count
}

function writeCount(
  payload: Uint8Array,
  { byte, length, bits, coding }: FieldPlace,
  count: number,
) {
  if (bits) {
    payload[byte] = uint8(payload, byte) | (count << bits.lowest)
    return
  }
  const base = coding === 'tenths' ? 10 : 256
  if (length !== 2) {
    payload[byte] = count
    return
  }
  payload[byte] = Math.floor(count / base)
  payload[byte + 1] = coding === 'tenths' ? count % base : count
}

function readCount(payload: Uint8Array, { byte, length, bits, coding }: FieldPlace): number {
  if (bits) return (uint8(payload, byte) >> bits.lowest) & ((1 << bits.count) - 1)
  if (coding === 'tenths') return uint8(payload, byte) * 10 + uint8(payload, byte + 1)
  if (length === 2) return coding === 'signed' ? int16(payload, byte) : uint16(payload, byte)
  return coding === 'signed' ? int8(payload, byte) : uint8(payload, byte)
}
