import { setImmediate as nextTurn } from 'node:timers/promises'

/** Characters of one piece: well below a millisecond of writing. */
const pieceLength = 64 * 1024

/**
 * The text of `JSON.stringify(value)` in pieces, with a turn of the event loop between them: an
 * answer of many megabytes neither holds up other requests nor is in memory as one text. `value`
 * is plain data (objects, arrays, strings, numbers, booleans, null), nested to any depth. Where an
 * array is expected it may hold another iterable, such as that of `mapLazily`; its elements hold
 * none.
 */
export async function* writeJsonPieces(value: unknown): AsyncGenerator<string> {
  let piece = ''
  for (const text of writeParts(value)) {
    piece += text
    if (piece.length < pieceLength) continue
    yield piece
    piece = ''
    await nextTurn()
  }
  if (piece !== '') yield piece
}

/** The text of all pieces at once, where it is known to be short. */
export function writeJson(value: unknown): string {
  return [...writeParts(value)].join('')
}

/** The list of what `make` makes of each element, made only when it is read, each time anew. */
export function mapLazily<T, Made>(list: readonly T[], make: (element: T) => Made): Iterable<Made> {
  return {
    *[Symbol.iterator]() {
      for (const element of list) yield make(element)
    },
  }
}

/** Records of a list that are written at once: they are small, and a call for each is dear. */
const recordsAtOnce = 32

/** Something to write: a text as it stands, or a value. */
type Part = string | { value: unknown }

/** Keeps what is still to be written on a list of its own, last part first. */
function* writeParts(root: unknown): Generator<string> {
  const pending: Part[] = [{ value: root }]
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (typeof part === 'string') {
      yield part
    } else if (!hasList(part.value)) {
      yield JSON.stringify(part.value)
    } else if (isList(part.value) && !(Array.isArray(part.value) && part.value.some(hasList))) {
      yield* writeRecords(part.value)
    } else {
      for (const inner of partsOf(part.value).reverse()) pending.push(inner)
    }
  }
}

/** A list of values without lists. */
function* writeRecords(records: Iterable<unknown>): Generator<string> {
  let opening = '['
  let batch: unknown[] = []
  const write = () => {
    const text = opening + JSON.stringify(batch).slice(1, -1)
    opening = ','
    batch = []
    return text
  }
  for (const record of records) {
    if (batch.push(record) === recordsAtOnce) yield write()
  }
  if (batch.length > 0 || opening === '[') yield write()
  yield ']'
}

function isList(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value
}

/** Lists, and objects that hold one, are taken apart; all else is small and is written whole. */
function hasList(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  if (isList(value)) return true
  for (const key in value) if (isList((value as Record<string, unknown>)[key])) return true
  return false
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
