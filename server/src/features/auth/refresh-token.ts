import { z } from 'zod'
import { unauthenticated } from '../../http/errors.ts'
import { withExamples } from '../../http/examples.ts'
import { openEndpoint } from '../core-services.ts'
import { exampleToken, renewSession, tokenLifetime } from '../sessions/sessions.ts'

export const refreshToken = openEndpoint({
  summary: 'A new token for one that holds or ended at most 14 days ago; the old one ends at once',
  description: 'However often it is refreshed, a token ends 90 days after the login at the latest.',
  isAct: true,
  answer: z.object(
    withExamples(
      { token: z.string(), token_type: z.literal('bearer'), expires_in: z.int() },
      { token: exampleToken, expires_in: tokenLifetime },
    ),
  ),
  async handle({ session }, { db, now }) {
    const renewed = session && (await renewSession(db, session, now()))
    if (!renewed) throw unauthenticated()
    const { token, lifetime } = renewed
    return { token, token_type: 'bearer' as const, expires_in: lifetime }
  },
})
