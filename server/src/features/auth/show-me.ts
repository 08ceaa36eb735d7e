import { z } from 'zod'
import { unauthenticated } from '../../http/errors.ts'
import { endpoint } from '../core-services.ts'
import { findUser } from '../users/user-queries.ts'
import { toUserRecord, userRecord } from '../users/user-record.ts'

export const showMe = endpoint({
  summary: 'The current user, with the permissions held in the organization',
  answer: z.object({ data: userRecord }),
  async handle({ caller }, { db }) {
    const user = await findUser(db, caller.userId)
    if (!user) throw unauthenticated()
    return { data: toUserRecord(user, caller.permissions) }
  },
})
