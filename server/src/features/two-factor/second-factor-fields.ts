import { z } from 'zod'
import type { FieldErrors } from '../../http/errors.ts'
import { optionalBoolean, optionalText } from '../../http/fields.ts'

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
