import { z } from 'zod'
import { type Caller, type Permission, permissions } from '../../http/endpoint.ts'
import { forbidden, type HttpError, notFound } from '../../http/errors.ts'
import { withExamples } from '../../http/examples.ts'
import { pathId } from '../../http/fields.ts'
import { isoTime } from '../../http/timestamps.ts'
import { toUserRecord, userRecord } from '../users/user-record.ts'
import type { Member } from './member-queries.ts'

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
      last_login: z.string().nullable(),
      joined_on: z.string(),
    },
    {
      first_name: 'Bo',
      last_name: 'Summer',
      is_owner: false,
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
