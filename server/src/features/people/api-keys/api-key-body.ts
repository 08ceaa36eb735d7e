import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import { type FieldErrors, invalid } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { largestInteger, queryTime, requiredText } from '../../../http/fields.ts'
import { isoTime } from '../../../http/timestamps.ts'
import * as groupQueries from '../../fleet/groups/group-queries.ts'
import { tagChoice } from '../../fleet/inventory/tags.ts'
import { permissionList } from '../organizations/member-record.ts'
import { permissionsOf, roleField, withRoleChecks } from '../users/role-fields.ts'
import type { ApiKey, ApiKeyValues } from './api-key-queries.ts'
import { isNetwork } from './networks.ts'

const mostNetworks = 50
const groupMessage = 'The group must be an id, or null.'
const networkMessage =
  'Each network must be an address or a range such as 192.0.2.0/24 or 2001:db8::/32.'

const apiKeyFields = withExamples(
  {
    name: requiredText('name', 100),
    permissions: permissionList
      .optional()
      .describe('None of them: it may read. At most those of whoever grants them.'),
    role: roleField,
    group: z
      .int({ error: groupMessage })
      .min(1, groupMessage)
      .max(largestInteger, groupMessage)
      .nullish()
      .describe('It reaches only devices in this group and in the groups below it.'),
    tag: tagChoice
      .nullish()
      .describe('It reaches only devices with all of these tags, such as `floor:2,critical`.'),
    networks: z
      .array(z.string({ error: networkMessage }).refine(isNetwork, networkMessage), {
        error: 'The networks must be an array.',
      })
      .max(mostNetworks, `The networks may not have more than ${mostNetworks} entries.`)
      .optional()
      .describe('The addresses and ranges from which it may be used; any, if there are none.'),
    expires_at: queryTime('expires at')
      .nullish()
      .describe('When it ends; null: when it is revoked.'),
  },
  {
    name: 'Building control',
    permissions: ['manage_devices'],
    role: null,
    group: null,
    tag: null,
    networks: ['192.0.2.0/24'],
    expires_at: '2027-03-01T00:00:00Z',
  },
)

/** The body of POST. */
export const newApiKeyBody = withRoleChecks(z.object(apiKeyFields)).refine(
  ({ permissions, role }) => permissions !== undefined || role,
  {
    path: ['permissions'],
    error: 'The permissions field is required.',
    when: ({ value }) => typeof value === 'object' && value !== null,
  },
)

/** The body of PATCH: any part of them. */
export const apiKeyChanges = withRoleChecks(z.object(apiKeyFields).partial())

/** The values of a key after a change; those that are left out stay. */
export function mergeValues(
  stored: ApiKey | undefined,
  body: z.infer<typeof apiKeyChanges>,
): ApiKeyValues {
  const { group, tag, expires_at: expiresAt } = body
  const storedEnd = stored?.expires_at ? new Date(isoTime(stored.expires_at)) : null
  return {
    name: body.name ?? stored?.name ?? '',
    permissions: permissionsOf(body) ?? stored?.permissions ?? [],
    group_id: group === undefined ? (stored?.group_id ?? null) : group,
    tag: tag === undefined ? (stored?.tag ?? null) : tag || null,
    networks: body.networks ?? stored?.networks ?? [],
    expires_at: expiresAt === undefined ? storedEnd : expiresAt,
  }
}

/**
 * Looks only at what was sent, so that a key whose group was deleted can be renamed.
 *
 * @throws HttpError 422 with everything that is wrong.
 */
export async function checkValues(
  { db, now }: { db: Queryable; now(): Date },
  organizationId: number,
  body: z.infer<typeof apiKeyChanges>,
): Promise<void> {
  const errors: FieldErrors = {}
  if (body.group && !(await groupQueries.find(db, organizationId, body.group))) {
    errors.group = ['The selected group is invalid.']
  }
  if (body.expires_at && body.expires_at <= now()) {
    errors.expires_at = ['The expires at must be a time to come.']
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
}
