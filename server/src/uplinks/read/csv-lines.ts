import { isFormula, quoteCell } from '../../http/csv.ts'
import { isoTime } from '../../http/timestamps.ts'
import { linePayload } from '../rows/message.ts'
import { toPlainText } from './fleet-uplink-record.ts'
import type { CsvUplinks } from './uplink-queries.ts'

/** A line with its line break for each uplink from `first` up to, but not including, `end`. */
export function writeCsvLines(
  { euis, payloads, times, messages }: CsvUplinks,
  { first, end }: { first: number; end: number },
): string {
  let lines = ''
  for (let index = first; index < end && index < euis.length; index += 1) {
    const time = isoTime(times[index] ?? '')
    const payload = payloads[index] ?? ''
    const message = messages[index] ?? null
    const text = message === null ? linePayload(payload) : toLine(message)
    lines += `${euis[index]},${payload},${time},${writeText(text)}\r\n`
  }
  return lines
}

/** A number with a sign counts as a formula too. */
function writeText(text: string): string {
  return quoteCell(isFormula(text) ? `'${text}` : text)
}

/** The text of a message, with `; ` between its lines. */
function toLine(message: string): string {
  return toPlainText(message.replaceAll('<br>', '; '))
}
