import type { Queryable } from '../../db/connect.ts'
import { doTogether } from '../../db/together.ts'
import { type Activity, insertAll } from './activity-queries.ts'

/** Stores activities; combines what the members of one organization do at the same time. */
export function storeTogether(db: Queryable): (activity: Activity) => Promise<void> {
  return doTogether(
    async (activities: readonly Activity[]) => {
      await insertAll(db, activities[0]?.organizationId ?? 0, activities)
      return activities.map(() => undefined)
    },
    ({ organizationId }) => organizationId,
  )
}
