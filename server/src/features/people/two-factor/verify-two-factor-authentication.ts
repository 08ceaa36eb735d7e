import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import { bodyLimits } from '../../../http/endpoint.ts'
import { invalid } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { requiredText } from '../../../http/fields.ts'
import { type CoreServices, endpoint } from '../../core-services.ts'
import { countRightGuess, countWrongGuess, refuseWhileWaiting } from '../sessions/guesses.ts'
import { provingAttempt } from '../sessions/login-limits.ts'
import {
  findTimeStep,
  hashRecoveryCode,
  makeRecoveryCodes,
  sixDigits,
  withoutBlanks,
} from './second-factor.ts'
import { saveProof, type TokenHolder } from './two-factor-queries.ts'
import { authTypeField, holderOf, lockSetup, secretField, tokenField } from './two-factor-setup.ts'

const body = z.object({
  token: tokenField,
  auth_type: authTypeField,
  totp2fa_secret: secretField,
  one_time_password: requiredText('one time password')
    .regex(sixDigits, 'The one time password must be 6 digits.')
    .meta({ examples: ['123456'] }),
})

export const verifyTwoFactorAuthentication = endpoint({
  summary: 'Prove the secret with a code of the app; answers the recovery codes, this once',
  bodyLimit: bodyLimits.proof,
  body,
  answer: z.object(
    withExamples(
      { status: z.literal(true), recovery_codes: z.array(z.string()) },
      { recovery_codes: ['MFRG-GZDF-MZTW-Q2LK-NR2W-4ZJ5', 'ONSW-G4TF-OQQH-I3LF-EBUG-C43I'] },
    ),
  ),
  failures: [429],
  change: 'untold',
  async handle({ body, caller, request }, services) {
    const { db, loginRateLimit } = services
    const { userId } = caller
    const attempt = provingAttempt('two-factor set-up', userId, request.clientIp, loginRateLimit)
    await refuseWhileWaiting(services, attempt)
    const codes = await db.transaction(async (tx) => {
      const made = await proveSecret(tx, services, holderOf(body.token, caller), body)
      if (made) await countRightGuess(tx, services, attempt)
      return made
    })
    if (codes) return { status: true as const, recovery_codes: codes }
    const answer = invalid({
      one_time_password: ['The one time password is wrong, too old, or was used before.'],
    })
    throw await countWrongGuess(services, attempt, userId, answer)
  },
})

/**
 * New recovery codes for a right code; undefined for a wrong one. A client may have missed the
 * answer: it can prove the secret again with the next code and gets new recovery codes.
 */
async function proveSecret(
  tx: Queryable,
  services: CoreServices,
  holder: TokenHolder,
  given: z.infer<typeof body>,
): Promise<string[] | undefined> {
  const { secret, proof } = await lockSetup(tx, services, holder, given.totp2fa_secret)
  const step = findTimeStep(secret, withoutBlanks(given.one_time_password), services.now())
  if (step === undefined || (proof && step <= proof.step)) return undefined
  const codes = makeRecoveryCodes()
  await saveProof(tx, holder, { step, recoveryHashes: codes.map(hashRecoveryCode) })
  return codes
}
