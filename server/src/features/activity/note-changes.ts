import type { BeginChange } from '../../http/handle-for-member.ts'
import type { CoreServices } from '../core-services.ts'
import * as activityQueries from './activity-queries.ts'
import type { Done } from './changes.ts'
import { changingRoutes } from './changing-routes.ts'

/**
 * Records what members change, for their organization to read (docs/decisions/0027-activity.md).
 * A change that was made is answered as made, even if its record fails.
 */
export function createChangeNoter({
  db,
  now,
  log,
}: Pick<CoreServices, 'db' | 'now' | 'log'>): BeginChange {
  return async ({ method, url, caller, params, body }) => {
    const route = changingRoutes[`${method} ${url}`]
    if (!route) return undefined
    const { organizationId, userId } = caller
    const { about } = route
    const known =
      about &&
      (await activityQueries.lookUp(db, organizationId, about.kind, String(params[about.param])))
    return async (answer) => {
      try {
        const done: Done = { params, body, answer: toObject(answer), known }
        const changes = route.describe(done)
        if (changes.length === 0) return
        await activityQueries.insert(db, organizationId, { userId, changes, now: now() })
      } catch (err) {
        log.warn({ err, method, url }, 'a change is not recorded')
      }
    }
  }
}

function toObject(answer: unknown): Record<string, unknown> {
  return typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : {}
}

const keptMilliseconds = 365 * 24 * 60 * 60 * 1000
const mostKept = 100_000

/** Keeps a year, and the newest 100,000 changes of each organization. */
export function removeOldActivities({ db, now }: Pick<CoreServices, 'db' | 'now'>): Promise<void> {
  const before = new Date(now().getTime() - keptMilliseconds)
  return activityQueries.removeOld(db, { before, most: mostKept })
}
