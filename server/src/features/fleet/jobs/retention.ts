import type { CoreServices } from '../../core-services.ts'
import { removeOld } from './job-queries.ts'
import { forgetSecrets } from './row-queries.ts'

const day = 24 * 60 * 60 * 1000
const keptDays = 30
/** Jobs deleted by one statement, with up to 100,000 rows each. */
const removedAtOnce = 5

/** Forgets keys of rows that nobody fixed within a day, and deletes old jobs. */
export async function removeOldJobs(
  { db, now }: Pick<CoreServices, 'db' | 'now'>,
  isStopped = () => false,
): Promise<void> {
  const time = now().getTime()
  const yesterday = new Date(time - day)
  await forgetSecrets(db, yesterday)
  const limits = {
    before: new Date(time - keptDays * day),
    abandonedBefore: yesterday,
    limit: removedAtOnce,
  }
  while (!isStopped() && (await removeOld(db, limits)) === removedAtOnce);
}
