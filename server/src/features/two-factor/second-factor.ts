import type { Queryable } from '../../db/connect.ts'
import type { CoreServices } from '../core-services.ts'
import { hashRecoveryCode } from './recovery-codes.ts'
import type { SecondFactor } from './second-factor-fields.ts'
import { findTimeStep } from './totp.ts'
import { lockTwoFactor, saveLastStep, spendRecoveryCode } from './two-factor-queries.ts'

/** Where a user's secret lives, for the sealer: it opens in no other user's row. */
export function secretContext(userId: number): string {
  return `two_factors.sealed_secret:${userId}`
}

/**
 * Whether the code is one of the user's, and has not been used. Then it is used up, once the
 * transaction commits; of several calls with the same code at one time, one gets a yes.
 */
export async function isSecondFactor(
  tx: Queryable,
  { sealer, now }: Pick<CoreServices, 'sealer' | 'now'>,
  userId: number,
  { kind, code }: SecondFactor,
): Promise<boolean> {
  if (kind === 'recovery') return spendRecoveryCode(tx, userId, hashRecoveryCode(code))
  const known = await lockTwoFactor(tx, userId)
  if (!known) return false
  const secret = sealer.open(known.sealed_secret, secretContext(userId))
  const step = findTimeStep(secret, code, now())
  if (step === undefined || step <= known.last_step) return false
  await saveLastStep(tx, userId, step)
  return true
}
