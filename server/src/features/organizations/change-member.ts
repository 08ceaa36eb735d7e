import { z } from 'zod'
import type { Queryable } from '../../db/connect.ts'
import { changeOf } from '../../http/change-record.ts'
import type { Caller, Permission } from '../../http/endpoint.ts'
import { invalid } from '../../http/errors.ts'
import { requiredText } from '../../http/fields.ts'
import { type Moment, momentOf } from '../../http/timestamps.ts'
import { endpoint } from '../core-services.ts'
import { renameUser } from '../users/user-queries.ts'
import { userRecord } from '../users/user-record.ts'
import {
  findMember,
  isMemberElsewhere,
  type Member,
  setGroup,
  setPermissions,
} from './member-queries.ts'
import {
  checkGroup,
  groupField,
  heldBy,
  memberNotFound,
  memberPath,
  permissionList,
  refuseGrantBeyond,
  toMemberRecord,
} from './member-record.ts'

const changes = z.object({
  permissions: permissionList.optional(),
  group: groupField,
  first_name: requiredText('first name').optional(),
  last_name: requiredText('last name').optional(),
})

export const changeMember = endpoint({
  summary: "Changes a member's permissions, group or names; what is left out stays",
  params: memberPath,
  body: changes,
  answer: z.object({ data: userRecord }),
  change: changeOf('member', 'changed'),
  async handle({ params, body, caller, record }, { db, now }) {
    const { organizationId } = caller
    const changed = await db.transaction(async (tx) => {
      const member = await findMember(tx, organizationId, params.user_id, 'for update of members')
      if (!member) throw memberNotFound()
      if (body.permissions) await changePermissions(tx, caller, member, body.permissions)
      if (body.group !== undefined) await changeGroup(tx, organizationId, member, body.group)
      await changeNames(tx, caller, member, { ...body, time: momentOf(now()) })
      await record(tx)
      return findMember(tx, organizationId, params.user_id)
    })
    if (!changed) throw memberNotFound()
    return { data: toMemberRecord(changed) }
  },
})

async function changePermissions(
  tx: Queryable,
  caller: Caller,
  member: Member,
  wanted: readonly Permission[],
): Promise<void> {
  const held = heldBy(member)
  if (member.is_owner && wanted.length < held.length) {
    throw invalid({ permissions: ['The owner of the organization has every permission.'] })
  }
  refuseGrantBeyond(caller, wanted, held)
  await setPermissions(tx, caller.organizationId, member.id, wanted)
}

async function changeGroup(
  tx: Queryable,
  organizationId: number,
  member: Member,
  group: number | null,
): Promise<void> {
  if (member.is_owner && group !== null) {
    throw invalid({ group: ['The owner of the organization cannot be limited to a group.'] })
  }
  await checkGroup(tx, organizationId, group)
  await setGroup(tx, organizationId, member.id, group)
}

/**
 * A name belongs to the person and shows in every organization. Where somebody is a member of
 * several organizations, nobody else may change it.
 */
async function changeNames(
  tx: Queryable,
  caller: Caller,
  member: Member,
  given: { first_name?: string | undefined; last_name?: string | undefined; time: Moment },
): Promise<void> {
  const names = { firstName: given.first_name?.trim(), lastName: given.last_name?.trim() }
  if (names.firstName === undefined && names.lastName === undefined) return
  const isOwnName = member.id === caller.userId
  if (!isOwnName && (await isMemberElsewhere(tx, caller.organizationId, member.id))) {
    const field = names.firstName === undefined ? 'last_name' : 'first_name'
    const reason = 'Only they can change their name, as they belong to other organizations too.'
    throw invalid({ [field]: [reason] })
  }
  await renameUser(tx, member.id, names, given.time)
}
