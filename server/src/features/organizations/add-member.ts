import { z } from 'zod'
import type { Caller, Permission } from '../../http/endpoint.ts'
import { invalid } from '../../http/errors.ts'
import { momentOf } from '../../http/timestamps.ts'
import { type CoreServices, endpoint } from '../core-services.ts'
import { insertUser, type NewUser } from '../users/user-queries.ts'
import { userRecord } from '../users/user-record.ts'
import { removeOfMember } from './invitation-queries.ts'
import { invited } from './invitation-record.ts'
import { invite } from './invite.ts'
import { findMember, insertMember, isMemberByEmail } from './member-queries.ts'
import {
  checkGroup,
  groupField,
  permissionList,
  refuseGrantBeyond,
  toMemberRecord,
} from './member-record.ts'
import { personFields, readNewUser, withPersonChecks } from './person-fields.ts'

export const addMember = endpoint({
  summary: 'Adds a new user as a member, or invites whoever has the e-mail',
  description:
    'With a password somebody new becomes a user and a member: 201. An e-mail that a user has, or one without a password, is invited: 202. Nobody is a member before they have accepted (`POST /user/invitations/{id}/accept`), and the answer tells nothing about them.',
  body: withPersonChecks(
    z.object({ ...personFields, permissions: permissionList.nullish(), group: groupField }),
  ),
  answer: z.object({ data: userRecord }),
  accepted: invited,
  status: 201,
  async handle({ body, caller }, services) {
    const { db } = services
    const permissions = body.permissions ?? []
    const group = body.group ?? null
    refuseGrantBeyond(caller, permissions)
    await checkGroup(db, caller.organizationId, group)
    if (await isMemberByEmail(db, caller.organizationId, body.email)) {
      throw invalid({ email: ['This person is a member of the organization already.'] })
    }
    const user = await readNewUser(db, body)
    const member = user && (await makeMember(services, caller, user, { permissions, group }))
    if (member) return { data: toMemberRecord(member) }
    return invite(services, caller, { email: body.email, field: 'email', permissions, group })
  },
})

/** Undefined when another request has just taken the e-mail address. */
function makeMember(
  { db, now }: Pick<CoreServices, 'db' | 'now'>,
  { organizationId }: Caller,
  user: NewUser,
  rights: { permissions: readonly Permission[]; group: number | null },
) {
  const time = momentOf(now())
  return db.transaction(async (tx) => {
    const userId = await insertUser(tx, user, time)
    if (userId === undefined) return undefined
    await insertMember(tx, organizationId, { userId, ...rights }, time)
    await removeOfMember(tx, organizationId, user.email)
    return findMember(tx, organizationId, userId)
  })
}
