import { z } from 'zod'
import { changeOf } from '../../http/change-record.ts'
import { withExamples } from '../../http/examples.ts'
import { endpoint } from '../core-services.ts'
import { refuseGrantBeyond } from '../organizations/member-record.ts'
import * as apiKeyQueries from './api-key-queries.ts'
import {
  apiKeyNotFound,
  apiKeyPath,
  apiKeyWithSecret,
  refuseExpired,
  toApiKeyRecord,
} from './api-key-record.ts'
import { newSecret } from './new-secret.ts'

const usualHours = 24
const mostHours = 168
const message = `The overlap hours must be a whole number from 0 to ${mostHours}.`

export const rotateApiKey = endpoint({
  summary: 'Make another secret for an API key; both are valid for a while',
  description: `For \`overlap_hours\` (${usualHours} by default) the old key is valid beside the new one, so programs can
change at any time. With 0, the old key ends at once. An earlier one ends in any case. Whoever
rotates it sees the new key, and so needs every permission that it has. An expired key is not rotated.`,
  params: apiKeyPath,
  body: z.object(
    withExamples(
      {
        overlap_hours: z.int({ error: message }).min(0, message).max(mostHours, message).optional(),
      },
      { overlap_hours: usualHours },
    ),
  ),
  answer: apiKeyWithSecret,
  failures: [404, 409],
  change: changeOf('api_key', 'rotated'),
  async handle({ params, body, caller, record }, { db, now }) {
    const { organizationId } = caller
    const hours = body.overlap_hours ?? usualHours
    const { text, secret } = newSecret(organizationId)
    const key = await db.transaction(async (tx) => {
      const stored = await apiKeyQueries.lock(tx, organizationId, params.key_id)
      if (!stored) throw apiKeyNotFound()
      refuseExpired(stored, now())
      refuseGrantBeyond(caller, stored.permissions)
      const until = new Date(now().getTime() + hours * 60 * 60 * 1000)
      const rotation = { id: stored.id, secret, until, now: now() }
      await apiKeyQueries.rotate(tx, organizationId, rotation)
      await record(tx)
      return apiKeyQueries.find(tx, organizationId, stored.id)
    })
    if (!key) throw apiKeyNotFound()
    return { data: { ...toApiKeyRecord(key, now()), key: text } }
  },
})
