import { setImmediate as nextTurn } from 'node:timers/promises'

/** Characters of one piece: well below a millisecond of writing. */
const pieceLength = 64 * 1024

/**
 * The text of `JSON.stringify(value)` in pieces, with a turn of the event loop between them: an
 * answer of many megabytes neither holds up other requests nor is in memory as one text. `value`
 * is plain data (objects, arrays, strings, numbers, booleans, null), nested to any depth.
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

/** Something to write: a text as it stands, or a value. */
type Part = string | { value: unknown }

/** Keeps what is still to be written on a list of its own, last part first. */
function* writeParts(root: unknown): Generator<string> {
  const pending: Part[] = [{ value: root }]
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (typeof part === 'string') {
      yield part
    } else if (hasList(part.value)) {
      for (const inner of partsOf(part.value).reverse()) pending.push(inner)
    } else {
      yield JSON.stringify(part.value)
    }
  }
}

/** Lists, and objects that hold one, are taken apart; all else is small and is written whole. */
function hasList(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  return Array.isArray(value) || Object.values(value).some(Array.isArray)
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
