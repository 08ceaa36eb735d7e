import { z } from 'zod'
import { invalid } from '../../http/errors.ts'
import { endpoint } from '../core-services.ts'
import { userRecord } from '../users/user-record.ts'
import { invited } from './invitation-record.ts'
import { invite } from './invite.ts'
import { isMemberByEmail } from './member-queries.ts'
import {
  checkGroup,
  groupField,
  permissionList,
  refuseGrantBeyond,
  toMemberRecord,
} from './member-record.ts'
import { joiningChange, makeMember } from './new-member.ts'
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
  change: joiningChange('added', 'member'),
  async handle({ body, caller, record }, services) {
    const { db } = services
    const permissions = body.permissions ?? []
    const group = body.group ?? null
    refuseGrantBeyond(caller, permissions)
    await checkGroup(db, caller.organizationId, group)
    if (await isMemberByEmail(db, caller.organizationId, body.email)) {
      throw invalid({ email: ['This person is a member of the organization already.'] })
    }
    const user = await readNewUser(db, body)
    const rights = { permissions, group }
    const member = user && (await makeMember(services, caller.organizationId, user, rights, record))
    if (member) return { data: toMemberRecord(member) }
    return invite(services, caller, { email: body.email, field: 'email', ...rights, record })
  },
})
