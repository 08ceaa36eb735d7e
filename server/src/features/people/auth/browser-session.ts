import { z } from 'zod'
import { bodyLimits } from '../../../http/endpoint.ts'
import { unauthenticated } from '../../../http/errors.ts'
import { momentOf } from '../../../http/timestamps.ts'
import { openEndpoint } from '../../core-services.ts'
import { findSession } from '../sessions/authenticate.ts'
import { endSessionByToken } from '../sessions/session-queries.ts'
import { hashToken, renewSession, tokenLifetime } from '../sessions/sessions.ts'
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

export const renewBrowserSession = openEndpoint({
  summary: 'Exchange the token of a valid session for one in the cookie; the old one ends at once',
  description: 'However often it is renewed, a session ends 90 days after the login at the latest.',
  bodyLimit: bodyLimits.proof,
  answer: sessionAnswer,
  async handle({ session, cookie }, services) {
    const renewed = session && (await renewSession(services.db, session, services.now()))
    if (!renewed) throw unauthenticated()
    cookie.keep(renewed.token, renewed.lifetime)
    return describeSession(services, session)
  },
})

export const endBrowserSession = openEndpoint({
  summary: 'Log the browser out: ends the session of its cookie, valid or not, and clears it',
  description: 'Needs `X-Requested-With: console`, and no `Authorization` header.',
  status: 204,
  failures: [401],
  async handle({ cookie, request: { clientIp } }, { db, log, now }) {
    if (!cookie.isFromConsole) throw unauthenticated()
    cookie.clear()
    if (cookie.token === undefined) return
    const ended = await endSessionByToken(db, hashToken(cookie.token), momentOf(now()))
    if (!ended) return
    log.info({ event: 'logged_out', userId: ended.user_id, clientIp }, 'security event')
  },
})

export const showSession = openEndpoint({
  summary: 'Who is logged in, with which organizations and permissions, and until when',
  answer: sessionAnswer,
  async handle({ session }, services) {
    if (!session) throw unauthenticated()
    return describeSession(services, session)
  },
})
