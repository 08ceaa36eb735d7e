import { z } from 'zod'
import { invalid } from '../../http/errors.ts'
import { isStorable, queryInteger } from '../../http/fields.ts'
import { endpoint } from '../core-services.ts'
import {
  type DeviceOrder,
  deviceFilterFields,
  deviceOrderFields,
  toDeviceFilter,
} from '../inventory/device-filter.ts'
import { isRank, listFleet } from './fleet-device-queries.ts'
import { fleetDevice, toFleetDevice } from './fleet-device-record.ts'
import type { Cursor } from './state-order-queries.ts'

const cursorMessage = 'The after must be that of an earlier answer with the same sort.'

export const listFleetDevices = endpoint({
  summary: 'Devices as the console lists them, filtered and sorted',
  description: `All filters apply together. Unknown batteries come last, and devices that were never heard count as
silent for longest. Devices that are equal in the sort follow each other by id. \`after\` of an answer
leads to the next page; \`offset\` to any part.`,
  query: z.object({
    ...deviceFilterFields,
    ...deviceOrderFields,
    limit: queryInteger('limit', { min: 1, max: 1000, fallback: 100 }),
    offset: queryInteger('offset', { min: 0, fallback: 0 }),
    after: z.string().max(2000, cursorMessage).optional(),
  }),
  answer: z.object({
    data: z.array(fleetDevice),
    total: z.int().meta({ examples: [3412] }),
    after: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
  }),
  isLarge: true,
  async handle({ query, caller }, { db, now }) {
    const { sort, order, limit, offset } = query
    const filter = toDeviceFilter(query, now())
    const after = query.after === undefined ? undefined : readCursor(query.after, sort)
    const page = { limit, offset, after }
    const found = await listFleet(db, caller, filter, { sort, order }, page)
    const { devices, total, last } = found
    return { data: devices.map(toFleetDevice), total, after: last ? writeCursor(last) : null }
  },
})

function writeCursor({ id, rank }: Cursor): string {
  return Buffer.from(`${id} ${rank}`).toString('base64url')
}

function readCursor(text: string, sort: DeviceOrder['sort']): Cursor {
  const [, id, rank] = /^(\d{1,15}) (.*)$/s.exec(Buffer.from(text, 'base64url').toString()) ?? []
  if (id === undefined || rank === undefined || !isStorable(rank) || !isRank(sort, rank)) {
    throw invalid({ after: [cursorMessage] })
  }
  return { id: Number(id), rank }
}
