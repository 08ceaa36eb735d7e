import { setImmediate as nextTurn } from 'node:timers/promises'

/** Characters of one piece, which takes well below a millisecond to write. */
const pieceLength = 64 * 1024

/**
 * The text of `JSON.stringify(value)` in pieces, with a turn of the event loop between them. An
 * answer of many megabytes neither delays other requests nor stands in memory as one text. `value`
 * is plain data (objects, arrays, strings, numbers, booleans, null) of any depth; a `JsonText`
 * replaces a value that is already written.
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

/** The JSON text of a `T`, for a large answer that would take more memory as records. */
export interface JsonText<T> {
  readonly [written]: AsyncIterable<string>
  /** Used by the type only; no value has it. */
  readonly standsFor?: T
}

/** `pieces` form one JSON value. They are read one by one, when it is their turn. */
export function jsonText<T>(pieces: AsyncIterable<string>): JsonText<T> {
  return { [written]: pieces }
}

/** Records of a list that are written together: a call for each small record costs too much. */
const recordsAtOnce = 32

/** A part to write: a text as it stands, or a value. */
type Part = string | { value: unknown }

/** Keeps the remaining parts on a stack, last part first. */
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

/**
 * Lists, and objects that contain one, are taken apart. Other values are small and written whole.
 */
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
