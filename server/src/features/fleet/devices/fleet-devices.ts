import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import { bomField, type Cell, csvLine, withMark } from '../../../http/csv.ts'
import { invalid } from '../../../http/errors.ts'
import { isStorable, queryInteger } from '../../../http/fields.ts'
import { endpoint } from '../../core-services.ts'
import {
  type DeviceOrder,
  deviceFilterFields,
  deviceOrderFields,
  toDeviceFilter,
} from '../inventory/device-filter.ts'
import { tagsCell } from '../inventory/tags.ts'
import {
  isRank,
  listFleet,
  listFleetIds,
  readFleetDevices,
  type Viewer,
} from './fleet-device-queries.ts'
import { type FleetDeviceRecord, fleetDevice, toFleetDevice } from './fleet-device-record.ts'
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
    const time = now()
    const filter = await toDeviceFilter(db, caller.organizationId, query, time)
    const after = query.after === undefined ? undefined : readCursor(query.after, sort)
    const page = { limit, offset, after, now: time }
    const found = await listFleet(db, caller, filter, { sort, order }, page)
    const { devices, total, last } = found
    const data = devices.map((device) => toFleetDevice(device, time))
    return { data, total, after: last ? writeCursor(last) : null }
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
    const { organizationId } = caller
    const filter = await toDeviceFilter(db, organizationId, query, now())
    const found = await listFleetIds(db, organizationId, filter, { sort, order }, mostIds)
    return { data: found.ids, total: found.total }
  },
})

/** The cell of each column; the columns have the names of the record. */
const cells = {
  device_id: (device) => device.device_id,
  device_name: (device) => device.device_name,
  device_type: (device) => device.device_type.name,
  network: (device) => device.network.name,
  groups: (device) => device.groups.map(({ name }) => name).join('; '),
  device_register_status: (device) => device.device_register_status,
  api_error: (device) => device.api_error,
  is_active: (device) => device.is_active,
  verdict: (device) => device.verdict.state,
  last_seen: (device) => device.last_seen,
  reading: (device) => device.reading?.text ?? null,
  sensor_state: (device) => device.sensor_state,
  battery: (device) => device.battery,
  low_battery: (device) => device.low_battery,
  tamper: (device) => device.tamper,
  config_error: (device) => device.config_error,
  rssi: (device) => device.rssi,
  snr: (device) => device.snr,
  uplink_count: (device) => device.uplink_count,
  waiting_downlinks: (device) => device.waiting_downlinks,
  join_eui: (device) => device.join_eui,
  register_method: (device) => device.register_method,
  account_name: (device) => device.account_name ?? null,
  extra_notes: (device) => device.extra_notes,
  tags: (device) => tagsCell(device.tags),
  latitude: (device) => device.latitude,
  longitude: (device) => device.longitude,
  altitude: (device) => device.altitude,
  place_source: (device) => device.place_source,
  created_at: (device) => device.created_at,
} as const satisfies Record<string, (device: FleetDeviceRecord) => Cell>

/** `tag:floor` is the value of one tag. */
type Column = keyof typeof cells | `tag:${string}`
const allColumns = Object.keys(cells) as Column[]

const columnsMessage = `The columns must be names, separated by commas, of: ${allColumns.join(', ')}, or tag: with the key of a tag.`
const columnList = z
  .string({ error: columnsMessage })
  .transform((text) => [...new Set(text.split(','))] as Column[])
  .refine(
    (names) => names.every((name) => isTag(name) || Object.hasOwn(cells, name)),
    columnsMessage,
  )

function isTag(column: Column): column is `tag:${string}` {
  return column.startsWith('tag:')
}

function cellOf(column: Column, device: FleetDeviceRecord): Cell {
  return isTag(column) ? (device.tags[column.slice(4)] ?? null) : cells[column](device)
}

/** More than the largest organization has: what is exported is never cut off unseen. */
const mostRows = 10_000_000
/** Devices of one query and of one turn of the event loop. */
const chunkSize = 500

export const exportFleetDevices = endpoint({
  summary: 'The devices that match as CSV, with the columns that are asked for',
  description: `Takes the filters and the order of \`GET /fleet/devices\`. The columns are ${allColumns.join(', ')};
all of them unless \`columns\` names some, which may also be single tags, such as \`tag:floor\`. A text that a spreadsheet would run as a formula begins
with an apostrophe.`,
  query: z.object({
    ...deviceFilterFields,
    ...deviceOrderFields,
    columns: columnList
      .optional()
      .meta({ type: 'string', examples: ['device_id,device_name,last_seen'] }),
    ...bomField,
  }),
  isHeavy: true,
  produces: {
    type: 'text/csv; charset=utf-8',
    fileName: 'devices.csv',
    example: 'device_id,device_name\r\n00AA000000000001,Front door\r\n',
  },
  async handle({ query, caller }, { db, now }) {
    const { sort, order, columns = allColumns } = query
    const { organizationId } = caller
    const time = now()
    const filter = await toDeviceFilter(db, organizationId, query, time)
    const { ids } = await listFleetIds(db, organizationId, filter, { sort, order }, mostRows)
    return withMark(query, csv(db, caller, { ids, now: time }, columns))
  },
})

async function* csv(
  db: Queryable,
  viewer: Viewer,
  { ids, now }: { ids: readonly number[]; now: Date },
  columns: readonly Column[],
) {
  yield csvLine(columns)
  for (let first = 0; first < ids.length; first += chunkSize) {
    const chunk = ids.slice(first, first + chunkSize)
    const devices = await readFleetDevices(db, viewer, chunk, now)
    yield devices
      .map((device) => toFleetDevice(device, now))
      .map((device) => csvLine(columns.map((column) => cellOf(column, device))))
      .join('')
  }
}
