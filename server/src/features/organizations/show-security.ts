import { endpoint } from '../core-services.ts'
import { requiresTwoFactor } from './security-queries.ts'
import { securityAnswer } from './security-record.ts'

export const showSecurity = endpoint({
  summary: 'What the organization requires of the logins of its members',
  answer: securityAnswer,
  async handle({ caller }, { db }) {
    return { data: { require_two_factor: await requiresTwoFactor(db, caller.organizationId) } }
  },
})
