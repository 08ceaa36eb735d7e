import { createHash } from 'node:crypto'
import { generateSecret, verifySync } from 'otplib'
import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import { sealContext } from '../../../db/secret-keys.ts'
import type { FieldErrors } from '../../../http/errors.ts'
import { optionalBoolean, optionalText } from '../../../http/fields.ts'
import type { CoreServices } from '../../core-services.ts'
import { isPasskey, passkeyField } from './passkey-login.ts'
import { lockTwoFactor, saveLastStep, spendRecoveryCode } from './two-factor-queries.ts'

/**
 * Whether the code is the user's and unused. It counts as used once the transaction commits. Of
 * several simultaneous calls with the same code, one succeeds.
 */
export async function isSecondFactor(
  tx: Queryable,
  services: Pick<CoreServices, 'sealer' | 'now' | 'publicUrl' | 'log'>,
  userId: number,
  factor: SecondFactor,
): Promise<boolean> {
  if (factor.kind === 'passkey') return isPasskey(tx, services, userId, factor)
  const { kind, code } = factor
  if (kind === 'recovery') return spendRecoveryCode(tx, userId, hashRecoveryCode(code))
  const { sealer, now } = services
  const known = await lockTwoFactor(tx, userId)
  if (!known) return false
  const secret = sealer.open(known.sealed_secret, sealContext('secondFactor', userId))
  const step = findTimeStep(secret, code, now())
  if (step === undefined || step <= known.last_step) return false
  await saveLastStep(tx, userId, step)
  return true
}

/** The code, or what a passkey has signed, that was given with the password. */
export type SecondFactor =
  | { kind: 'authenticator' | 'recovery'; code: string }
  | ({ kind: 'passkey' } & NonNullable<z.infer<typeof passkeyField>>)

/** The fields of the second login call. They are optional and ignored without two-factor. */
export const secondFactorFields = {
  verify_2fa: z.enum(['yes', 'no'], { error: 'The verify 2fa must be yes or no.' }).nullish(),
  authentication_code: optionalText('authentication code'),
  recovery_code: optionalText('recovery code'),
  passkey: passkeyField,
  console_login: optionalBoolean('console login'),
}

/** Apps show a code in groups of digits. */
export const sixDigits = /^[\s-]*(?:\d[\s-]*){6}$/

export function withoutBlanks(code: string): string {
  return code.replace(/[\s-]/g, '')
}

type Given = z.infer<z.ZodObject<typeof secondFactorFields>>

/** Checks fields that depend on each other, together with all other checks. */
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
        verify_2fa !== 'yes' || !isGiven(code) || sixDigits.test(String(code)),
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

/** What a passkey has signed, or the code that `verify_2fa` announces; undefined without either. */
export function readSecondFactor(given: Given): SecondFactor | undefined {
  if (given.passkey) return { kind: 'passkey', ...given.passkey }
  if (given.verify_2fa === 'yes') {
    return { kind: 'authenticator', code: withoutBlanks(given.authentication_code ?? '') }
  }
  if (given.verify_2fa === 'no') return { kind: 'recovery', code: given.recovery_code ?? '' }
  return undefined
}

export function wrongSecondFactor({ kind }: SecondFactor): FieldErrors {
  if (kind === 'passkey') {
    return { passkey: ['The passkey was not accepted. Please try again.'] }
  }
  if (kind === 'recovery') {
    return { recovery_code: ['The recovery code is wrong or was used before.'] }
  }
  return {
    authentication_code: ['The authentication code is wrong, too old, or was used before.'],
  }
}

/** Also runs on fields of a wrong type, hence `unknown`. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && String(value).trim() !== ''
}

/** Bytes of a secret, the length of the HMAC's output (RFC 4226, 4, R6). */
const secretLength = 20
/** Seconds for which a code is shown (RFC 6238, 4.1). */
const period = 30

/** A new secret in base32 without padding, as users type it into an app. */
export function makeSecret(): string {
  return generateSecret({ length: secretLength })
}

/**
 * The time step of a TOTP code (RFC 6238: SHA-1, 6 digits, 30 seconds): the current step or the one
 * before, because users need time to type (5.2). A code is thus valid for up to 60 seconds, longer
 * than the 30 of OWASP ASVS 5.0.0, 6.5.5. Undefined when the code matches neither.
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
/** 120 random bits: enough for a plain hash (OWASP ASVS 5.0.0, 6.5.2, asks for 112). */
const codeLength = 15

/** Ten codes to print, each of six groups of four (base32: no 0, 1, 8 or 9). */
export function makeRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodeCount }, () => {
    const text = generateSecret({ length: codeLength })
    return (text.match(/.{4}/g) ?? []).join('-')
  })
}

/** The hash that is stored instead of a code. Case, spaces and hyphens do not matter. */
export function hashRecoveryCode(code: string): Buffer {
  const text = code.replace(/[\s-]/g, '').toUpperCase()
  return createHash('sha256').update(text).digest()
}
