import { queryChoice } from './fields.ts'

/** A value of a cell. What is absent is an empty cell. */
export type Cell = string | number | boolean | null

/** What a spreadsheet would run as a formula; some also read full-width signs as operators. */
const formula = /^[=+\-@＝＋－＠\t\r]/
const number = /^[+-]?\d+(\.\d+)?$/

/**
 * One line of CSV (RFC 4180) with its line break. A text that begins like a formula gets an
 * apostrophe in front; numbers stay as they are.
 */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(writeCell).join(',')}\r\n`
}

function writeCell(cell: Cell): string {
  const text = cell === null ? '' : String(cell)
  return quoteCell(isFormula(text) && !number.test(text) ? `'${text}` : text)
}

/** Whether a spreadsheet may run the text. */
export function isFormula(text: string): boolean {
  return formula.test(text)
}

/** The query of exports for spreadsheets, which take a file without the mark for Windows-1252. */
export const bomField = {
  bom: queryChoice('bom', ['0', '1'])
    .optional()
    .describe('`1` puts a byte order mark in front, by which spreadsheets know UTF-8.'),
}

export async function* withMark(
  { bom }: { bom?: '0' | '1' | undefined },
  pieces: AsyncIterable<string>,
): AsyncGenerator<string> {
  if (bom === '1') yield '\ufeff'
  yield* pieces
}

/** In quotes where it must be. */
export function quoteCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
