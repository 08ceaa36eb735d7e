import type { Database, Queryable } from '../../db/connect.ts'
import { restAfter } from '../../db/rest-after.ts'
import {
  type DeviceHour,
  deleteHours,
  findNewHours,
  listDue,
  lockCursor,
  moveCursor,
  noteDeviceHours,
  takeChanges,
  writeDays,
  writeHours,
} from './rollup-queries.ts'
import { clearHours, listStates, readSaid, writeStateHours } from './state-queries.ts'
import { sumUpHour } from './state-times.ts'

/** Uplinks, and changed hours, of one portion. */
const portionSize = 2000
/** Milliseconds after which the job leaves the rest to its next run. */
const longestRun = 3000
/** Pauses for so many times as long as a portion took: uplinks that arrive need the machine more. */
const longestRest = 9
/** Each run that leaves something shortens the rest of the next one by this factor, down to the shortest. */
const hurry = 0.9
const shortestRest = 1
/** Of the next run. */
const rests = new WeakMap<Database, number>()

/**
 * Rolls up what has come since the last time, a portion of each organization in turn. Several processes
 * may do this at once: they leave an organization to the one that has its cursor. Where more comes than it
 * does, it rests ever less: what waits has no other bound.
 */
export async function rollUp(db: Database): Promise<void> {
  const rest = rests.get(db) ?? longestRest
  const isDone = await rollUpDue(db, rest)
  rests.set(db, isDone ? longestRest : Math.max(shortestRest, rest * hurry))
}

/** Returns whether nothing is left. */
async function rollUpDue(db: Database, rest: number): Promise<boolean> {
  const end = performance.now() + longestRun
  let due = await listDue(db)
  while (due.length > 0) {
    const left: typeof due = []
    for (const organization of due) {
      const begin = performance.now()
      if (begin > end) return false
      if (await rollUpPortion(db, organization.id)) left.push(organization)
      await restAfter(begin, rest)
    }
    due = left
  }
  return true
}

/** Returns whether there may be more. Readers see all that a portion changes at once. */
export function rollUpPortion(
  db: Database,
  organizationId: number,
  size = portionSize,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const backlog = await lockCursor(tx, organizationId)
    if (!backlog) return false
    const upTo = Math.min(backlog.up_to, backlog.after + size)
    const changed = await takeChanges(tx, organizationId, size)
    const added =
      upTo > backlog.after
        ? await findNewHours(tx, organizationId, { after: backlog.after, up_to: upTo })
        : []
    const emptied = changed.length > 0 ? await deleteHours(tx, organizationId, changed) : []
    const written = await writeHours(tx, organizationId, [...changed, ...added], upTo)
    await writeDays(tx, organizationId, [...emptied, ...written])
    if (changed.length > 0) await clearHours(tx, organizationId, changed)
    await writeStates(tx, organizationId, [...changed, ...added], upTo)
    await moveCursor(tx, organizationId, upTo)
    const hasNoted = changed.length === 0 && (await noteDeviceHours(tx, organizationId))
    return hasNoted || upTo < backlog.up_to || changed.length === size
  })
}

/** The same as `writeHours` for the states of the devices. */
async function writeStates(
  tx: Queryable,
  organizationId: number,
  hours: readonly DeviceHour[],
  upTo: number,
): Promise<void> {
  const places = await listStates(tx, organizationId, hours)
  if (places.length === 0) return
  const said = await readSaid(tx, organizationId, places, upTo)
  const summed = said.flatMap(({ device_id, name, hour, uplinks }) => {
    const stored = sumUpHour(uplinks, hour)
    return stored ? [{ device_id, name, hour, stored }] : []
  })
  await writeStateHours(tx, organizationId, summed)
}
