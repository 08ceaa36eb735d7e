import { z } from 'zod'
import { isoTime } from '../../../http/timestamps.ts'
import { type FleetUplinkRow, toFleetUplink } from '../../../uplinks/read/fleet-uplink-record.ts'
import { historyEvents } from '../../downlinks/downlink-states.ts'
import { type Tags, tagsInAnswer } from '../../fleet/inventory/tags.ts'
import type { Change } from '../events/announce.ts'
import type { DownlinkEventRow } from './event-queries.ts'

/** The kinds of events that a reader may choose. `reset` and `ping` come always. */
export const eventKinds = [
  'uplink',
  'downlink',
  'device',
  'gateway',
  'account',
  'job',
  'alert',
  'dashboard',
] as const

export type EventKind = (typeof eventKinds)[number]

/** A device as filters see it. */
export interface EventDevice {
  device_id: number
  device_eui: string
  device_type_id: number
  network: string
  tags: Tags
}

/** An event as it is sent; its data is written once for all readers. */
export interface LoggedEvent {
  kind: 'uplink' | 'downlink'
  device: EventDevice
  /** For an uplink. */
  ordinal?: number
  data: () => string
}

const historyWords = Object.keys(historyEvents) as [string, ...string[]]

/** What the stream says about a downlink: an entry of its history, or only that something changed. */
const downlinkEvent = z.object({
  id: z.int().nullable(),
  downlink_id: z.int().nullable(),
  event_name: z.enum(historyWords).nullable(),
  reason: z.string().nullable(),
  published_at: z.string().nullable(),
  did: z.int().nullable(),
  device_id: z.string().nullable(),
  device_name: z.string().nullable(),
  tags: tagsInAnswer.nullable(),
})

export function toUplinkEvent(row: FleetUplinkRow): LoggedEvent {
  return {
    kind: 'uplink',
    device: row,
    ordinal: row.ordinal,
    data: once(() => JSON.stringify(toFleetUplink(row))),
  }
}

export function toDownlinkEvent(row: DownlinkEventRow): LoggedEvent {
  const record: z.infer<typeof downlinkEvent> = {
    id: row.id,
    downlink_id: row.downlink_id,
    event_name: row.event_name,
    reason: row.reason,
    published_at: isoTime(row.published_at),
    did: row.device_id,
    device_id: row.device_eui,
    device_name: row.device_name,
    tags: row.tags,
  }
  return { kind: 'downlink', device: row, data: once(() => JSON.stringify(record)) }
}

/** Writes an announced change. A downlink that was handed over has no entry in its history. */
export function writeChange({ kind, id }: Change): string {
  const did = id === undefined ? null : Number(id)
  const record: z.infer<typeof downlinkEvent> | { id: string | number | null } =
    kind === 'downlink' ? { ...noEntry, did } : { id: id ?? null }
  return writeEvent(kind, JSON.stringify(record))
}

const noEntry = {
  id: null,
  downlink_id: null,
  event_name: null,
  reason: null,
  published_at: null,
  device_id: null,
  device_name: null,
  tags: null,
}

/** Writes an event in the form of `text/event-stream`. JSON has no line breaks. */
export function writeEvent(event: string, data: string, id?: string): string {
  const position = id === undefined ? '' : `id: ${id}\n`
  return `${position}event: ${event}\ndata: ${data}\n\n`
}

function once(make: () => string): () => string {
  let made: string | undefined
  return () => {
    made ??= make()
    return made
  }
}
