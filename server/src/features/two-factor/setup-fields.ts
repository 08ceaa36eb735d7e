import { z } from 'zod'
import { type HttpError, invalid } from '../../http/errors.ts'
import { requiredText } from '../../http/fields.ts'

/** Fields that several of the steps share (service.md, "Two-factor setup and removal"). */

export const tokenField = requiredText('token')

export const authTypeField = z.literal('authenticator', {
  error: ({ input }) =>
    input === undefined || input === null || input === ''
      ? 'The auth type field is required.'
      : 'The auth type must be authenticator.',
})

export const secretField = requiredText('totp2fa secret')

/** The answer to a step. */
export const doneRecord = z.object({ status: z.literal(true), message: z.string() })

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
