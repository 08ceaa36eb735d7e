import { z } from 'zod'
import { queryChoice, queryInteger } from '../../http/fields.ts'
import { endpoint } from '../core-services.ts'
import { downlinkList, partQuery, toDownlinkList, toPart } from './downlink-list.ts'
import type { DownlinkState } from './downlink-states.ts'
import { listOfOrganization } from './listed-downlink-queries.ts'

const stateSets = {
  waiting: ['queued', 'handed_over'],
  failed: ['rejected', 'failed'],
  expired: ['expired'],
} as const satisfies Record<string, readonly DownlinkState[]>

export const listFleetDownlinks = endpoint({
  summary: 'The messages to all devices that wait, went wrong or expired, newest first',
  query: z.object({
    ...partQuery,
    state: queryChoice('state', ['waiting', 'failed', 'expired']).default('waiting'),
    group: queryInteger('group', { min: 1, fallback: 0 }).meta({
      description: 'The id of a group: the devices in it and in the groups below it.',
    }),
  }),
  answer: downlinkList,
  async handle({ query, caller }, { db }) {
    const filter = { states: stateSets[query.state], group: query.group || undefined }
    const list = await listOfOrganization(db, caller.organizationId, filter, toPart(query))
    return toDownlinkList(list, query.limit)
  },
})
