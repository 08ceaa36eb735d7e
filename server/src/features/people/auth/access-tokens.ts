import { z } from 'zod'
import { bodyLimits } from '../../../http/endpoint.ts'
import { unauthenticated } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { momentOf } from '../../../http/timestamps.ts'
import { openEndpoint } from '../../core-services.ts'
import { listOrganizationsOf } from '../organizations/organization-queries.ts'
import { organizationRecord, toOrganizationRecord } from '../organizations/organization-record.ts'
import { endSessionOf } from '../sessions/session-queries.ts'
import { exampleToken, renewSession, tokenLifetime } from '../sessions/sessions.ts'
import { challenge, enter, loginBody, loginExamples } from './entrance.ts'

const success = z
  .object({
    organizations: z.array(organizationRecord),
    ...withExamples(
      { token: z.string(), must_change_password: z.boolean() },
      { token: exampleToken, must_change_password: false },
    ),
  })
  .meta({ title: 'logged in' })

export const logIn = openEndpoint({
  summary: 'Log in with e-mail and password, and with a second factor where two-factor is on',
  bodyLimit: bodyLimits.proof,
  body: loginBody,
  examples: loginExamples,
  answer: z.union([success, challenge]),
  failures: [401, 429, 503],
  async handle({ body, request }, services) {
    const entry = await enter(services, body, request)
    if (!entry.isIn) return entry.challenge
    const { token, user } = entry
    const organizations = await listOrganizationsOf(services.db, user.id)
    return {
      organizations: organizations.map(toOrganizationRecord),
      token,
      must_change_password: user.must_change_password,
    }
  },
})

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
