/** Where widgets stand on a grid of 12 columns. Rows have no end. */

export interface Box {
  x: number
  y: number
  w: number
  h: number
}

export const columnCount = 12
const tallest = 40
const lowest = 1000

export function isOver(one: Box, other: Box): boolean {
  return (
    one.x < other.x + other.w &&
    other.x < one.x + one.w &&
    one.y < other.y + other.h &&
    other.y < one.y + one.h
  )
}

function within(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}

/** The nearest place on the grid. */
function onGrid({ x, y, w, h }: Box): Box {
  const width = within(w, 1, columnCount)
  return {
    x: within(x, 0, columnCount - width),
    y: within(y, 0, lowest),
    w: width,
    h: within(h, 1, tallest),
  }
}

/** As people read: row by row. */
export function inOrder<T extends Box>(items: readonly T[]): T[] {
  return items.toSorted((one, other) => one.y - other.y || one.x - other.x)
}

export function bottomOf(items: readonly Box[]): number {
  return items.reduce((most, { y, h }) => Math.max(most, y + h), 0)
}

/**
 * Puts one item at another place, or makes it larger. What it comes to stand on goes above it if there is
 * room, as where it came from, and else down.
 */
export function put<T extends Box>(items: readonly T[], moved: T, to: Partial<Box>): T[] {
  const placed = { ...moved, ...onGrid({ ...moved, ...to }) }
  const others = inOrder(items.filter((item) => item !== moved))
  const settled: T[] = [placed]
  const isFree = (item: Box, from: readonly T[]) => !from.some((other) => isOver(item, other))
  for (const [at, item] of others.entries()) {
    if (isFree(item, settled)) {
      settled.push(item)
      continue
    }
    const above = { ...item, y: placed.y - item.h }
    const rest = others.slice(at + 1)
    const canRise = above.y >= 0 && isFree(above, settled) && isFree(above, rest)
    settled.push(canRise ? above : pushDown(item, settled))
  }
  return items.map((item) => settled[item === moved ? 0 : others.indexOf(item) + 1] ?? item)
}

function pushDown<T extends Box>(item: T, settled: readonly T[]): T {
  let pushed = item
  for (;;) {
    const hit = settled.find((other) => isOver(pushed, other))
    if (!hit) return pushed
    pushed = { ...pushed, y: hit.y + hit.h }
  }
}

/** Without empty rows above anything. */
export function closeGaps<T extends Box>(items: readonly T[]): T[] {
  const settled: T[] = []
  const places = new Map<T, T>()
  for (const item of inOrder(items)) {
    const y = settled
      .filter((other) => item.x < other.x + other.w && other.x < item.x + item.w)
      .reduce((least, other) => Math.max(least, other.y + other.h), 0)
    const risen = { ...item, y }
    settled.push(risen)
    places.set(item, risen)
  }
  return items.map((item) => places.get(item) ?? item)
}
