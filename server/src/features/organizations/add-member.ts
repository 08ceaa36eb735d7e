import { z } from 'zod'
import { invalid } from '../../http/errors.ts'
import { momentOf } from '../../http/timestamps.ts'
import { withOwnEmailRefused } from '../auth/password-fields.ts'
import { userRecord } from '../auth/user-record.ts'
import { endpoint } from '../services.ts'
import { permissionList, refuseGrantBeyond } from './grants.ts'
import { findMember, insertMember } from './member-queries.ts'
import { toMemberRecord } from './member-record.ts'
import { findJoiner, obtainUser, personFields } from './person.ts'

export const addMember = endpoint({
  summary: 'Adds a member; an e-mail that has a user already keeps its password and names',
  body: withOwnEmailRefused(z.object({ ...personFields, permissions: permissionList.nullish() })),
  answer: z.object({ data: userRecord }),
  status: 201,
  async handle({ body, caller }, { db, now }) {
    const permissions = body.permissions ?? []
    refuseGrantBeyond(caller, permissions)
    const joiner = await findJoiner(db, body)
    const time = momentOf(now())
    const member = await db.transaction(async (tx) => {
      const userId = await obtainUser(tx, joiner, time)
      const isAdded = await insertMember(tx, caller.organizationId, { userId, permissions }, time)
      return isAdded ? findMember(tx, caller.organizationId, userId) : undefined
    })
    if (!member) throw invalid({ email: ['This person is a member of the organization already.'] })
    return { data: toMemberRecord(member) }
  },
})
