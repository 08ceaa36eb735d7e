import type { Queryable } from '../../../db/connect.ts'
import * as queries from './rhythm-queries.ts'

/** Devices of one statement. */
const portion = 1_000
/** Portions of an organization in one run, so that each has its turn. */
const mostPortions = 5

/**
 * Learns in the background how often devices send. Only devices are looked at that were just heard
 * for the first time, or that would be silent by what was known of them.
 */
export async function learnRhythms({ db, now }: { db: Queryable; now(): Date }): Promise<void> {
  for (const organizationId of await queries.listDue(db, now())) {
    await queries.postpone(db, organizationId, now())
    for (let turn = 0; turn < mostPortions; turn += 1) {
      const look = { now: now(), most: portion }
      const ids = await queries.listUnlearnt(db, organizationId, look)
      await queries.learn(db, organizationId, { ids, now: look.now })
      await queries.noteLearnt(db, organizationId, ids)
      if (ids.length < portion) break
    }
  }
}
