import type { BeginChange } from '../../http/handle-for-member.ts'
import type { CoreServices } from '../core-services.ts'
import { findDevicesTogether } from '../inventory/brief-device-queries.ts'
import { readReference } from '../inventory/references.ts'
import * as activityQueries from './activity-queries.ts'
import type { Done, LookedUp } from './changes.ts'
import { changingRoutes } from './changing-routes.ts'
import { storeTogether } from './store-together.ts'

/**
 * Records what members change, for their organization to read (docs/decisions/0027-activity.md).
 * A change that was made is answered as made, even if its record fails.
 */
export function createChangeNoter({
  db,
  now,
  log,
}: Pick<CoreServices, 'db' | 'now' | 'log'>): BeginChange {
  const findDevice = findDevicesTogether(db)
  const lookUp = async (organizationId: number, kind: LookedUp, text: string) => {
    const reference = readReference(text)
    if (kind !== 'device') return activityQueries.lookUp(db, organizationId, kind, reference)
    const device = await findDevice({ organizationId, reference })
    return device && { subject: device.eui, name: device.name }
  }
  const store = storeTogether(db)
  return async ({ method, url, caller, address, params, body }) => {
    const operation = `${method} ${url}`
    const route = changingRoutes[operation]
    if (!route) return undefined
    const { organizationId, userId, key } = caller
    const { about } = route
    const looking = about && lookUp(organizationId, about.kind, String(params[about.param]))
    // Handled below. Without this, a failure before the answer would end the process.
    looking?.catch(() => undefined)
    if (!route.keepsNames) await looking
    return async (answer) => {
      try {
        const done: Done = { params, body, answer: toObject(answer), known: await looking }
        const changes = route.describe(done)
        if (changes.length === 0) return
        const from = { organizationId, userId, key, address, operation }
        await store({ ...from, now: now(), changes })
      } catch (err) {
        log.warn({ err, method, url }, 'a change is not recorded')
      }
    }
  }
}

function toObject(answer: unknown): Record<string, unknown> {
  return typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : {}
}
