import { isFormula, quoteCell } from '../../http/csv.ts'
import { isoTime } from '../../http/timestamps.ts'
import type { CsvUplinks } from './uplink-queries.ts'

/** One line for each uplink, each with its line break. */
export function writeCsvLines({ euis, payloads, times, messages }: CsvUplinks): string {
  let lines = ''
  for (const [index, message] of messages.entries()) {
    const time = isoTime(times[index] ?? '')
    lines += `${euis[index]},${payloads[index]},${time},${writeText(message)}\r\n`
  }
  return lines
}

/** Undoes `renderMessage`, with `; ` between its lines. A number with a sign counts as a formula too. */
function writeText(message: string): string {
  const line = message.includes('<br>') ? message.replaceAll('<br>', '; ') : message
  const text = line.includes('&') ? unescapeHtml(line) : line
  return quoteCell(isFormula(text) ? `'${text}` : text)
}

function unescapeHtml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}
