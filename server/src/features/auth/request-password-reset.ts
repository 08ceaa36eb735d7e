import { z } from 'zod'
import { withExamples } from '../../http/examples.ts'
import { requiredLines } from '../../http/fields.ts'
import { openEndpoint } from '../core-services.ts'
import { countRequest } from '../sessions/guesses.ts'
import { resetAttempt } from '../sessions/login-limits.ts'
import type { AuthServices } from './reset-mails.ts'

export const requestPasswordReset = openEndpoint({
  summary: 'Mails a code for a new password to the user of the e-mail, if there is one',
  description:
    'The answer is the same, and takes as long, whether somebody has the e-mail or not. Nothing is' +
    ' mailed where the service has no mail server (`SMTP_URL`).',
  body: z.object(withExamples({ email: requiredLines('email') }, { email: 'bo@example.com' })),
  status: 204,
  failures: [429],
  async handle({ body, request }, services: AuthServices) {
    const attempt = resetAttempt(body.email, request.clientIp, services.loginRateLimit)
    await countRequest(services, attempt)
    services.resetMails.send(body.email)
  },
})
