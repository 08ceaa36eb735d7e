/** The linear memory of an instance. */
export interface LinearMemory {
  readonly buffer: ArrayBuffer
}

/** Copies of parts of the memory, with their offsets. */
export interface Image {
  /** The image that is restored first: this one has only what differs from it. */
  base?: Image | undefined
  /** What nothing reads or writes. */
  unused: readonly Range[]
  parts: readonly { offset: number; bytes: Uint8Array }[]
  /** The bytes of its own parts. */
  length: number
}

/** From, and up to and without. */
type Range = readonly [from: number, to: number]

export const pageLength = 65_536
/** Images are compared by blocks of this length. */
export const blockLength = 1024

/**
 * Copies the memory up to its last page in use, without the one long run of zeros: the unused 5 MB
 * of the stack, between the data and the heap. What a call leaves in the parts that are not copied
 * is free memory to the next call. With a base, only the blocks that differ from it are copied: a
 * codec of 10 kB has some 100 kB of its own, besides the 0.6 MB that all have in common.
 */
export function takeImage(
  memory: LinearMemory,
  { base, unused = base?.unused ?? [] }: { base?: Image | undefined; unused?: readonly Range[] },
): Image {
  const bytes = Buffer.from(memory.buffer)
  const used = pagesInUse(bytes)
  const stackStart = (used.find((page) => !used.includes(page + 1)) ?? 0) + 1
  const stackEnd = used.find((page) => page > stackStart) ?? stackStart
  const end = (used.at(-1) ?? 0) + 1
  const isLeftOut = (from: number) =>
    unused.some(([start, end]) => from >= start && from + blockLength <= end) ||
    (base !== undefined && isInBase(bytes, base, from))
  const parts = [
    // One page more, for data at the end that is all zeros now.
    ...listRanges([0, (stackStart + 1) * pageLength], isLeftOut),
    ...listRanges([stackEnd * pageLength, end * pageLength], isLeftOut),
  ].map(([from, to]) => ({ offset: from, bytes: new Uint8Array(bytes.subarray(from, to)) }))
  const length = parts.reduce((sum, part) => sum + part.bytes.length, 0)
  return { base, unused, parts, length }
}

/** The blocks of the range that are not left out, neighbours as one. */
function listRanges([start, end]: Range, isLeftOut: (from: number) => boolean): Range[] {
  const ranges: [number, number][] = []
  for (let from = start; from < end; from += blockLength) {
    if (isLeftOut(from)) continue
    const last = ranges.at(-1)
    if (last?.[1] === from) last[1] = from + blockLength
    else ranges.push([from, from + blockLength])
  }
  return ranges
}

/** Whether the block is as in the base. */
function isInBase(bytes: Buffer, { parts }: Image, from: number): boolean {
  const to = from + blockLength
  const part = parts.find(
    ({ offset, bytes: { length } }) => from >= offset && to <= offset + length,
  )
  if (!part) return false
  const start = from - part.offset
  return bytes.compare(part.bytes, start, start + blockLength, from, to) === 0
}

/** Restores the image and fills all other memory with zeros. */
export function restoreCleanly(memory: LinearMemory, image: Image): void {
  const bytes = Buffer.from(memory.buffer)
  for (const page of pagesInUse(bytes)) {
    bytes.fill(0, page * pageLength, (page + 1) * pageLength)
  }
  restore(memory, image)
}

export function restore(memory: LinearMemory, { base, parts }: Image): void {
  if (base) restore(memory, base)
  const bytes = new Uint8Array(memory.buffer)
  for (const part of parts) bytes.set(part.bytes, part.offset)
}

const emptyPage = Buffer.alloc(pageLength)

/** The numbers of the pages that hold anything but zeros, in ascending order. */
function pagesInUse(bytes: Buffer): number[] {
  return Array.from({ length: bytes.length / pageLength }, (_, page) => page).filter(
    (page) => !emptyPage.equals(bytes.subarray(page * pageLength, (page + 1) * pageLength)),
  )
}
