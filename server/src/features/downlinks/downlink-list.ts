import { z } from 'zod'
import { withExamples } from '../../http/examples.ts'
import { largestInteger, queryInteger } from '../../http/fields.ts'
import type { ListedDownlink } from './listed-downlink-queries.ts'
import { downlinkRecord, toDownlinkRecord } from './listed-downlink-record.ts'

/** Lists of downlinks, in parts: each names the last downlink of the part before. */

export const partQuery = {
  after: queryInteger('after', { min: 1, max: largestInteger, fallback: 0 }),
  limit: queryInteger('limit', { min: 1, max: 200, fallback: 50 }),
}

export const downlinkList = z.object({
  data: z.array(downlinkRecord),
  ...withExamples(
    { total: z.int(), after: z.string().nullable().describe('For the next page; null: the last.') },
    { total: 1, after: null },
  ),
})

export function toPart({ after, limit }: { after: number; limit: number }) {
  return { after: after === 0 ? undefined : after, limit }
}

export function toDownlinkList(
  { total, downlinks }: { total: number; downlinks: readonly ListedDownlink[] },
  limit: number,
) {
  const last = downlinks.length === limit ? downlinks.at(-1) : undefined
  return {
    data: downlinks.map(toDownlinkRecord),
    total,
    after: last ? String(last.id) : null,
  }
}
