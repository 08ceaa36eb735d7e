import { z } from 'zod'
import { notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { pageQuery, pathId } from '../../../http/fields.ts'
import { pageOf, paginated, paginatedList } from '../../../http/pages.ts'
import { isoTime, momentOf } from '../../../http/timestamps.ts'
import { endpoint } from '../../core-services.ts'
import { endSessionOf, endSessionsOf, listSessionPage, type SessionRow } from './session-queries.ts'

/** A login of the user whose token is valid or can still be exchanged. */
const sessionRecord = z
  .object(
    withExamples(
      {
        id: z.int(),
        created_at: z.string(),
        last_used_at: z.string(),
        address: z.string().nullable(),
        user_agent: z.string().nullable(),
        current: z.boolean(),
      },
      {
        id: 12,
        created_at: '2026-03-01T12:00:00.000000Z',
        last_used_at: '2026-03-01T12:31:00.000000Z',
        address: '192.0.2.17',
        user_agent: 'Mozilla/5.0',
        current: true,
      },
    ),
  )
  .meta({ id: 'Session' })

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
      request,
      payload: query,
    })
  },
})

function toSessionRecord(session: SessionRow, currentId: number) {
  return {
    id: session.id,
    created_at: isoTime(session.created_at),
    last_used_at: isoTime(session.last_used_at),
    address: session.address,
    user_agent: session.user_agent,
    current: session.id === currentId,
  }
}

const sessionPath = z.object({ session_id: pathId('12') })

export const endSession = endpoint({
  summary: 'Ends a session of the user: its token can neither be used nor exchanged any more',
  params: sessionPath,
  status: 204,
  change: 'untold',
  async handle({ params, caller }, { db, now }) {
    const { userId } = caller
    const { session_id: sessionId } = params
    const isEnded = await endSessionOf(db, userId, sessionId, momentOf(now()))
    if (!isEnded) throw notFound('Session not found')
  },
})

export const endOtherSessions = endpoint({
  summary: 'Ends all sessions of the user but this one',
  status: 204,
  change: 'untold',
  async handle({ caller }, { db, now }) {
    const { userId, sessionId } = caller
    await endSessionsOf(db, userId, sessionId, momentOf(now()))
  },
})
