import type { Database } from '../../../db/connect.ts'
import { listChanging, noteChanges } from './outage-queries.ts'

/** Longer without a look, and the service was not there to hear gateways. */
const longestPause = 5 * 60 * 1000

/** Notes when gateways fall silent, and when they are heard again. */
export interface OutageWatch {
  look(): Promise<void>
}

/** Time in which the service does not run counts for the gateways: nobody knows. */
export function createOutageWatch({ db, now }: { db: Database; now: () => Date }): OutageWatch {
  let watchedSince: Date | undefined
  let lookedAt = 0
  return {
    async look() {
      const at = now()
      if (!watchedSince || at.getTime() - lookedAt > longestPause) watchedSince = at
      for (const id of await listChanging(db, at)) {
        await noteChanges(db, id, { watchedSince, now: at })
      }
      lookedAt = at.getTime()
    },
  }
}
