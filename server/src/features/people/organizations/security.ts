import { z } from 'zod'
import { changeAt } from '../../../http/change-record.ts'
import { invalid } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { endpoint } from '../../core-services.ts'
import { lacksTwoFactor, requiresTwoFactor, requireTwoFactor } from './organization-queries.ts'

const security = z
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

const securityAnswer = z.object({ data: security })

export const showSecurity = endpoint({
  summary: 'What the organization requires of the logins of its members',
  answer: securityAnswer,
  async handle({ caller }, { db }) {
    return { data: { require_two_factor: await requiresTwoFactor(db, caller.organizationId) } }
  },
})

export const changeSecurity = endpoint({
  summary: 'Sets what the organization requires of the logins of its members',
  description: `With \`require_two_factor\`, a member without two-factor authentication gets 403 everywhere in this
organization but at its set-up, from the next request. Children of the organization have settings of their own.`,
  body: security,
  answer: securityAnswer,
  change: changeAt('organization', 'changed'),
  async handle({ body, caller, record }, { db }) {
    const { organizationId, userId } = caller
    await db.transaction(async (tx) => {
      if (body.require_two_factor && (await lacksTwoFactor(tx, userId))) {
        const reason = 'Set up two-factor authentication for yourself first.'
        throw invalid({ require_two_factor: [reason] })
      }
      await requireTwoFactor(tx, organizationId, body.require_two_factor)
      await record(tx)
    })
    return { data: body }
  },
})
