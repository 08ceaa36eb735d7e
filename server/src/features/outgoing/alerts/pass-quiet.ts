import type { Database } from '../../../db/connect.ts'
import { formFor } from '../../../db/distribution/form-for.ts'
import { judgeAll, moveAll, pairsOf, type Reading } from './read-news.ts'
import { findLatestOf, readUplinksOf } from './reading-queries.ts'
import { listActiveOf } from './rule-queries.ts'
import { listReading, moveCursors } from './watch-queries.ts'

/**
 * Moves the cursors of organizations whose new uplinks change nothing, many in a few statements. Most uplinks
 * change no alert, and a turn of its own costs each organization several commits.
 */
export async function passQuiet(db: Database, now: Date): Promise<void> {
  const pass = await formFor(db, { whole: passAll, spread: async () => undefined })
  await pass(db, now)
}

async function passAll(db: Database, now: Date): Promise<void> {
  const ranges = await listReading(db, now)
  if (ranges.length < 2) return
  const ids = ranges.map(({ organization_id }) => organization_id)
  const [rules, uplinks] = await Promise.all([listActiveOf(db, ids), readUplinksOf(db, ranges)])
  const rulesOf = Map.groupBy(rules, ({ organization_id }) => organization_id)
  const uplinksOf = Map.groupBy(uplinks, ({ organization_id }) => organization_id)
  const readings = new Map<number, Reading[]>()
  for (const id of ids) {
    readings.set(id, await judgeAll(db, rulesOf.get(id) ?? [], uplinksOf.get(id) ?? [], now))
  }
  const latest = await findLatestOf(db, [...readings.values()].flatMap(pairsOf))
  const quiet = ranges.filter(({ organization_id }) => {
    const { moved, ended } = moveAll(readings.get(organization_id) ?? [], latest)
    return moved.length + ended.length === 0
  })
  if (quiet.length > 0) await moveCursors(db, quiet)
}
