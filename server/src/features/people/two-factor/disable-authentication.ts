import { z } from 'zod'
import { bodyLimits } from '../../../http/endpoint.ts'
import { invalid } from '../../../http/errors.ts'
import { momentOf } from '../../../http/timestamps.ts'
import { endpoint } from '../../core-services.ts'
import { endSessionsOf } from '../sessions/session-queries.ts'
import { deleteToken, disableTwoFactor, lockToken } from './two-factor-queries.ts'
import { authTypeField, doneRecord, holderOf, tokenField, wrongToken } from './two-factor-setup.ts'

const done = '2 factor authentication has been disabled in your account.'

export const disableAuthentication = endpoint({
  summary: 'Turn two-factor off: the secret, the passkeys and the recovery codes are removed',
  description: 'All other sessions of the user end.',
  bodyLimit: bodyLimits.proof,
  body: z.object({ token: tokenField, auth_type: authTypeField }),
  answer: doneRecord(done),
  change: 'untold',
  async handle({ body, caller }, { db, now }) {
    const { userId } = caller
    const holder = holderOf(body.token, caller)
    await db.transaction(async (tx) => {
      const row = await lockToken(tx, holder, momentOf(now()))
      // A token that has begun a set-up serves that set-up only.
      if (!row || row.sealed_secret || row.passkey_challenge) throw wrongToken()
      await deleteToken(tx, holder)
      if (!(await disableTwoFactor(tx, userId))) {
        throw invalid({ auth_type: ['2 factor authentication is not enabled in your account.'] })
      }
      await endSessionsOf(tx, userId, caller.sessionId, momentOf(now()))
    })
    return { status: true as const, message: done }
  },
})
