import { z } from 'zod'
import { unauthenticated } from '../../http/errors.ts'
import { endpoint } from '../core-services.ts'
import { findOrganization } from './organization-queries.ts'
import { organizationRecord, toOrganizationRecord } from './organization-record.ts'

export const showOrganization = endpoint({
  summary: 'The organization of the request',
  answer: z.object({ data: organizationRecord }),
  async handle({ caller }, { db }) {
    const found = await findOrganization(db, caller.organizationId)
    if (!found) throw unauthenticated()
    return { data: toOrganizationRecord(found) }
  },
})
