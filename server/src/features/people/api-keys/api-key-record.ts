import { z } from 'zod'
import { permissions } from '../../../http/endpoint.ts'
import { conflict, type HttpError, notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { pathId } from '../../../http/fields.ts'
import { isoTime, type Moment } from '../../../http/timestamps.ts'
import { roleOf } from '../../../lora/roles.ts'
import { heldRole } from '../users/role-fields.ts'
import type { ApiKey } from './api-key-queries.ts'

export const apiKeyRecord = z
  .object(
    withExamples(
      {
        id: z.int(),
        name: z.string(),
        ends_with: z.string().describe('The last four characters of the key.'),
        state: z.enum(['valid', 'expired']),
        permissions: z.array(z.enum(permissions)),
        role: heldRole,
        group: z.int().nullable().describe('The group to which it is limited.'),
        tag: z.string().nullable().describe('The tag to whose devices it is limited.'),
        networks: z.array(z.string()),
        expires_at: z.string().nullable(),
        former_key_until: z
          .string()
          .nullable()
          .describe('Until then, the key before the last rotation is valid too.'),
        created_by: z.object({
          id: z.int(),
          email: z.string(),
          name: z.string(),
          is_member: z.boolean().describe('False since they have left the organization.'),
        }),
        created_at: z.string(),
        updated_at: z.string(),
        last_used_at: z.string().nullable().describe('Noted once a minute at most.'),
        last_address: z.string().nullable(),
        last_user_agent: z.string().nullable(),
      },
      {
        id: 5,
        name: 'Building control',
        ends_with: '3kZ0',
        state: 'valid',
        permissions: ['manage_devices'],
        role: 'installer',
        group: null,
        tag: null,
        networks: ['192.0.2.0/24'],
        expires_at: '2027-03-01T00:00:00.000000Z',
        former_key_until: null,
        created_by: { id: 1, email: 'ada@example.com', name: 'Ada Winter', is_member: true },
        created_at: '2026-03-01T12:00:00.000000Z',
        updated_at: '2026-03-01T12:00:00.000000Z',
        last_used_at: '2026-03-01T12:31:00.000000Z',
        last_address: '192.0.2.17',
        last_user_agent: 'curl/8.5.0',
      },
    ),
  )
  .meta({ id: 'ApiKey' })

export const apiKeyAnswer = z.object({ data: apiKeyRecord })

/** The key itself is shown once. */
export const apiKeyWithSecret = z.object({
  data: apiKeyRecord.extend({
    key: z
      .string()
      .describe('Shown in this answer only. Send it as `Authorization: Bearer`.')
      .meta({ examples: ['lfc_1_example7Jx0aQm2kzRtVw9LhYc4Ns8Ed1Bf6Gp3Uo5T3kZ0'] }),
  }),
})

export function toApiKeyRecord(key: ApiKey, now: Date): z.infer<typeof apiKeyRecord> {
  const { created_by: id, email, is_member } = key
  const name = `${key.first_name} ${key.last_name}`.trim()
  return {
    id: key.id,
    name: key.name,
    ends_with: key.key_end,
    state: isOver(key.expires_at, now) ? 'expired' : 'valid',
    permissions: [...key.permissions],
    role: roleOf(key.permissions),
    group: key.group_id,
    tag: key.tag,
    networks: [...key.networks],
    expires_at: timeOrNull(key.expires_at),
    former_key_until: isOver(key.former_until, now) ? null : timeOrNull(key.former_until),
    created_by: { id, email, name, is_member },
    created_at: isoTime(key.created_at),
    updated_at: isoTime(key.updated_at),
    last_used_at: timeOrNull(key.last_used_at),
    last_address: key.last_address,
    last_user_agent: key.last_user_agent,
  }
}

function isOver(until: Moment | null, now: Date): boolean {
  return until !== null && Date.parse(isoTime(until)) <= now.getTime()
}

function timeOrNull(moment: Moment | null): string | null {
  return moment === null ? null : isoTime(moment)
}

export const apiKeyPath = z.object({ key_id: pathId('5') })

export function apiKeyNotFound(): HttpError {
  return notFound('API key not found')
}

/** An expired key stays expired: who still has it must not get in with it later. */
export function refuseExpired({ expires_at }: ApiKey, now: Date): void {
  if (isOver(expires_at, now)) {
    throw conflict('This API key has expired and cannot be changed. Make a new one.')
  }
}
