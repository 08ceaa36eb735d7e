import { endpoint } from '../core-services.ts'
import { findRetention } from './retention-queries.ts'
import { retentionAnswer } from './retention-record.ts'

export const showRetention = endpoint({
  summary: 'How long the organization keeps uplinks',
  answer: retentionAnswer,
  async handle({ caller }, { db }) {
    return { data: { uplink_days: (await findRetention(db, caller.organizationId)) ?? null } }
  },
})
