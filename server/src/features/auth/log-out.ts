import { z } from 'zod'
import { unauthenticated } from '../../http/errors.ts'
import { momentOf } from '../../http/timestamps.ts'
import { openEndpoint } from '../services.ts'
import { endSession } from './session-queries.ts'

const loggedOut = 'Logged out successfully.'

export const logOut = openEndpoint({
  summary: 'Ends the token: it can neither be used nor exchanged any more',
  answer: z.object({ message: z.literal(loggedOut) }),
  async handle({ session }, { db, now }) {
    const isEnded = session && (await endSession(db, session.sessionId, momentOf(now())))
    if (!isEnded) throw unauthenticated()
    return { message: loggedOut }
  },
})
