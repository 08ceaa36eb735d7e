import { changeOf } from '../../http/change-record.ts'
import { endpoint } from '../core-services.ts'
import * as apiKeyQueries from './api-key-queries.ts'
import { apiKeyNotFound, apiKeyPath } from './api-key-record.ts'

export const revokeApiKey = endpoint({
  summary: 'Revoke an API key: it ends at once, with the one before its last rotation',
  params: apiKeyPath,
  status: 204,
  failures: [404],
  change: changeOf('api_key', 'revoked'),
  async handle({ params, caller, record }, { db }) {
    await db.transaction(async (tx) => {
      const isGone = await apiKeyQueries.remove(tx, caller.organizationId, params.key_id)
      if (!isGone) throw apiKeyNotFound()
      await record(tx)
    })
  },
})
