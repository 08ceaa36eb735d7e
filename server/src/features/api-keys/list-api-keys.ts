import { z } from 'zod'
import { endpoint } from '../core-services.ts'
import * as apiKeyQueries from './api-key-queries.ts'
import { apiKeyRecord, toApiKeyRecord } from './api-key-record.ts'

export const listApiKeys = endpoint({
  summary: 'The API keys of the organization, with the last use of each',
  answer: z.object({ data: z.array(apiKeyRecord) }),
  async handle({ caller }, { db, now }) {
    const keys = await apiKeyQueries.list(db, caller.organizationId)
    return { data: keys.map((key) => toApiKeyRecord(key, now())) }
  },
})
