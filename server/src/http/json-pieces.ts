import { setImmediate as nextTurn } from 'node:timers/promises'

/** Characters of one piece: well below a millisecond of writing. */
const pieceLength = 64 * 1024

/**
 * The text of `JSON.stringify(value)` in pieces, with a turn of the event loop between them: an
 * answer of many megabytes neither holds up other requests nor is in memory as one text. `value`
 * is plain data (objects, arrays, strings, numbers, booleans, null), nested to any depth, with a
 * `JsonText` in the place of what is written already.
 */
export async function* writeJsonPieces(value: unknown): AsyncGenerator<string> {
  let piece = ''
  for (const part of writeParts(value)) {
    if (typeof part === 'string') {
      piece += part
    } else {
      for await (const text of part) {
        piece += text
        if (piece.length < pieceLength) continue
        yield piece
        piece = ''
        await nextTurn()
      }
    }
    if (piece.length < pieceLength) continue
    yield piece
    piece = ''
    await nextTurn()
  }
  if (piece !== '') yield piece
}

const written = Symbol('JSON text')

/** The text of a `T`, for a large answer that would be larger still as records. */
export interface JsonText<T> {
  readonly [written]: AsyncIterable<string>
  /** Of the type alone: no value has it. */
  readonly standsFor?: T
}

/** `pieces` are together one JSON value; they are asked for one by one, when it is their turn. */
export function jsonText<T>(pieces: AsyncIterable<string>): JsonText<T> {
  return { [written]: pieces }
}

/** Records of a list that are written at once: they are small, and a call for each is dear. */
const recordsAtOnce = 32

/** Something to write: a text as it stands, or a value. */
type Part = string | { value: unknown }

/** Keeps what is still to be written on a list of its own, last part first. */
function* writeParts(root: unknown): Generator<string | AsyncIterable<string>> {
  const pending: Part[] = [{ value: root }]
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (typeof part === 'string') {
      yield part
    } else if (isWritten(part.value)) {
      yield part.value[written]
    } else if (!hasList(part.value)) {
      yield JSON.stringify(part.value)
    } else if (Array.isArray(part.value) && !part.value.some(hasList)) {
      yield* writeRecords(part.value)
    } else {
      for (const inner of partsOf(part.value).reverse()) pending.push(inner)
    }
  }
}

/** A list of values without lists. */
function* writeRecords(records: unknown[]): Generator<string> {
  yield '['
  for (let first = 0; first < records.length; first += recordsAtOnce) {
    const text = JSON.stringify(records.slice(first, first + recordsAtOnce)).slice(1, -1)
    yield first === 0 ? text : `,${text}`
  }
  yield ']'
}

function isWritten(value: unknown): value is JsonText<unknown> {
  return typeof value === 'object' && value !== null && written in value
}

/** Lists, and objects that hold one, are taken apart; all else is small and is written whole. */
function hasList(value: unknown): value is object {
  if (isListed(value)) return true
  if (typeof value !== 'object') return false
  for (const key in value) if (isListed((value as Record<string, unknown>)[key])) return true
  return false
}

function isListed(value: unknown): boolean {
  return Array.isArray(value) || isWritten(value)
}

function partsOf(value: object): Part[] {
  if (Array.isArray(value)) {
    const elements = value.flatMap((element, index) => [
      index === 0 ? '[' : ',',
      { value: element },
    ])
    return elements.length === 0 ? ['[]'] : [...elements, ']']
  }
  const members = Object.entries(value).flatMap(([key, member], index) => [
    `${index === 0 ? '{' : ','}${JSON.stringify(key)}:`,
    { value: member as unknown },
  ])
  return [...members, '}']
}
