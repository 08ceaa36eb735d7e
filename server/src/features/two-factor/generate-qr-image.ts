import { z } from 'zod'
import { bodyLimits } from '../../http/body-limits.ts'
import { withExamples } from '../../http/examples.ts'
import { momentOf } from '../../http/timestamps.ts'
import { endpoint } from '../core-services.ts'
import { findUser } from '../users/user-queries.ts'
import { drawQrImage, otpauthUri } from './qr-image.ts'
import { exampleSetup, tokenField, wrongToken } from './setup-fields.ts'
import { saveSecret } from './token-queries.ts'
import { makeSecret } from './totp.ts'
import { holderOf, pendingSecretContext } from './two-factor-setup.ts'

export const generateQrImage = endpoint({
  summary: 'A new secret for the authenticator app, as a QR code too; one from before is void',
  bodyLimit: bodyLimits.proof,
  body: z.object({ token: tokenField }),
  answer: z.object(
    withExamples(
      { qr_image: z.string(), secret: z.string() },
      {
        qr_image: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 57 57"> … </svg>',
        secret: exampleSetup.secret,
      },
    ),
  ),
  async handle({ body, caller }, { db, sealer, now }) {
    const secret = makeSecret()
    const sealed = sealer.seal(secret, pendingSecretContext(caller.userId))
    const isSaved = await saveSecret(db, holderOf(body.token, caller), sealed, momentOf(now()))
    const user = isSaved ? await findUser(db, caller.userId) : undefined
    if (!user) throw wrongToken()
    return { qr_image: drawQrImage(otpauthUri(user.email, secret)), secret }
  },
})
