import { z } from 'zod'
import { commonPasswords } from './common-passwords.ts'

const longest = 1024

/** A password to be checked, exactly as it was received: nothing is trimmed or cut. */
export const givenPassword = passwordField('The password field is required.')

/** The password of the one who is signed in, asked for once more. */
export const currentPassword = passwordField('Please enter your current password to continue.')

/**
 * A password to be set. No rules of composition and no change by date (NIST SP 800-63B-4, 3.1.1.2);
 * the commonest are refused.
 */
export const newPassword = givenPassword
  .min(8, 'The password must be at least 8 characters.')
  .refine((password) => !isCommon(password), 'The password is too common.')

export function isCommon(password: string): boolean {
  return commonPasswords.has(password.toLowerCase())
}

function passwordField(required: string) {
  return z
    .string({
      error: ({ input }) =>
        input === undefined || input === null ? required : 'The password must be a string.',
    })
    .min(1, { error: required, abort: true })
    .max(longest, `The password may not be greater than ${longest} characters.`)
}
