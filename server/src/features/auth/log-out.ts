import { z } from 'zod'
import { unauthenticated } from '../../http/errors.ts'
import { momentOf } from '../../http/timestamps.ts'
import { openEndpoint } from '../core-services.ts'
import { endSessionOf } from '../sessions/session-queries.ts'

const loggedOut = 'Logged out successfully.'

export const logOut = openEndpoint({
  summary: 'Ends the token: it can neither be used nor exchanged any more',
  isAct: true,
  answer: z.object({ message: z.literal(loggedOut) }),
  async handle({ session }, { db, now }) {
    if (!session) throw unauthenticated()
    const { userId, sessionId } = session
    if (!(await endSessionOf(db, userId, sessionId, momentOf(now())))) throw unauthenticated()
    return { message: loggedOut }
  },
})
