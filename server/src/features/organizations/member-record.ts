import { z } from 'zod'
import { type Permission, permissions } from '../../http/endpoint.ts'
import { withExamples } from '../../http/examples.ts'
import { isoTime } from '../../http/timestamps.ts'
import { toUserRecord, userRecord } from '../users/user-record.ts'
import type { Member } from './member-queries.ts'

/**
 * A member in the list: the "Current user" of service.md with what a manager needs besides. Whose
 * password somebody else has set is nobody's business: any member reads the list.
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

/** The permissions in force: an owner has every one, whatever the row says. */
export function heldBy(member: Pick<Member, 'is_owner' | 'permissions'>): readonly Permission[] {
  return member.is_owner ? permissions : member.permissions
}
