import { randomBytes } from 'node:crypto'
import type { Queryable } from '../../db/connect.ts'
import type { Caller } from '../../http/endpoint.ts'
import { momentOf } from '../../http/timestamps.ts'
import type { CoreServices } from '../core-services.ts'
import { hashToken } from '../sessions/sessions.ts'
import { stepTooSoon, wrongSecret, wrongToken } from './setup-fields.ts'
import { insertToken, lockToken, type TokenHolder } from './token-queries.ts'

const lifetimeMilliseconds = 10 * 60_000

/** A new `token_2fa`, for this user in this session alone; it is kept nowhere. */
export async function issueToken(db: Queryable, caller: Caller, now: Date): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(now.getTime() + lifetimeMilliseconds)
  await insertToken(db, holderOf(token, caller), momentOf(expiresAt))
  return token
}

/** The token, and who it must have been issued to. */
export function holderOf(token: string, { sessionId, userId }: Caller): TokenHolder {
  return { tokenHash: hashToken(token), sessionId, userId }
}

/** Where the secret of a set-up lives, for the sealer. */
export function pendingSecretContext(userId: number): string {
  return `two_factor_tokens.sealed_secret:${userId}`
}

/** A set-up whose secret has been made: what `proof` holds once a code was right. */
export interface Setup {
  secret: string
  proof: { step: number; recoveryHashes: readonly Buffer[] } | undefined
}

/**
 * The set-up of a token, locked until the transaction ends. `echoedSecret` is what the client sent
 * back: it must be the secret that was made for this token, never one of the client's own.
 *
 * @throws HttpError 422 when the token does not hold, has no secret yet, or has another.
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
  const secret = sealer.open(row.sealed_secret, pendingSecretContext(holder.userId))
  if (secret !== echoedSecret) throw wrongSecret()
  const { verified_step: step, recovery_hashes: recoveryHashes } = row
  const isProved = step !== null && recoveryHashes !== null
  return { secret, proof: isProved ? { step, recoveryHashes } : undefined }
}
