import type { Client } from '../../http/endpoint.ts'
import { momentOf } from '../../http/timestamps.ts'
import type { CoreServices } from '../core-services.ts'
import { noteUse } from './session-queries.ts'

/** Notes under way at one time; what comes beside them is noted at the next request. */
const most = 4

/**
 * Notes when a session was last used, from where and with what: once a minute at most, and never at
 * the cost of the request.
 */
export function createUseNotes({ db, now, log }: Pick<CoreServices, 'db' | 'now' | 'log'>) {
  const underWay = new Set<number>()
  return (sessionId: number, client: Client): void => {
    if (underWay.has(sessionId) || underWay.size >= most) return
    underWay.add(sessionId)
    noteUse(db, sessionId, client, momentOf(now()))
      .catch((err) => log.warn({ err, sessionId }, 'the use of a session was not noted'))
      .finally(() => underWay.delete(sessionId))
  }
}
