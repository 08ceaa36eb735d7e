import { endpoint } from '../core-services.ts'
import * as apiKeyQueries from './api-key-queries.ts'
import { apiKeyAnswer, apiKeyNotFound, apiKeyPath, toApiKeyRecord } from './api-key-record.ts'

export const showApiKey = endpoint({
  summary: 'One API key, with its last use',
  params: apiKeyPath,
  answer: apiKeyAnswer,
  failures: [404],
  async handle({ params, caller }, { db, now }) {
    const key = await apiKeyQueries.find(db, caller.organizationId, params.key_id)
    if (!key) throw apiKeyNotFound()
    return { data: toApiKeyRecord(key, now()) }
  },
})
