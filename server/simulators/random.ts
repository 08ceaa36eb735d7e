/** Random values; the same seed makes the same values. */
export interface Random {
  /** A number from 0 to below 1. */
  next(): number
  /** A whole number; both limits are included. */
  between(lowest: number, highest: number): number
  isTrue(probability: number): boolean
  pick<Item>(items: readonly [Item, ...Item[]]): Item
  /** This many random bytes in lower-case hexadecimal. */
  hexadecimal(bytes: number): string
  uuid(): string
}

export function createRandom(seed: number): Random {
  const next = mulberry32(seed)
  const between = (lowest: number, highest: number) =>
    lowest + Math.floor(next() * (highest - lowest + 1))
  const hexadecimal = (bytes: number) =>
    Array.from({ length: bytes }, () => between(0, 255).toString(16).padStart(2, '0')).join('')
  return {
    next,
    between,
    isTrue: (probability) => next() < probability,
    pick: (items) => items[between(0, items.length - 1)] ?? items[0],
    hexadecimal,
    uuid: () => toUuid(hexadecimal(16)),
  }
}

/** Formats the digits as a UUID of version 4, RFC 9562 section 5.4. */
function toUuid(digits: string): string {
  const parts = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `a${digits.slice(17, 20)}`,
    digits.slice(20),
  ]
  return parts.join('-')
}

/** Mulberry32 of Tommy Ettinger, a generator with 32 bits of state. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
