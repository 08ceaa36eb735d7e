import { z } from 'zod'
import { creationOf } from '../../http/change-record.ts'
import { conflict } from '../../http/errors.ts'
import { endpoint } from '../core-services.ts'
import { refuseGrantBeyond } from '../organizations/member-record.ts'
import { apiKeyFields, checkValues, mergeValues } from './api-key-body.ts'
import * as apiKeyQueries from './api-key-queries.ts'
import { apiKeyNotFound, apiKeyWithSecret, toApiKeyRecord } from './api-key-record.ts'
import { newSecret } from './new-secret.ts'

const mostKeys = 100

export const createApiKey = endpoint({
  summary: 'Make a key for a program',
  description: `A program sends the key as \`Authorization: Bearer\`, wherever a token is taken, and may leave the
\`Organization\` header out: the key names its organization. It reads like a member, and changes what
its permissions allow. It manages no keys, members, invitations, passwords, sessions or
subscriptions, and does not change the organization: that takes the login of a person.

An organization has up to ${mostKeys} keys.`,
  body: z.object(apiKeyFields),
  status: 201,
  answer: apiKeyWithSecret,
  failures: [409],
  change: creationOf('api_key'),
  async handle({ body, caller, record }, services) {
    const { db, now } = services
    const { organizationId, userId } = caller
    refuseGrantBeyond(caller, body.permissions)
    await checkValues(services, organizationId, body)
    const { text, secret } = newSecret(organizationId)
    const key = await db.transaction(async (tx) => {
      if ((await apiKeyQueries.countLocked(tx, organizationId)) >= mostKeys) {
        throw conflict(`The organization has ${mostKeys} API keys already.`)
      }
      const values = { ...mergeValues(undefined, body), secret, userId, now: now() }
      const id = await apiKeyQueries.insert(tx, organizationId, values)
      await record(tx, { data: { id } })
      return apiKeyQueries.find(tx, organizationId, id)
    })
    if (!key) throw apiKeyNotFound()
    return { data: { ...toApiKeyRecord(key, now()), key: text } }
  },
})
