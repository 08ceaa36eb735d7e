export interface Statement {
  text: string
  /** Its place in the whole text. */
  start: number
}

/** Comments, texts, quoted names, bodies between dollars, the end of a statement, and all the rest. */
const tokens =
  /--.*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$|;|[^;'"$/-]+|[\s\S]/g

/**
 * The statements of a migration. Citus passes the text of some statements on to its machines as it came,
 * with all that came in the same text, so they must come one by one.
 */
export function splitStatements(text: string): Statement[] {
  const ends = [...text.matchAll(tokens)].flatMap(({ 0: token, index }) =>
    token === ';' ? [index + 1] : [],
  )
  return [...ends, text.length]
    .map((end, place) => ({ start: ends[place - 1] ?? 0, end }))
    .map(({ start, end }) => ({ start, text: text.slice(start, end) }))
    .filter(({ text }) => /\S/.test(text))
}
