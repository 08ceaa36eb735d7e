import { z } from 'zod'
import { notFound } from '../../http/errors.ts'
import { withExamples } from '../../http/examples.ts'
import { largestInteger, queryChoice, queryInteger } from '../../http/fields.ts'
import { endpoint } from '../core-services.ts'
import * as deviceQueries from '../fleet/inventory/device-queries.ts'
import { devicePath, readReference } from '../fleet/inventory/references.ts'
import { tagFilter } from '../fleet/inventory/tags.ts'
import { listHistory } from './downlink-history-queries.ts'
import { historyEntry, toHistoryEntry } from './downlink-record.ts'
import type { DownlinkState } from './downlink-states.ts'
import { type ListedDownlink, listOfDevice, listOfOrganization } from './listed-downlink-queries.ts'
import { downlinkRecord, toDownlinkRecord } from './listed-downlink-record.ts'

/** Lists of downlinks, in parts: each names the last downlink of the part before. */

const partQuery = {
  after: queryInteger('after', { min: 1, max: largestInteger, fallback: 0 }),
  limit: queryInteger('limit', { min: 1, max: 200, fallback: 50 }),
}

const downlinkList = z.object({
  data: z.array(downlinkRecord),
  ...withExamples(
    { total: z.int(), after: z.string().nullable().describe('For the next page; null: the last.') },
    { total: 1, after: null },
  ),
})

function toPart({ after, limit }: { after: number; limit: number }) {
  return { after: after === 0 ? undefined : after, limit }
}

function toDownlinkList(
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

const stateSets = {
  waiting: ['queued', 'handed_over'],
  failed: ['rejected', 'failed'],
  expired: ['expired'],
} as const satisfies Record<string, readonly DownlinkState[]>

export const listFleetDownlinks = endpoint({
  summary: 'Messages to all devices that are queued, failed or expired, newest first',
  query: z.object({
    ...partQuery,
    state: queryChoice('state', ['waiting', 'failed', 'expired']).default('waiting'),
    group: queryInteger('group', { min: 1, fallback: 0 }).meta({
      description: 'The id of a group: the devices in it and in the groups below it.',
    }),
    tag: tagFilter,
  }),
  answer: downlinkList,
  async handle({ query, caller }, { db }) {
    const { state, group, tag } = query
    const filter = { states: stateSets[state], group: group || undefined, tag }
    const list = await listOfOrganization(db, caller.organizationId, filter, toPart(query))
    return toDownlinkList(list, query.limit)
  },
})

/** The answer is one array without pages, so its length needs a limit. */
const mostEntries = 1000

export const listDownlinkHistory = endpoint({
  summary: 'What became of the configuration messages of a device, newest first',
  description: `The latest ${mostEntries} entries.`,
  params: devicePath,
  answer: z.array(historyEntry),
  failures: [404],
  async handle({ params, caller }, { db }) {
    const reference = readReference(params.device_id)
    const device = await deviceQueries.find(db, caller.organizationId, reference)
    if (!device) throw notFound('device not found')
    const entries = await listHistory(db, caller.organizationId, device.id, mostEntries)
    return entries.map((entry) => toHistoryEntry(entry, device.type_id))
  },
})

export const listDownlinks = endpoint({
  summary: 'The messages to a device and how far each is, newest first',
  params: devicePath,
  query: z.object(partQuery),
  answer: downlinkList,
  failures: [404],
  async handle({ params, query, caller }, { db }) {
    const { organizationId } = caller
    const device = await deviceQueries.find(db, organizationId, readReference(params.device_id))
    if (!device) throw notFound('device not found')
    const list = await listOfDevice(db, organizationId, device.id, toPart(query))
    return toDownlinkList(list, query.limit)
  },
})
