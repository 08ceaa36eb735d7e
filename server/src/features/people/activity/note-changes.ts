import type { Done, LookedUp } from '../../../http/change-record.ts'
import type { BeginChange } from '../../../http/handle-for-member.ts'
import type { CoreServices } from '../../core-services.ts'
import { findDevicesTogether } from '../../fleet/inventory/device-queries.ts'
import { readReference } from '../../fleet/inventory/references.ts'
import * as activityQueries from './activity-queries.ts'

/**
 * Records what members change, for their organization to read (docs/decisions/0027-activity.md). The
 * handler calls it in the transaction of the change: neither is there without the other.
 */
export function createChangeNoter({ db, now }: Pick<CoreServices, 'db' | 'now'>): BeginChange {
  const findDevice = findDevicesTogether(db)
  const lookUp = async (organizationId: number, kind: LookedUp, text: string) => {
    const reference = readReference(text)
    if (kind !== 'device') return activityQueries.lookUp(db, organizationId, kind, reference)
    const device = await findDevice({ organizationId, reference })
    return device && { subject: device.eui, name: device.name }
  }
  return async ({ change, operation, caller, address, params, body }) => {
    const { organizationId, userId, key } = caller
    const { about } = change
    // Before the transaction, which would hold a connection while it waits for another one.
    const known = about && (await lookUp(organizationId, about.kind, String(params[about.param])))
    return async (tx, answer = {}) => {
      const done: Done = { params, body, answer: answer as Done['answer'], known }
      const changes = change.describe(done)
      if (changes.length === 0) return
      const from = { organizationId, userId, key, address, operation }
      await activityQueries.insertAll(tx, organizationId, [{ ...from, now: now(), changes }])
    }
  }
}
