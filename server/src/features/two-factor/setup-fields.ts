import { z } from 'zod'
import { type HttpError, invalid } from '../../http/errors.ts'
import { requiredText } from '../../http/fields.ts'

/** What the API reference shows for the token of the steps, and for the secret. */
export const exampleSetup = {
  token: 'exampleR4tYw8Zc2Nm6Lk1Hs9Ed3Vb7Qx5Jp0GfUaTi',
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
}

/** Fields that several of the steps share (service.md, "Two-factor setup and removal"). */

/** The `token_2fa` of POST /confirm-password-access. */
export const tokenField = requiredText('token').meta({ examples: [exampleSetup.token] })

export const authTypeField = z.literal('authenticator', {
  error: ({ input }) =>
    input === undefined || input === null || input === ''
      ? 'The auth type field is required.'
      : 'The auth type must be authenticator.',
})

export const secretField = requiredText('totp2fa secret').meta({ examples: [exampleSetup.secret] })

/** The answer to a step: done, and what. */
export function doneRecord<const M extends string>(message: M) {
  return z.object({ status: z.literal(true), message: z.literal(message) })
}

/** 422 for a token that is unknown, too old, used up, or of another user or session. */
export function wrongToken(): HttpError {
  const message = 'The token is wrong or too old. Please confirm your password again.'
  return invalid({ token: [message] })
}

/** 422 for a token that holds, at a step that is not its next. */
export function stepTooSoon(step: string): HttpError {
  return invalid({ token: [`Please ${step} first.`] })
}

/** 422 for a secret other than the one that was made for the token. */
export function wrongSecret(): HttpError {
  return invalid({ totp2fa_secret: ['The totp2fa secret is not the one of the QR code.'] })
}
