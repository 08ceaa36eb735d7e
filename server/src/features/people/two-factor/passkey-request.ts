import { z } from 'zod'
import { bodyLimits } from '../../../http/endpoint.ts'
import { invalid } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { momentOf } from '../../../http/timestamps.ts'
import { openEndpoint } from '../../core-services.ts'
import { countRequest } from '../sessions/guesses.ts'
import { stepAttempt } from '../sessions/login-limits.ts'
import { makeRequestOptions } from './passkey-checks.ts'
import { exampleToken, lifetimeMilliseconds, loginTokenField, openToken } from './passkey-login.ts'
import { listPasskeyPlaces, saveChallenge } from './passkey-queries.ts'
import { findPasskeySite } from './passkey-site.ts'

/** Logins of a user that wait for a passkey at one time. The oldest one goes. */
const mostWaiting = 10

const tooOld = 'The login has taken too long. Please log in again.'

export const makePasskeyRequest = openEndpoint({
  summary: 'What the browser asks a passkey to sign, as the second factor of a login',
  description:
    'The login answers with `passkeys.token` where the user has passkeys. `publicKey` is for `navigator.credentials.get()`; what that gives goes, with the token, into `passkey` of the login, which is repeated. Each can be used once, within 5 minutes.',
  bodyLimit: bodyLimits.proof,
  body: z.object(withExamples({ token: loginTokenField }, { token: exampleToken })),
  answer: z.object({
    data: z.object(
      withExamples(
        { publicKey: z.looseObject({ challenge: z.string(), rpId: z.string() }) },
        { publicKey: { challenge: 'NcI8tC5d2Zs', rpId: 'fleet.example.com' } },
      ),
    ),
  }),
  failures: [429, 503],
  async handle({ body, request }, services) {
    const { db, now, publicUrl, loginRateLimit } = services
    await countRequest(services, stepAttempt('passkey', request.clientIp, loginRateLimit))
    const site = findPasskeySite(publicUrl)
    const login = openToken(services, body.token)
    if (!site || !login) throw invalid({ token: [tooOld] })
    const publicKey = await makeRequestOptions(site, await listPasskeyPlaces(db, login.userId))
    const expiresAt = momentOf(new Date(now().getTime() + lifetimeMilliseconds))
    await db.transaction((tx) =>
      saveChallenge(tx, login, { challenge: publicKey.challenge, expiresAt, most: mostWaiting }),
    )
    return { data: { publicKey: { ...publicKey, rpId: site.host } } }
  },
})
