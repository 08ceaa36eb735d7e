import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import { sealContext } from '../../../db/secret-keys.ts'
import type { Caller } from '../../../http/endpoint.ts'
import { type HttpError, invalid } from '../../../http/errors.ts'
import { requiredText } from '../../../http/fields.ts'
import { momentOf } from '../../../http/timestamps.ts'
import type { CoreServices } from '../../core-services.ts'
import { hashToken } from '../sessions/sessions.ts'
import { insertToken, lockToken, type TokenHolder } from './two-factor-queries.ts'

const lifetimeMilliseconds = 10 * 60_000

/** Issues a `token_2fa` for this user in this session. Only its hash is stored. */
export async function issueToken(db: Queryable, caller: Caller, now: Date): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(now.getTime() + lifetimeMilliseconds)
  await insertToken(db, holderOf(token, caller), momentOf(expiresAt))
  return token
}

/** The token with the session and user that it must belong to. */
export function holderOf(token: string, { sessionId, userId }: Caller): TokenHolder {
  return { tokenHash: hashToken(token), sessionId, userId }
}

/** A set-up that has a secret. `proof` is set once a code was right. */
interface Setup {
  secret: string
  proof: { step: number; recoveryHashes: readonly Buffer[] } | undefined
}

/**
 * The set-up of a token, locked until the transaction ends. `echoedSecret` must be the secret that
 * was generated for this token; clients cannot choose their own.
 *
 * @throws HttpError 422 for a token that is invalid, has no secret yet, or has another secret.
 */
export async function lockSetup(
  tx: Queryable,
  { sealer, now }: Pick<CoreServices, 'sealer' | 'now'>,
  holder: TokenHolder,
  echoedSecret: string,
): Promise<Setup> {
  const row = await lockToken(tx, holder, momentOf(now()))
  if (!row) throw wrongToken()
  if (!row.sealed_secret) throw stepTooSoon('generate the QR code')
  const secret = sealer.open(row.sealed_secret, sealContext('secondFactorSetup', holder.userId))
  if (secret !== echoedSecret) throw wrongSecret()
  const { verified_step: step, recovery_hashes: recoveryHashes } = row
  const isProved = step !== null && recoveryHashes !== null
  return { secret, proof: isProved ? { step, recoveryHashes } : undefined }
}

/** A token and a secret for examples in the API reference. */
export const exampleSetup = {
  token: 'exampleR4tYw8Zc2Nm6Lk1Hs9Ed3Vb7Qx5Jp0GfUaTi',
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
}

/** The `token_2fa` of POST /confirm-password-access. */
export const tokenField = requiredText('token').meta({ examples: [exampleSetup.token] })

export const authTypeField = z.literal('authenticator', {
  error: ({ input }) =>
    input === undefined || input === null || input === ''
      ? 'The auth type field is required.'
      : 'The auth type must be authenticator.',
})

export const secretField = requiredText('totp2fa secret').meta({ examples: [exampleSetup.secret] })

/** The answer to a completed step. */
export function doneRecord<const M extends string>(message: M) {
  return z.object({ status: z.literal(true), message: z.literal(message) })
}

/** 422 for a token that is unknown, expired, used, or of another user or session. */
export function wrongToken(): HttpError {
  const message = 'The token is wrong or too old. Please confirm your password again.'
  return invalid({ token: [message] })
}

/** 422 for a valid token at a step that is not its next. */
export function stepTooSoon(step: string): HttpError {
  return invalid({ token: [`Please ${step} first.`] })
}

/** 422 for a secret that was not generated for the token. */
function wrongSecret(): HttpError {
  return invalid({ totp2fa_secret: ['The totp2fa secret is not the one of the QR code.'] })
}
