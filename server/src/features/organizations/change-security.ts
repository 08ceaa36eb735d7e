import { changeAt } from '../../http/change-record.ts'
import { invalid } from '../../http/errors.ts'
import { endpoint } from '../core-services.ts'
import { lacksTwoFactor, requireTwoFactor } from './security-queries.ts'
import { security, securityAnswer } from './security-record.ts'

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
