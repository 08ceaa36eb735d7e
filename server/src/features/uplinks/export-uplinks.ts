import { z } from 'zod'
import type { Queryable } from '../../db/connect.ts'
import { pageQuery } from '../../http/fields.ts'
import { endpoint } from '../core-services.ts'
import { latestOrdinal, readCsvLines } from './uplink-queries.ts'

/** Rows of one export (docs/contract.txt, 8.1). */
const exportSize = 20_000
const header = 'DeviceId, data, eventTime, DecodedText\r\n'
/** Rows of one query: a few milliseconds of the database, and one short turn of the event loop. */
const chunkSize = 1000

export const exportUplinks = endpoint({
  summary: 'The latest 20,000 uplinks of all devices as CSV; page 2 holds the next 20,000',
  query: z.object({ page: pageQuery.page }),
  isHeavy: true,
  produces: {
    type: 'text/csv; charset=utf-8',
    fileName: 'uplinks.csv',
    example: `${header}00AA000000000001,1a0301,2026-03-01T11:59:07.775023Z,Door Opened\r\n`,
  },
  async handle({ query, caller }, { db }) {
    const latest = await latestOrdinal(db, caller.organizationId)
    return csv(db, caller.organizationId, latest - (query.page - 1) * exportSize)
  },
})

async function* csv(db: Queryable, organizationId: number, newest: number) {
  yield header
  const oldest = Math.max(0, newest - exportSize)
  for (let upTo = newest; upTo > oldest; upTo -= chunkSize) {
    const after = Math.max(oldest, upTo - chunkSize)
    yield await readCsvLines(db, organizationId, { after, upTo })
  }
}
