import { z } from 'zod'
import { withExamples } from '../../http/examples.ts'

export const security = z
  .object(
    withExamples(
      {
        require_two_factor: z
          .boolean({ error: 'The require two factor must be true or false.' })
          .describe(
            'Members without two-factor authentication can only set it up. API keys are not affected.',
          ),
      },
      { require_two_factor: true },
    ),
  )
  .meta({ id: 'OrganizationSecurity' })

export const securityAnswer = z.object({ data: security })
