import type { ReadingValue } from '../sensor.ts'

/** A part of a frame and what it says. All parts of a frame cover each of its bits once. */
export interface ExplainedPart {
  /** The first byte, from 0. */
  start: number
  /** In bytes. */
  length: number
  /** Set when it is only some bits of the big-endian number of these bytes. */
  bits?: { lowest: number; count: number }
  label: string
  /** The member that holds the value: of `decoded_object`, or a setting of a downlink. */
  key?: string
  value?: ReadingValue
  unit?: string
  /** The value in words. */
  meaning?: string
}

interface Range {
  /** In bits from the first of the frame. */
  from: number
  to: number
}

/** The bits of a part, counted from the first bit of the frame. */
function rangeOf({ start, length, bits }: ExplainedPart): Range {
  const end = (start + length) * 8
  if (!bits) return { from: start * 8, to: end }
  const to = end - bits.lowest
  return { from: to - bits.count, to }
}

/** Puts parts in the order of their bits, and `label` in place of those that no part has. */
export function cover(
  length: number,
  parts: readonly ExplainedPart[],
  label = 'Not used',
): ExplainedPart[] {
  const sorted = parts
    .map((part) => ({ part, range: rangeOf(part) }))
    .sort((one, other) => one.range.from - other.range.from)
  const covered: ExplainedPart[] = []
  let position = 0
  for (const { part, range } of sorted) {
    covered.push(...gap({ from: position, to: range.from }, label), part)
    position = range.to
  }
  return [...covered, ...gap({ from: position, to: length * 8 }, label)]
}

/** The bits up to the next byte, whole bytes together, and the bits after them. */
function gap({ from, to }: Range, label: string): ExplainedPart[] {
  if (from >= to) return []
  const start = Math.floor(from / 8)
  const nextByte = Math.min(Math.ceil(from / 8) * 8, to)
  if (from < nextByte) {
    const bits = { lowest: (start + 1) * 8 - nextByte, count: nextByte - from }
    return [{ start, length: 1, bits, label }, ...gap({ from: nextByte, to }, label)]
  }
  const length = Math.floor((to - from) / 8)
  if (length > 0) {
    return [{ start, length, label }, ...gap({ from: from + length * 8, to }, label)]
  }
  return [{ start, length: 1, bits: { lowest: 8 - (to - from), count: to - from }, label }]
}

/** The bytes of a part in hexadecimal, or its bits as 0 and 1. */
export function rawOf(bytes: Uint8Array, { start, length, bits }: ExplainedPart): string {
  const own = bytes.subarray(start, start + length)
  if (!bits) return own.toHex()
  const digits = Array.from(own, (byte) => byte.toString(2).padStart(8, '0')).join('')
  const end = digits.length - bits.lowest
  return digits.slice(end - bits.count, end)
}
