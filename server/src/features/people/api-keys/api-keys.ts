import { z } from 'zod'
import { newApiKey } from '../../../http/api-key.ts'
import { changeOf, creationOf } from '../../../http/change-record.ts'
import { conflict } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { endpoint } from '../../core-services.ts'
import { refuseGrantBeyond } from '../organizations/member-record.ts'
import { hashToken } from '../sessions/sessions.ts'
import { apiKeyChanges, checkValues, mergeValues, newApiKeyBody } from './api-key-body.ts'
import type { NewSecret } from './api-key-queries.ts'
import * as apiKeyQueries from './api-key-queries.ts'
import {
  apiKeyAnswer,
  apiKeyNotFound,
  apiKeyPath,
  apiKeyRecord,
  apiKeyWithSecret,
  refuseExpired,
  toApiKeyRecord,
} from './api-key-record.ts'

export const listApiKeys = endpoint({
  summary: 'The API keys of the organization, with the last use of each',
  answer: z.object({ data: z.array(apiKeyRecord) }),
  async handle({ caller }, { db, now }) {
    const keys = await apiKeyQueries.list(db, caller.organizationId)
    return { data: keys.map((key) => toApiKeyRecord(key, now())) }
  },
})

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

/** Characters by which people recognize a key in the list. */
const shownEnd = 4

/** A new key, and what is stored of it. */
function newSecret(organizationId: number): { text: string; secret: NewSecret } {
  const text = newApiKey(organizationId)
  return { text, secret: { hash: hashToken(text), end: text.slice(-shownEnd) } }
}

const mostKeys = 100

export const createApiKey = endpoint({
  summary: 'Make a key for a program',
  description: `A program sends the key as \`Authorization: Bearer\`, wherever a token is taken, and may leave the
\`Organization\` header out: the key names its organization. It reads like a member, and changes what
its permissions allow. It manages no keys, members, invitations, passwords, sessions or
subscriptions, and does not change the organization: that takes the login of a person.

An organization has up to ${mostKeys} keys.`,
  body: newApiKeyBody,
  status: 201,
  answer: apiKeyWithSecret,
  failures: [409],
  change: creationOf('api_key'),
  async handle({ body, caller, record }, services) {
    const { db, now } = services
    const { organizationId, userId } = caller
    const values = mergeValues(undefined, body)
    refuseGrantBeyond(caller, values.permissions)
    await checkValues(services, organizationId, body)
    const { text, secret } = newSecret(organizationId)
    const key = await db.transaction(async (tx) => {
      if ((await apiKeyQueries.countLocked(tx, organizationId)) >= mostKeys) {
        throw conflict(`The organization has ${mostKeys} API keys already.`)
      }
      const row = { ...values, secret, userId, now: now() }
      const id = await apiKeyQueries.insert(tx, organizationId, row)
      await record(tx, { data: { id } })
      return apiKeyQueries.find(tx, organizationId, id)
    })
    if (!key) throw apiKeyNotFound()
    return { data: { ...toApiKeyRecord(key, now()), key: text } }
  },
})

export const changeApiKey = endpoint({
  summary: 'Change what an API key may do; what is left out stays',
  description: 'It holds from the next request of the key. An expired key is not changed any more.',
  params: apiKeyPath,
  body: apiKeyChanges,
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
      const values = mergeValues(stored, body)
      refuseGrantBeyond(caller, values.permissions, stored.permissions)
      await checkValues({ db: tx, now }, organizationId, body)
      await apiKeyQueries.update(tx, organizationId, { ...values, id: stored.id, now: now() })
      await record(tx)
      return apiKeyQueries.find(tx, organizationId, stored.id)
    })
    if (!key) throw apiKeyNotFound()
    return { data: toApiKeyRecord(key, now()) }
  },
})

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
