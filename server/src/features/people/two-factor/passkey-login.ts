import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import { withExamples } from '../../../http/examples.ts'
import { requiredText } from '../../../http/fields.ts'
import { momentOf } from '../../../http/timestamps.ts'
import type { CoreServices } from '../../core-services.ts'
import { hashToken } from '../sessions/sessions.ts'
import { checkSignature, signedCredential } from './passkey-checks.ts'
import { lockPasskey, savePasskeyUse, takeChallenge, type WaitingLogin } from './passkey-queries.ts'
import { findPasskeySite } from './passkey-site.ts'
import type { TwoFactorState } from './two-factor-queries.ts'

/** Passkeys at a login: the password, or the provider of a sign-on, has let the user so far. */

export const lifetimeMilliseconds = 5 * 60_000
export const exampleToken = 'exampleP4tYw8Zc2Nm6Lk1Hs9Ed3Vb7Qx5Jp0GfUaTi'

/** What a login that needs a second factor says to a user with passkeys. */
export const passkeyOffer = z
  .object(
    withExamples(
      {
        token: z.string().describe('For `POST /auth/passkey/options`, for 5 minutes.'),
        is_only: z
          .boolean()
          .describe('The user has no authenticator app: only a recovery code can be used instead.'),
      },
      { token: exampleToken, is_only: false },
    ),
  )
  .meta({ id: 'PasskeyOffer' })

const tokenContext = 'passkeys:login'

/** Undefined where the user has no passkeys, or browsers have none at PUBLIC_URL. */
export function offerPasskeys(
  { sealer, now, publicUrl }: CoreServices,
  userId: number,
  { passkeyCount, hasAuthenticator }: TwoFactorState,
): z.infer<typeof passkeyOffer> | undefined {
  if (passkeyCount === 0 || !findPasskeySite(publicUrl)) return undefined
  const until = now().getTime() + lifetimeMilliseconds
  const sealed = sealer.seal(JSON.stringify({ userId, until }), tokenContext)
  return { token: sealed.toString('base64url'), is_only: !hasAuthenticator }
}

/** The login of a token; undefined when it is none, or too old. */
export function openToken(
  { sealer, now }: Pick<CoreServices, 'sealer' | 'now'>,
  token: string,
): WaitingLogin | undefined {
  try {
    const text = sealer.open(Buffer.from(token, 'base64url'), tokenContext)
    const { userId, until } = JSON.parse(text) as { userId: number; until: number }
    return until > now().getTime() ? { userId, tokenHash: hashToken(token) } : undefined
  } catch {
    return undefined
  }
}

export const loginTokenField = requiredText('token', 1000)

/** The second factor of a login: what the passkey has signed, and for which login. */
export const passkeyField = z
  .object(
    { token: loginTokenField, credential: signedCredential },
    { error: 'The passkey must be an object.' },
  )
  .nullish()

/**
 * Whether a passkey of the user has signed what it was asked for at this login. That is over with the
 * first try, right or wrong, once the transaction commits.
 */
export async function isPasskey(
  tx: Queryable,
  services: Pick<CoreServices, 'sealer' | 'now' | 'publicUrl' | 'log'>,
  userId: number,
  { token, credential }: { token: string; credential: z.infer<typeof signedCredential> },
): Promise<boolean> {
  const { now, log, publicUrl } = services
  const site = findPasskeySite(publicUrl)
  const login = openToken(services, token)
  if (!site || login?.userId !== userId) return false
  const challenge = await takeChallenge(tx, login, momentOf(now()))
  const passkey = await lockPasskey(tx, userId, Buffer.from(credential.id, 'base64url'))
  if (challenge === undefined || !passkey) return false
  const result = await checkSignature(site, challenge, passkey, credential)
  if ('reason' in result) {
    log.warn({ userId, passkeyId: passkey.id, reason: result.reason }, 'passkey refused')
    return false
  }
  await savePasskeyUse(tx, passkey.id, result.counter, momentOf(now()))
  return true
}
