import { z } from 'zod'
import { pageQuery } from '../../http/fields.ts'
import { pageOf, paginated, paginatedList } from '../../http/pages.ts'
import { momentOf } from '../../http/timestamps.ts'
import { endpoint } from '../core-services.ts'
import { listSessionPage } from './session-queries.ts'
import { sessionRecord, toSessionRecord } from './session-record.ts'

export const listSessions = endpoint({
  summary: 'Where the user is logged in, the latest login first',
  description:
    'A refreshed token stays in the session of its login. `last_used_at`, `address` and' +
    ' `user_agent` are those of the latest use, noted once a minute at most.',
  query: z.object(pageQuery),
  answer: paginated(sessionRecord),
  async handle({ query, caller, request }, { db, now }) {
    const page = pageOf(query, request.sentQuery)
    const { total, sessions } = await listSessionPage(db, caller.userId, page, momentOf(now()))
    const records = sessions.map((session) => toSessionRecord(session, caller.sessionId))
    return paginatedList(records, total, page, {
      address: request.address,
      query: request.sentQuery,
      payload: query,
    })
  },
})
