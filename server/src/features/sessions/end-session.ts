import { z } from 'zod'
import { notFound } from '../../http/errors.ts'
import { pathId } from '../../http/fields.ts'
import { momentOf } from '../../http/timestamps.ts'
import { endpoint } from '../core-services.ts'
import { endSessionOf } from './session-queries.ts'

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
