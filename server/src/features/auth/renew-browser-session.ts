import { bodyLimits } from '../../http/endpoint.ts'
import { unauthenticated } from '../../http/errors.ts'
import { openEndpoint } from '../core-services.ts'
import { renewSession } from '../sessions/sessions.ts'
import { describeSession, sessionAnswer } from './session-record.ts'

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
