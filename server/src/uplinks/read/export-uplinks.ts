import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import type { Queryable } from '../../db/connect.ts'
import { endpoint } from '../../features/core-services.ts'
import { isFormula, quoteCell } from '../../http/csv.ts'
import { pageQuery } from '../../http/fields.ts'
import { isoTime } from '../../http/timestamps.ts'
import { linePayload } from '../rows/message.ts'
import { findEnds } from '../rows/series.ts'
import type { SeriesRange } from './fleet-uplink-queries.ts'
import { toPlainText } from './fleet-uplink-record.ts'
import { type CsvUplinks, readCsvUplinks } from './uplink-queries.ts'

/** A line with its line break for each uplink from `first` up to, but not including, `end`. */
function writeCsvLines(
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

/** Rows of one export (docs/contract.txt, 8.1). */
const exportSize = 20_000
const header = 'DeviceId, data, eventTime, DecodedText\r\n'
/** Rows of one query: a few milliseconds of the database. */
const chunkSize = 2000
/** Lines of one turn of the event loop: a millisecond. Other requests are answered in between. */
const linesAtOnce = 400

export const exportUplinks = endpoint({
  summary: 'The latest 20,000 uplinks of all devices as CSV; page 2 holds the next 20,000',
  query: z.object({ page: pageQuery.page }),
  isHeavy: true,
  produces: {
    type: 'text/csv; charset=utf-8',
    fileName: 'uplinks.csv',
    example: `${header}00AA000000000001,1a0301,2026-03-01T11:59:07.775023Z,Door Opened\r\n`,
  },
  change: 'untold',
  async handle({ query, caller }, { db }) {
    const { organizationId } = caller
    const { first, top } = await findEnds(db, { organizationId, deviceId: undefined })
    const upTo = top - (query.page - 1) * exportSize
    return csv(db, organizationId, { upTo, after: Math.max(first - 1, upTo - exportSize) })
  },
})

/** The database reads the next uplinks while the lines of these are made and sent. */
async function* csv(db: Queryable, organizationId: number, range: SeriesRange) {
  const read = (upTo: number) => {
    const after = Math.max(range.after, upTo - chunkSize)
    const reading = readCsvUplinks(db, organizationId, { after, upTo })
    // Nobody waits for it when the client is gone.
    reading.catch(() => {})
    return reading
  }
  let next = range.upTo > range.after ? read(range.upTo) : undefined
  yield header
  for (let { upTo } = range; next; upTo -= chunkSize) {
    const uplinks = await next
    next = upTo - chunkSize > range.after ? read(upTo - chunkSize) : undefined
    for (let first = 0; first < uplinks.euis.length; first += linesAtOnce) {
      // Until the first turn the statement waits for its connection.
      await setImmediate()
      yield writeCsvLines(uplinks, { first, end: first + linesAtOnce })
    }
  }
}
