import type { CoreServices } from '../../core-services.ts'
import { deleteAlerts, deleteMails, deleteRules, listWithOld } from './retention-queries.ts'

const keptMilliseconds = 366 * 24 * 60 * 60 * 1000
/** Rows that one statement deletes. */
const limit = 5_000

/** Keeps closed alerts for a year, and the mails about them. A deleted rule stays while it has alerts. */
export async function removeOldAlerts(
  { db, now }: Pick<CoreServices, 'db' | 'now'>,
  isStopped = () => false,
): Promise<void> {
  const before = new Date(now().getTime() - keptMilliseconds)
  for (const organizationId of await listWithOld(db, before)) {
    if (isStopped()) return
    while (!isStopped() && (await deleteAlerts(db, organizationId, { before, limit })) === limit) {}
    await deleteMails(db, organizationId, before)
    await deleteRules(db, organizationId)
  }
}
