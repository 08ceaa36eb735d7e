import { z } from 'zod'
import { sealContext } from '../../../db/secret-keys.ts'
import { bodyLimits } from '../../../http/endpoint.ts'
import { momentOf } from '../../../http/timestamps.ts'
import { endpoint } from '../../core-services.ts'
import { endSessionsOf } from '../sessions/session-queries.ts'
import { deleteToken, enableTwoFactor } from './two-factor-queries.ts'
import {
  authTypeField,
  doneRecord,
  holderOf,
  lockSetup,
  secretField,
  stepTooSoon,
  tokenField,
} from './two-factor-setup.ts'

const done = '2 factor authentication has been enabled in your account.'

export const completeVerification = endpoint({
  summary: 'Turn two-factor on with the proved secret; where it is on, replace secret and codes',
  description: 'All other sessions of the user end.',
  bodyLimit: bodyLimits.proof,
  body: z.object({ token: tokenField, auth_type: authTypeField, totp2fa_secret: secretField }),
  answer: doneRecord(done),
  change: 'untold',
  async handle({ body, caller }, services) {
    const { db, sealer, now } = services
    const { userId } = caller
    const holder = holderOf(body.token, caller)
    await db.transaction(async (tx) => {
      const { secret, proof } = await lockSetup(tx, services, holder, body.totp2fa_secret)
      if (!proof) throw stepTooSoon('verify a code of the authenticator app')
      const factor = {
        sealedSecret: sealer.seal(secret, sealContext('secondFactor', userId)),
        lastStep: proof.step,
        recoveryHashes: proof.recoveryHashes,
      }
      await enableTwoFactor(tx, userId, factor, momentOf(now()))
      await deleteToken(tx, holder)
      await endSessionsOf(tx, userId, caller.sessionId, momentOf(now()))
    })
    return { status: true as const, message: done }
  },
})
