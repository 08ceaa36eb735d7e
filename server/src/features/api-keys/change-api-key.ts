import { z } from 'zod'
import { changeOf } from '../../http/change-record.ts'
import { endpoint } from '../core-services.ts'
import { refuseGrantBeyond } from '../organizations/member-record.ts'
import { apiKeyFields, checkValues, mergeValues } from './api-key-body.ts'
import * as apiKeyQueries from './api-key-queries.ts'
import {
  apiKeyAnswer,
  apiKeyNotFound,
  apiKeyPath,
  refuseExpired,
  toApiKeyRecord,
} from './api-key-record.ts'

export const changeApiKey = endpoint({
  summary: 'Change what an API key may do; what is left out stays',
  description: 'It holds from the next request of the key. An expired key is not changed any more.',
  params: apiKeyPath,
  body: z.object(apiKeyFields).partial(),
  answer: apiKeyAnswer,
  failures: [404, 409],
  change: changeOf('api_key', 'changed'),
  async handle({ params, body, caller, record }, services) {
    const { db, now } = services
    const { organizationId } = caller
    const key = await db.transaction(async (tx) => {
      const stored = await apiKeyQueries.lock(tx, organizationId, params.key_id)
      if (!stored) throw apiKeyNotFound()
      refuseExpired(stored, now())
      refuseGrantBeyond(caller, body.permissions ?? [], stored.permissions)
      await checkValues({ db: tx, now }, organizationId, body)
      const values = { ...mergeValues(stored, body), id: stored.id, now: now() }
      await apiKeyQueries.update(tx, organizationId, values)
      await record(tx)
      return apiKeyQueries.find(tx, organizationId, stored.id)
    })
    if (!key) throw apiKeyNotFound()
    return { data: toApiKeyRecord(key, now()) }
  },
})
