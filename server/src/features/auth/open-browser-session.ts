import { z } from 'zod'
import { bodyLimits } from '../../http/endpoint.ts'
import { unauthenticated } from '../../http/errors.ts'
import { momentOf } from '../../http/timestamps.ts'
import { openEndpoint } from '../core-services.ts'
import { findSession } from '../sessions/authenticate.ts'
import { endSessionByToken } from '../sessions/session-end-queries.ts'
import { hashToken, tokenLifetime } from '../sessions/sessions.ts'
import { challenge, enter, loginBody, loginExamples } from './entrance.ts'
import { describeSession, sessionAnswer } from './session-record.ts'

export const openBrowserSession = openEndpoint({
  summary: 'Log a browser in: as `POST /auth/login`, with a cookie instead of the token',
  description:
    'The cookie cannot be read by scripts, and counts only with `X-Requested-With: console`. The' +
    ' session that it held before ends.',
  bodyLimit: bodyLimits.proof,
  body: loginBody,
  examples: loginExamples,
  answer: z.union([sessionAnswer, challenge]),
  failures: [401, 429, 503],
  async handle({ body, request, cookie }, services) {
    const { db, now } = services
    const entry = await enter(services, body, request)
    if (!entry.isIn) return entry.challenge
    const session = await findSession(services, entry.token, false)
    if (!session) throw unauthenticated()
    if (cookie.token !== undefined) {
      await endSessionByToken(db, hashToken(cookie.token), momentOf(now()))
    }
    cookie.keep(entry.token, tokenLifetime)
    return describeSession(services, session)
  },
})
