import { momentOf } from '../../http/timestamps.ts'
import { endpoint } from '../core-services.ts'
import { endSessionsOf } from './session-queries.ts'

export const endOtherSessions = endpoint({
  summary: 'Ends all sessions of the user but this one',
  status: 204,
  change: 'untold',
  async handle({ caller }, { db, now }) {
    const { userId, sessionId } = caller
    await endSessionsOf(db, userId, sessionId, momentOf(now()))
  },
})
