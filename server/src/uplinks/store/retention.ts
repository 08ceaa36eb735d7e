import type { Database } from '../../db/connect.ts'
import { restAfter } from '../../db/rest-after.ts'
import { type DueOrganization, deleteOldest, listDue, noteDeleted } from './retention-queries.ts'

interface Portions {
  /**
   * Uplinks of one transaction. It holds the organization's counter at its end: 2.5 ms for 250,
   * 17 ms for 1,000. Both delete 25,000 a second, 100 at a time half as many (measured).
   */
  size: number
  /** Milliseconds after which the work stops until the next run. */
  time: number
}

const usual: Portions = { size: 250, time: 3000 }

/**
 * Deletes the uplinks that are older than their organizations keep them, in portions, the
 * organizations in turn. After each portion it waits for as long as that took, so that at least
 * half of the time is left to the uplinks that arrive. Several processes may do this at once: when a
 * portion comes back empty, another one has deleted it and goes on, or nothing old is left.
 */
export async function removeOldUplinks(db: Database, portions = usual): Promise<void> {
  const deadline = performance.now() + portions.time
  let due: readonly DueOrganization[] = await listDue(db)
  while (due.length > 0) {
    const left: DueOrganization[] = []
    for (const organization of due) {
      const begin = performance.now()
      if (begin > deadline) return
      const count = await removePortion(db, organization.id, portions.size)
      // A part of the portion may have been deleted by another process at the same time.
      if (count > 0) left.push(organization)
      await restAfter(begin)
    }
    due = left
  }
}

/** Returns how many uplinks it has deleted. Lists, and the ordinals they begin at, change at once. */
function removePortion(db: Database, organizationId: number, size: number): Promise<number> {
  return db.transaction(async (tx) => {
    const deleted = await deleteOldest(tx, organizationId, size)
    if (deleted.length > 0) await noteDeleted(tx, organizationId, deleted)
    return deleted.reduce((sum, { count }) => sum + count, 0)
  })
}
