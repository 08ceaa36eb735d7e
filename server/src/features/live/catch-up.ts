import type { Database } from '../../db/connect.ts'
import { readDownlinks, readUplinks, selectGrouped } from './event-queries.ts'
import { type LoggedEvent, toDownlinkEvent, toUplinkEvent, writeEvent } from './event-record.ts'
import { chunkSize, type Log, mostDownlinks, ping } from './log.ts'
import { type Position, writePosition } from './position.ts'
import { type Reader, sendEventsTo } from './reader.ts'

/** Uplinks that a reader may have missed. With more it reads its lists again. */
const mostMissed = 10_000

/**
 * Brings a reader from `since` to the position of the log and joins it to the readers there, in one
 * turn of the event loop: no uplink is told twice, and none is left out.
 */
export async function catchUp(
  db: Database,
  log: Log,
  reader: Reader,
  since: Position,
): Promise<void> {
  const missed = log.position.ordinal - since.ordinal
  if (missed < 0) return reset(log, reader, 'unknown')
  if (missed > mostMissed) return reset(log, reader, 'gap')
  const told = new Set<number>()
  let { ordinal } = reader.filter.kinds.has('uplink') ? since : log.position
  for (;;) {
    const toldTo = await tellUplinks(db, log, reader, { ...since, ordinal })
    if (toldTo === 'gone') return reset(log, reader, 'gap')
    ordinal = toldTo
    const { tellings } = log
    const own = { ordinal, downlink: since.downlink }
    if (!(await tellMissedDownlinks(db, log, reader, { own, told }))) {
      return reset(log, reader, 'gap')
    }
    if (reader.stream.over.aborted) return
    // Nothing was told to the others since.
    const isLevel = ordinal >= log.position.ordinal || !reader.filter.kinds.has('uplink')
    if (isLevel && tellings === log.tellings) return join(log, reader)
  }
}

/** Adds a reader that is at the position of the log. */
export function join(log: Log, reader: Reader): void {
  ping(log, reader)
  log.readers.add(reader)
}

/** Tells a reader that it cannot be told what it missed. It goes on from now. */
export function reset(log: Log, reader: Reader, reason: 'gap' | 'unknown'): void {
  const id = writePosition(log.organizationId, log.position)
  reader.stream.send(writeEvent('reset', JSON.stringify({ reason }), id))
  join(log, reader)
}

/**
 * Tells the uplinks above a position in pieces, each when the client has taken the one before.
 * Returns `gone` when some of them are deleted: their organization keeps them for a time only.
 */
async function tellUplinks(
  db: Database,
  log: Log,
  reader: Reader,
  from: Position,
): Promise<number | 'gone'> {
  let { ordinal: after } = from
  while (after < log.position.ordinal && !reader.stream.over.aborted) {
    const upTo = Math.min(after + chunkSize, log.position.ordinal)
    const rows = await readUplinks(db, log.organizationId, { after, upTo })
    if (rows.length < upTo - after) return 'gone'
    await tell(db, reader, rows.map(toUplinkEvent), { ...from, ordinal: upTo })
    await reader.stream.taken()
    after = upTo
  }
  return after
}

/**
 * Tells the downlink events that the other readers have and this one may lack. Returns false when
 * they are too many.
 */
async function tellMissedDownlinks(
  db: Database,
  log: Log,
  reader: Reader,
  { own, told }: { own: Position; told: Set<number> },
): Promise<boolean> {
  if (!reader.filter.kinds.has('downlink')) return true
  const range = { after: own.downlink, upTo: Number.MAX_SAFE_INTEGER, most: mostDownlinks }
  const rows = await readDownlinks(db, log.organizationId, range)
  if (rows.length === mostDownlinks) return false
  const isTold = (id: number) => id <= log.position.downlink || log.told.has(id)
  const missed = rows.filter(({ id }) => isTold(id) && !told.has(id))
  for (const { id } of missed) told.add(id)
  const events = missed.map(toDownlinkEvent)
  await tell(db, reader, events, own)
  return true
}

async function tell(
  db: Database,
  reader: Reader,
  events: readonly LoggedEvent[],
  position: Position,
): Promise<void> {
  const { group } = reader.filter
  const ids = [...new Set(events.map(({ device }) => device.device_id))]
  const devices =
    group === undefined || ids.length === 0
      ? new Set<number>()
      : await selectGrouped(db, reader.organizationId, group, ids)
  sendEventsTo(reader, events, new Map([[group ?? 0, devices]]), position)
}
