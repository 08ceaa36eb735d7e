import { z } from 'zod'
import { endpoint } from '../core-services.ts'
import {
  deviceFilterFields,
  deviceOrderFields,
  toDeviceFilter,
} from '../inventory/device-filter.ts'
import { listFleetIds } from './fleet-device-queries.ts'

/** Ids of one answer. */
const mostIds = 100_000

export const listFleetDeviceIds = endpoint({
  summary: 'The ids of all devices that match, in order',
  description: `Takes the filters and the order of \`GET /fleet/devices\`, whose \`ids\` reads the devices
themselves: so a long list keeps its order while it is read. It has at most
${mostIds.toLocaleString('en-US')} ids; \`total\` is exact.`,
  query: z.object({ ...deviceFilterFields, ...deviceOrderFields }),
  answer: z.object({
    data: z.array(z.int()).meta({ examples: [[101, 102]] }),
    total: z.int().meta({ examples: [2] }),
  }),
  isLarge: true,
  async handle({ query, caller }, { db, now }) {
    const { sort, order } = query
    const filter = toDeviceFilter(query, now())
    const found = await listFleetIds(db, caller.organizationId, filter, { sort, order }, mostIds)
    return { data: found.ids, total: found.total }
  },
})
