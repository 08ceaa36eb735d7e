import type { Queryable } from '../../../db/connect.ts'
import { isoTime, type Moment } from '../../../http/timestamps.ts'
import * as queries from './fleet-gateway-queries.ts'

/**
 * The traffic of gateways by the hour, from their counters at the beginning of each hour. These are
 * noted once an hour in the background: a row for each gateway and hour in the transaction of the
 * uplinks would cost the ingest what this costs nobody. The part of an hour that passes before its
 * note counts as the hour before; the job runs every few seconds.
 */

const hour = 60 * 60 * 1000
const shownHours = 7 * 24
const keptHours = shownHours + 24

/** Notes the counters of all gateways once in each hour, and removes old notes. */
export async function noteGatewayHours(db: Queryable, now: Date): Promise<void> {
  const start = startOfHour(now)
  if (await queries.isHourNoted(db, start)) return
  await queries.noteHour(db, start)
  await queries.removeNotes(db, new Date(start.getTime() - keptHours * hour))
}

interface CountedGateway {
  id: number
  created_at: Moment
  uplink_count: number
  downlink_count: number
}

/** One hour of a gateway; null where the service was down at one of its ends. */
export interface GatewayHour {
  hour: string
  uplinks: number | null
  downlinks: number | null
}

/**
 * Returns the hours of the last week in which the gateway was registered, the present one last.
 */
export async function readGatewayHours(
  db: Queryable,
  organizationId: number,
  gateway: CountedGateway,
  now: Date,
): Promise<GatewayHour[]> {
  const present = startOfHour(now)
  const first = new Date(present.getTime() - (shownHours - 1) * hour)
  const notes = await queries.listNotes(db, organizationId, gateway.id, first)
  const byHour = new Map(notes.map((note) => [isoTime(note.hour), note]))
  const created = isoTime(gateway.created_at)
  const at = (time: Date) => {
    const text = isoTimeOfHour(time)
    const unborn = text <= created ? { uplink_count: 0, downlink_count: 0 } : undefined
    return byHour.get(text) ?? unborn
  }
  const hours: GatewayHour[] = []
  for (let start = first; start <= present; start = new Date(start.getTime() + hour)) {
    const end = new Date(start.getTime() + hour)
    if (isoTimeOfHour(end) <= created) continue
    hours.push(difference(start, at(start), start < present ? at(end) : gateway))
  }
  return hours
}

type Counts = Omit<queries.HourNote, 'hour'>

function difference(start: Date, before: Counts | undefined, after: Counts | undefined) {
  const isKnown = before !== undefined && after !== undefined
  return {
    hour: isoTimeOfHour(start),
    uplinks: isKnown ? after.uplink_count - before.uplink_count : null,
    downlinks: isKnown ? after.downlink_count - before.downlink_count : null,
  }
}

function startOfHour(time: Date): Date {
  return new Date(Math.floor(time.getTime() / hour) * hour)
}

function isoTimeOfHour(time: Date): string {
  return `${time.toISOString().slice(0, 19)}.000000Z`
}
