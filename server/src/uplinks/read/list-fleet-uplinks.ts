import { z } from 'zod'
import { endpoint } from '../../features/core-services.ts'
import { invalid } from '../../http/errors.ts'
import { queryInteger } from '../../http/fields.ts'
import { isoTime } from '../../http/timestamps.ts'
import { findRange, findTime, scan } from './fleet-uplink-queries.ts'
import { isUnfiltered, readUplinkFilter, uplinkFilterFields } from './fleet-uplink-query.ts'
import { fleetUplink, toFleetUplink } from './fleet-uplink-record.ts'

/** Uplinks that one request looks at: a tenth of a second where none of them matches (measured). */
const mostScanned = 20_000

const cursorMessage = 'The after must be that of an earlier answer.'

export const listFleetUplinks = endpoint({
  summary: 'Uplinks of the fleet, newest first, filtered',
  description: `In the order of their arrival. A request looks at no more than ${mostScanned} uplinks: where few of them
match, a page is shorter than \`limit\`, or empty, and \`scanned_to\` says how far back it has looked.
\`after\` continues there; it is null at the end. \`total\` is null where counting would take a look at
all uplinks.`,
  query: z.object({
    ...uplinkFilterFields,
    limit: queryInteger('limit', { min: 1, max: 1000, fallback: 100 }),
    after: z
      .string()
      .regex(/^[od]\d{1,15}$/, cursorMessage)
      .optional()
      .meta({ examples: ['o80014'] }),
  }),
  answer: z.object({
    data: z.array(fleetUplink),
    total: z
      .int()
      .nullable()
      .meta({ examples: [80113] }),
    after: z
      .string()
      .nullable()
      .meta({ examples: ['o80113'] }),
    scanned_to: z
      .string()
      .nullable()
      .meta({ examples: ['2026-03-01T11:59:07.912004Z'] }),
  }),
  isLarge: true,
  failures: [404],
  async handle({ query, caller }, { db }) {
    const selected = await readUplinkFilter(db, caller.organizationId, query)
    if (!selected) return { data: [], total: 0, after: null, scanned_to: null }
    const { series, filter } = selected
    const letter = series.deviceId === undefined ? 'o' : 'd'
    if (query.after && !query.after.startsWith(letter)) throw invalid({ after: [cursorMessage] })
    const range = await findRange(db, series, filter)
    const upTo = Math.min(range.upTo, query.after ? Number(query.after.slice(1)) - 1 : range.upTo)
    const after = Math.max(range.after, upTo - mostScanned)
    const most = query.limit
    const rows = await scan(db, series, filter, { after, upTo: Math.max(after, upTo), most })
    const lowest = rows.length === most ? (rows.at(-1)?.position ?? 0) : after + 1
    const isMore = lowest - 1 > range.after
    const scannedTo = isMore ? await findTime(db, series, lowest) : undefined
    return {
      data: rows.map(toFleetUplink),
      total: isUnfiltered(filter) ? range.top - range.first + 1 : null,
      after: isMore ? `${letter}${lowest}` : null,
      scanned_to: scannedTo ? isoTime(scannedTo) : null,
    }
  },
})
