import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../db/connect.ts'
import { rollUpPortion } from './roll-up.ts'
import {
  findNextDevice,
  findRolledUp,
  hasChanges,
  noteRolledUp,
  noteUplinks,
} from './rollup-queries.ts'

/** Uplinks whose hours are noted together. */
const portionSize = 10_000

/**
 * Rolls up all that is kept of an organization again, and removes what nothing is left of. Readers have
 * whole answers meanwhile. Returns how many uplinks it went through.
 */
export async function rebuildRollups(db: Database, organizationId: number): Promise<number> {
  for (let id = 0; ; ) {
    const next = await findNextDevice(db, organizationId, id)
    if (next === undefined) break
    id = next
    await noteRolledUp(db, organizationId, id)
    await workOff(db, organizationId)
  }
  const range = await findRolledUp(db, organizationId)
  if (!range) return 0
  for (let { after } = range; after < range.up_to; after += portionSize) {
    const upTo = Math.min(range.up_to, after + portionSize)
    await noteUplinks(db, organizationId, { after, up_to: upTo })
    await workOff(db, organizationId)
  }
  return Math.max(0, range.up_to - range.after)
}

async function workOff(db: Database, organizationId: number): Promise<void> {
  while (await hasChanges(db, organizationId)) {
    const hasMore = await rollUpPortion(db, organizationId)
    // The service may be at it.
    if (!hasMore) await pause(20)
  }
}
