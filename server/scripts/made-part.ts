/**
 * `text` with what stands between two marks, each a line of its own, made anew.
 * @throws Error where the marks are missing.
 */
export function replaceMadePart(text: string, [start, end]: Marks, part: string): string {
  const [before, rest] = text.split(start)
  const [, after] = rest?.split(end) ?? []
  if (before === undefined || after === undefined) throw new Error(`the text has no ${start}`)
  return `${before}${start}\n${part}\n${end}${after}`
}

/** Comments of Markdown: what begins the part, and what ends it. */
export type Marks = readonly [start: string, end: string]
