import { z } from 'zod'
import { withExamples } from '../../http/examples.ts'
import { requiredText } from '../../http/fields.ts'
import { momentOf } from '../../http/timestamps.ts'
import { endpoint } from '../services.ts'
import { insertOrganization } from './organization-queries.ts'
import { organizationRecord, toOrganizationRecord } from './organization-record.ts'
import { findJoiner, obtainUser, person } from './person.ts'

export const createOrganization = endpoint({
  summary: 'Makes a child organization; an owner who has a user already keeps its password',
  body: z.object({
    ...withExamples({ name: requiredText('name') }, { name: 'Harbour Cold Storage' }),
    owner: person,
  }),
  answer: z.object({ data: organizationRecord }),
  status: 201,
  async handle({ body, caller }, { db, now }) {
    const joiner = await findJoiner(db, body.owner)
    const time = momentOf(now())
    const made = await db.transaction(async (tx) => {
      const ownerUserId = await obtainUser(tx, joiner, time)
      const organization = { name: body.name, parentId: caller.organizationId, ownerUserId }
      return insertOrganization(tx, organization, time)
    })
    return { data: toOrganizationRecord(made) }
  },
})
