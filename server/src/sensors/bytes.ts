/*
 * Numbers in a payload, all big-endian. Bytes past the end read as 0, which never happens: decoders
 * get payloads of at least the length they ask for.
 */

export function uint8(payload: Uint8Array, index: number): number {
  return payload[index] ?? 0
}

export function int8(payload: Uint8Array, index: number): number {
  return (uint8(payload, index) << 24) >> 24
}

export function uint16(payload: Uint8Array, index: number): number {
  return (uint8(payload, index) << 8) | uint8(payload, index + 1)
}

export function int16(payload: Uint8Array, index: number): number {
  return (uint16(payload, index) << 16) >> 16
}

export function int32(payload: Uint8Array, index: number): number {
  return (uint16(payload, index) << 16) | uint16(payload, index + 2)
}

/**
 * A decimal of two bytes: whole units, and tenths in the high nibble of the second byte. Counting
 * in tenths and dividing once gives 23.7 and not 23.700000000000003.
 */
export function tenths(payload: Uint8Array, index: number): number {
  return (uint8(payload, index) * 10 + (uint8(payload, index + 1) >> 4)) / 10
}

/**
 * As `tenths`, with a sign in bit 7 of the first byte. Sign and magnitude, not two's complement
 * (support.radiobridge.com, decoding of an air temperature and humidity event).
 */
export function signedTenths(payload: Uint8Array, index: number): number {
  const first = uint8(payload, index)
  const magnitude = (first & 0x7f) * 10 + (uint8(payload, index + 1) >> 4)
  // Subtracts from 0: a negated 0 would be minus zero.
  return (first & 0x80 ? 0 - magnitude : magnitude) / 10
}

/** A number that is sent in tens. */
export function tensOf16(payload: Uint8Array, index: number): number {
  return uint16(payload, index) * 10
}

/** Whole units in the first byte, and tenths in the whole second byte (48.7 = 0x30 0x07). */
export function tenthsOfByte(payload: Uint8Array, index: number): number {
  return (uint8(payload, index) * 10 + uint8(payload, index + 1)) / 10
}

export type Reader = (payload: Uint8Array, index: number) => number

/** The bytes that a reader reads, and how, in words. */
interface Extent {
  length: number
  /** Set when the reader uses only these bits of the bytes. */
  bits?: { lowest: number; count: number }
  /** Left out for whole numbers. */
  decimals?: number
  coding: string
}

const highTenths = { lowest: 4, count: 12 }
const extents = new Map<Reader, Extent>([
  [uint8, { length: 1, coding: 'unsigned' }],
  [int8, { length: 1, coding: "two's complement" }],
  [uint16, { length: 2, coding: 'unsigned' }],
  [int16, { length: 2, coding: "two's complement" }],
  [int32, { length: 4, coding: "two's complement" }],
  [tensOf16, { length: 2, coding: 'unsigned, times 10' }],
  [
    tenths,
    { length: 2, bits: highTenths, decimals: 1, coding: 'whole units, then tenths in a nibble' },
  ],
  [
    signedTenths,
    {
      length: 2,
      bits: highTenths,
      decimals: 1,
      coding: 'sign, whole units, then tenths in a nibble',
    },
  ],
  [tenthsOfByte, { length: 2, decimals: 1, coding: 'whole units, then tenths' }],
])

/** @throws Error for a function that is no reader of this file. */
export function extentOf(read: Reader): Extent {
  const extent = extents.get(read)
  if (!extent) throw new Error(`${read.name} is no reader of bytes.ts`)
  return extent
}
