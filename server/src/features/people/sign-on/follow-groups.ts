import type { Queryable } from '../../../db/connect.ts'
import type { Change } from '../../../http/change-record.ts'
import { type Permission, permissions } from '../../../http/endpoint.ts'
import { momentOf } from '../../../http/timestamps.ts'
import { roles } from '../../../lora/roles.ts'
import { insertAll } from '../activity/activity-queries.ts'
import { deleteMember, insertMember, setPermissions } from '../organizations/member-queries.ts'
import { listStandings } from './sign-on-queries.ts'
import type { Grant } from './sign-on-settings.ts'

/** Permissions by organization that the groups give. Several roles add up. */
export function permissionsOf(
  grants: readonly Grant[],
  groups: readonly string[],
): Map<number, Permission[]> {
  const held = new Set(groups)
  const given = new Map<number, Set<Permission>>()
  for (const { group, organization, role } of grants) {
    if (!held.has(group)) continue
    const all = given.get(organization) ?? new Set()
    for (const permission of roles[role]) all.add(permission)
    given.set(organization, all)
  }
  return new Map([...given].map(([id, all]) => [id, permissions.filter((each) => all.has(each))]))
}

interface Follower {
  userId: number
  email: string
  address: string
}

/**
 * Makes the user in each organization of the grants what the groups say: a member with these
 * permissions, or none. Owners stay owners, and other organizations are not touched.
 */
export async function followGroups(
  tx: Queryable,
  follower: Follower,
  grants: readonly Grant[],
  groups: readonly string[],
  now: Date,
): Promise<void> {
  const { userId, email, address } = follower
  const given = permissionsOf(grants, groups)
  const named = [...new Set(grants.map(({ organization }) => organization))]
  if (named.length === 0) return
  for (const { id, is_owner, permissions: held } of await listStandings(tx, userId, named)) {
    if (is_owner) continue
    const action = await setMembership(tx, id, { userId, held, wanted: given.get(id), now })
    if (!action) continue
    const change: Change = { kind: 'member', action, subject: String(userId), name: email }
    const fields = action === 'changed' ? ['permissions'] : []
    await insertAll(tx, id, [
      {
        organizationId: id,
        userId,
        key: undefined,
        address,
        operation: 'POST /auth/sign-on/finish',
        now,
        changes: [{ ...change, fields }],
      },
    ])
  }
}

interface Step {
  userId: number
  held: Permission[] | null
  wanted: Permission[] | undefined
  now: Date
}

/** What was done, in the words of the audit log; undefined where it was so already. */
async function setMembership(
  tx: Queryable,
  organizationId: number,
  { userId, held, wanted, now }: Step,
): Promise<'added' | 'changed' | 'removed' | undefined> {
  if (!wanted) {
    return held && (await deleteMember(tx, organizationId, userId)) ? 'removed' : undefined
  }
  if (!held) {
    const member = { userId, permissions: wanted, group: null }
    await insertMember(tx, organizationId, member, momentOf(now))
    return 'added'
  }
  const isSame = held.length === wanted.length && wanted.every((each) => held.includes(each))
  if (isSame) return undefined
  await setPermissions(tx, organizationId, userId, wanted)
  return 'changed'
}
