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
  const safe = formula.test(text) && !number.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
