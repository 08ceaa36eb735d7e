import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import { type Caller, type Permission, permissions } from '../../../http/endpoint.ts'
import { forbidden, type HttpError, invalid, notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { largestInteger, pathId } from '../../../http/fields.ts'
import { isoTime } from '../../../http/timestamps.ts'
import { roleOf } from '../../../lora/roles.ts'
import { heldRole } from '../users/role-fields.ts'
import { toUserRecord, userRecord } from '../users/user-record.ts'
import { hasGroup, type Member } from './member-queries.ts'

/** The group of a membership or of an invitation, in an answer. */
export const limitedTo = z
  .int()
  .nullable()
  .describe('The group to which it is limited: all that there is are its devices. Null: to none.')

/**
 * A member in the list: the current user (docs/contract.txt, 2.17), with more for managers. It leaves
 * out whether somebody else has set the password, because every member reads the list.
 */
export const listedMember = userRecord.omit({ must_change_password: true }).extend(
  withExamples(
    {
      first_name: z.string(),
      last_name: z.string(),
      is_owner: z.boolean(),
      role: heldRole,
      group: limitedTo,
      last_login: z.string().nullable(),
      joined_on: z.string(),
    },
    {
      first_name: 'Bo',
      last_name: 'Summer',
      is_owner: false,
      role: null,
      group: null,
      last_login: null,
      joined_on: '2026-02-02T10:00:00.000000Z',
    },
  ),
)

export function toMemberRecord(member: Member) {
  return toUserRecord(member, heldBy(member))
}

export function toListedMember(member: Member) {
  const { must_change_password: _, ...record } = toMemberRecord(member)
  return {
    ...record,
    first_name: member.first_name,
    last_name: member.last_name,
    is_owner: member.is_owner,
    role: roleOf(record.permissions),
    group: member.is_owner ? null : member.group_id,
    last_login: member.last_login_at === null ? null : isoTime(member.last_login_at),
    joined_on: isoTime(member.joined_at),
  }
}

/** The permissions in force: an owner has all of them. */
export function heldBy(member: Pick<Member, 'is_owner' | 'permissions'>): readonly Permission[] {
  return member.is_owner ? permissions : member.permissions
}

export const memberPath = z.object({ user_id: pathId('4') })

/** 404 for users that do not exist or are not members of the organization. */
export function memberNotFound(): HttpError {
  return notFound('User not found')
}

/** A list of permissions in a request, without repeats and in the fixed order. */
export const permissionList = z
  .array(
    z.enum(permissions, { error: `Each permission must be one of: ${permissions.join(', ')}.` }),
    {
      error: 'The permissions must be an array.',
    },
  )
  .max(100, 'The permissions may not have more than 100 entries.')
  .transform((list) => permissions.filter((permission) => list.includes(permission)))
  .meta({ examples: [['manage_devices', 'manage_groups']] })

const groupMessage = 'The group must be an id, or null.'

/** The group of a membership or of an invitation, in a request. */
export const groupField = z
  .int({ error: groupMessage })
  .min(1, groupMessage)
  .max(largestInteger, groupMessage)
  .nullish()
  .describe('Limits it to the devices in this group and in the groups below it. Null: to none.')
  .meta({ examples: [null] })

/** @throws HttpError 422 when there is no such group. */
export async function checkGroup(
  db: Queryable,
  organizationId: number,
  group: number | null | undefined,
): Promise<void> {
  if (group && !(await hasGroup(db, organizationId, group))) {
    throw invalid({ group: ['The selected group is invalid.'] })
  }
}

/**
 * Nobody can grant a permission that they lack. What the member already has is no grant.
 *
 * @throws HttpError 403 that names the permission.
 */
export function refuseGrantBeyond(
  caller: Caller,
  wanted: readonly Permission[],
  held: readonly Permission[] = [],
): void {
  const beyond = wanted.find(
    (permission) => !held.includes(permission) && !caller.permissions.includes(permission),
  )
  if (beyond) throw forbidden(`You cannot grant the permission ${beyond}, which you do not have.`)
}
