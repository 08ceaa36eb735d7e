import { createHash } from 'node:crypto'
import { generateSecret, verifySync } from 'otplib'
import { z } from 'zod'
import type { Queryable } from '../../db/connect.ts'
import { sealContext } from '../../db/sealed-columns.ts'
import type { FieldErrors } from '../../http/errors.ts'
import { optionalBoolean, optionalText } from '../../http/fields.ts'
import type { CoreServices } from '../core-services.ts'
import { lockTwoFactor, saveLastStep, spendRecoveryCode } from './two-factor-queries.ts'

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
  const secret = sealer.open(known.sealed_secret, sealContext('secondFactor', userId))
  const step = findTimeStep(secret, code, now())
  if (step === undefined || step <= known.last_step) return false
  await saveLastStep(tx, userId, step)
  return true
}

/** What was given beside the password. */
export interface SecondFactor {
  kind: 'authenticator' | 'recovery'
  code: string
}

/** The fields of the second login call. All optional: without two-factor they mean nothing. */
export const secondFactorFields = {
  verify_2fa: z.enum(['yes', 'no'], { error: 'The verify 2fa must be yes or no.' }).nullish(),
  authentication_code: optionalText('authentication code'),
  recovery_code: optionalText('recovery code'),
  console_login: optionalBoolean('console login'),
}

type Given = z.infer<z.ZodObject<typeof secondFactorFields>>

/** Adds what one field asks of another, told together with what is wrong in any field. */
export function withSecondFactorChecks<T extends Given>(schema: z.ZodType<T>): z.ZodType<T> {
  const always = { when: () => true }
  return schema
    .refine((given) => given.verify_2fa !== 'yes' || isGiven(given.authentication_code), {
      path: ['authentication_code'],
      error: 'The authentication code field is required.',
      ...always,
    })
    .refine(
      ({ verify_2fa, authentication_code: code }) =>
        verify_2fa !== 'yes' || !isGiven(code) || /^\d{6}$/.test(String(code)),
      {
        path: ['authentication_code'],
        error: 'The authentication code must be 6 digits.',
        ...always,
      },
    )
    .refine((given) => given.verify_2fa !== 'no' || isGiven(given.recovery_code), {
      path: ['recovery_code'],
      error: 'The recovery code field is required.',
      ...always,
    })
}

/** The code that `verify_2fa` announces; undefined without one. */
export function readSecondFactor(given: Given): SecondFactor | undefined {
  if (given.verify_2fa === 'yes') {
    return { kind: 'authenticator', code: given.authentication_code ?? '' }
  }
  if (given.verify_2fa === 'no') return { kind: 'recovery', code: given.recovery_code ?? '' }
  return undefined
}

export function wrongSecondFactor({ kind }: SecondFactor): FieldErrors {
  if (kind === 'recovery') {
    return { recovery_code: ['The recovery code is wrong or was used before.'] }
  }
  return {
    authentication_code: ['The authentication code is wrong, too old, or was used before.'],
  }
}

/** Runs on fields of a wrong type too, hence `unknown`. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && String(value).trim() !== ''
}

/** Bytes of a secret: as long as the HMAC's output (RFC 4226, 4, R6). */
const secretLength = 20
/** Seconds that a code is shown (RFC 6238, 4.1). */
const period = 30

/** A new secret, in base32 without padding, as people type it into an app. */
export function makeSecret(): string {
  return generateSecret({ length: secretLength })
}

/**
 * The time step of which `code` is the TOTP (RFC 6238: SHA-1, 6 digits, 30 seconds): the current
 * or the one before, as people need time to type (5.2). That makes a code good for up to 60
 * seconds, beyond the 30 of OWASP ASVS 5.0.0, 6.5.5. Undefined when it is the code of neither.
 */
export function findTimeStep(secret: string, code: string, now: Date): number | undefined {
  const result = verifySync({
    secret,
    token: code,
    strategy: 'totp',
    algorithm: 'sha1',
    digits: 6,
    period,
    epoch: Math.floor(now.getTime() / 1000),
    epochTolerance: [period, 0],
  })
  return result.valid && 'timeStep' in result ? result.timeStep : undefined
}

const recoveryCodeCount = 10
/** 120 random bits, so that a plain hash protects them (OWASP ASVS 5.0.0, 6.5.2: from 112 on). */
const codeLength = 15

/** Ten codes to print: six groups of four letters or digits (base32, so no 0, 1, 8 or 9). */
export function makeRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodeCount }, () => {
    const text = generateSecret({ length: codeLength })
    return (text.match(/.{4}/g) ?? []).join('-')
  })
}

/** What is stored in place of a code. Case, blanks and hyphens make no difference. */
export function hashRecoveryCode(code: string): Buffer {
  const text = code.replace(/[\s-]/g, '').toUpperCase()
  return createHash('sha256').update(text).digest()
}
