import { z } from 'zod'
import type { Queryable } from '../../db/connect.ts'
import { endpoint } from '../../features/core-services.ts'
import { tagsCell } from '../../features/fleet/inventory/tags.ts'
import { bomField, csvLine, withMark } from '../../http/csv.ts'
import { findRange, scan } from './fleet-uplink-queries.ts'
import { readUplinkFilter, uplinkFilterFields } from './fleet-uplink-query.ts'
import { type FleetUplink, toFleetUplink } from './fleet-uplink-record.ts'

/** Uplinks of one query: one short turn of the event loop. */
const chunkSize = 1000

const columns = [
  ...['received_at', 'event_time', 'device_id', 'device_name', 'network', 'event_type', 'reading'],
  ...['text', 'data', 'f_port', 'f_cnt', 'rssi', 'snr', 'data_rate', 'frequency', 'tags'],
] as (keyof FleetUplink & string)[]

const formats = {
  csv: {
    header: csvLine(columns),
    line: (uplink: FleetUplink) => {
      const { reading, tags } = uplink
      const cells = { ...uplink, reading: reading?.text ?? null, tags: tagsCell(tags) }
      return csvLine(columns.map((column) => cells[column] as string | number | null))
    },
  },
  ndjson: { header: '', line: (uplink: FleetUplink) => `${JSON.stringify(uplink)}\n` },
}

type Format = (typeof formats)[keyof typeof formats]
type Selected = Awaited<ReturnType<typeof readUplinkFilter>>

const query = z.object(uplinkFilterFields)

export const exportFleetUplinks = endpoint({
  summary: 'The uplinks that match as CSV, newest first',
  description: `Takes the filters of \`GET /fleet/uplinks\`. A text that a spreadsheet would run as a formula
begins with an apostrophe.`,
  query: query.extend(bomField),
  isHeavy: true,
  failures: [404],
  produces: {
    type: 'text/csv; charset=utf-8',
    fileName: 'uplinks.csv',
    example: `${formats.csv.header}2026-03-01T11:59:07.912004Z,2026-03-01T11:59:07.775023Z,00AA000000000001,Front door,chirpstack,DOOR_SENSOR,Open,Door Opened,1a0301,2,10,-36,10.5,SF7BW125,867100000,"{""floor"":""2""}"\r\n`,
  },
  async handle({ query: sent, caller }, { db }) {
    const selected = await readUplinkFilter(db, caller.organizationId, sent)
    return withMark(sent, write(db, selected, formats.csv))
  },
})

export const exportFleetUplinkLines = endpoint({
  summary: 'The uplinks that match as lines of JSON (NDJSON), newest first',
  description: 'Takes the filters of `GET /fleet/uplinks`; each line has a record of that list.',
  query,
  isHeavy: true,
  failures: [404],
  produces: {
    type: 'application/x-ndjson; charset=utf-8',
    fileName: 'uplinks.ndjson',
    example: '{"id":90210,"ordinal":80113,"did":101,"device_id":"00AA000000000001"}\n',
  },
  async handle({ query: sent, caller }, { db }) {
    return write(db, await readUplinkFilter(db, caller.organizationId, sent), formats.ndjson)
  },
})

async function* write(db: Queryable, selected: Selected, { header, line }: Format) {
  if (header !== '') yield header
  if (!selected) return
  const { series, filter } = selected
  const range = await findRange(db, series, filter)
  for (let { upTo } = range; upTo > range.after; upTo -= chunkSize) {
    const after = Math.max(range.after, upTo - chunkSize)
    const rows = await scan(db, series, filter, { after, upTo, most: chunkSize })
    yield rows.map((row) => line(toFleetUplink(row))).join('')
  }
}
