/**
 * Returns `text` with a new part between the two marks. Each mark is a line of its own.
 * @throws Error if the marks are missing.
 */
export function replaceMadePart(text: string, [start, end]: Marks, part: string): string {
  const [before, rest] = text.split(start)
  const [, after] = rest?.split(end) ?? []
  if (before === undefined || after === undefined) throw new Error(`the text has no ${start}`)
  return `${before}${start}\n${part}\n${end}${after}`
}

/** Comments of Markdown: what begins the part, and what ends it. */
export type Marks = readonly [start: string, end: string]
