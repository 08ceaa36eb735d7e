import { generateURI } from 'otplib'
import { renderSVG } from 'uqr'
import { z } from 'zod'
import { sealContext } from '../../../db/secret-keys.ts'
import { bodyLimits } from '../../../http/endpoint.ts'
import { withExamples } from '../../../http/examples.ts'
import { momentOf } from '../../../http/timestamps.ts'
import { endpoint } from '../../core-services.ts'
import { findUser } from '../users/user-queries.ts'
import { issuer } from './issuer.ts'
import { makeSecret } from './second-factor.ts'
import { saveSecret } from './two-factor-queries.ts'
import { exampleSetup, holderOf, tokenField, wrongToken } from './two-factor-setup.ts'

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
  change: 'untold',
  async handle({ body, caller }, { db, sealer, now }) {
    const secret = makeSecret()
    const sealed = sealer.seal(secret, sealContext('secondFactorSetup', caller.userId))
    const isSaved = await saveSecret(db, holderOf(body.token, caller), sealed, momentOf(now()))
    const user = isSaved ? await findUser(db, caller.userId) : undefined
    if (!user) throw wrongToken()
    return { qr_image: drawQrImage(otpauthUri(user.email, secret)), secret }
  },
})

/** The URI that an authenticator app reads from the image (Google's "Key Uri Format"). */
function otpauthUri(email: string, secret: string): string {
  return generateURI({ strategy: 'totp', issuer, label: email, secret })
}

/**
 * The text as a QR code in SVG. The markup contains only squares, nothing of the text. The border
 * of 4 is the quiet zone of ISO/IEC 18004.
 */
function drawQrImage(text: string): string {
  return renderSVG(text, { border: 4 })
}
