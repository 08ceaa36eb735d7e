import { z } from 'zod'
import { invalid } from '../../http/errors.ts'
import { findPasswordFault, isOwnEmail } from './password-rules.ts'

const shortest = 8
const longest = 1024
const ownEmail = 'The password may not be the e-mail address or its first part.'

/** A password to check, exactly as received: not trimmed, not cut. */
export const givenPassword = passwordField('The password field is required.')

/** The password of the signed-in user, asked for once more. */
export const currentPassword = passwordField('Please enter your current password to continue.')

/** A new password, checked by `password-rules.ts`. */
export const newPassword = givenPassword
  .min(shortest, { error: `The password must be at least ${shortest} characters.`, abort: true })
  .superRefine((password, context) => {
    const fault = findPasswordFault(password)
    if (fault) context.addIssue(fault)
  })

/** Refuses a password that equals the e-mail address given with it. */
export function withOwnEmailRefused<
  T extends z.ZodType<{ email: string; password?: string | null | undefined }>,
>(schema: T): T {
  return schema.refine(({ email, password }) => !password || !isOwnEmail(password, email), {
    path: ['password'],
    error: ownEmail,
  })
}

/** @throws HttpError 422 when the new password is the user's e-mail address. */
export function refuseOwnEmail(password: string, email: string): void {
  if (isOwnEmail(password, email)) throw invalid({ password: [ownEmail] })
}

/** The fault of a new password for the user with this e-mail; undefined when it has none. */
export function findFaultOf(password: string, email: string): string | undefined {
  const fault = newPassword.safeParse(password).error?.issues[0]?.message
  return fault ?? (isOwnEmail(password, email) ? ownEmail : undefined)
}

function passwordField(required: string) {
  return z
    .string({
      error: ({ input }) =>
        input === undefined || input === null ? required : 'The password must be a string.',
    })
    .min(1, { error: required, abort: true })
    .max(longest, {
      error: `The password may not be greater than ${longest} characters.`,
      abort: true,
    })
}
