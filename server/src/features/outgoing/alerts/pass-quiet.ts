import type { Database } from '../../../db/connect.ts'
import { formFor } from '../../../db/distribution/form-for.ts'
import type { ConditionSettings } from './condition-settings.ts'
import { looksBack } from './past.ts'
import { judgeAll, moveAll, pairsOf, type Reading } from './read-news.ts'
import { findLatestOf, readUplinksOf } from './reading-queries.ts'
import { listActiveOf, type StoredRule } from './rule-queries.ts'
import { listReading, moveCursors } from './watch-queries.ts'

/**
 * Moves the cursors of organizations whose new uplinks change nothing, many in a few statements. Most uplinks
 * change no alert, and a turn of its own costs each organization several commits.
 */
export async function passQuiet(db: Database, now: Date): Promise<void> {
  const pass = await formFor(db, { whole: passAll, spread: async () => undefined })
  await pass(db, now)
}

/** Milliseconds. Whoever was not passed has a turn of its own. */
const longestPass = 1000

/** Rules that look back read as much as one organization may have others wait for. */
function needsTurn({ kind, settings }: StoredRule): boolean {
  return kind === 'condition' && looksBack(settings as ConditionSettings)
}

async function passAll(db: Database, now: Date): Promise<void> {
  const ranges = await listReading(db, now)
  if (ranges.length < 2) return
  const ids = ranges.map(({ organization_id }) => organization_id)
  const [rules, uplinks] = await Promise.all([listActiveOf(db, ids), readUplinksOf(db, ranges)])
  const rulesOf = Map.groupBy(rules, ({ organization_id }) => organization_id)
  const uplinksOf = Map.groupBy(uplinks, ({ organization_id }) => organization_id)
  const readings = new Map<number, Reading[]>()
  const end = performance.now() + longestPass
  for (const id of ids) {
    const own = rulesOf.get(id) ?? []
    if (own.some(needsTurn) || performance.now() > end) continue
    readings.set(id, await judgeAll(db, own, uplinksOf.get(id) ?? [], now))
  }
  const latest = await findLatestOf(db, [...readings.values()].flatMap(pairsOf))
  const quiet = ranges.filter(({ organization_id }) => {
    const own = readings.get(organization_id)
    if (!own) return false
    const { moved, ended } = moveAll(own, latest)
    return moved.length + ended.length === 0
  })
  if (quiet.length > 0) await moveCursors(db, quiet)
}
