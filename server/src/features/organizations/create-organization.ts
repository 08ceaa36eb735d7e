import { z } from 'zod'
import { type Caller, permissions, type RecordChange } from '../../http/endpoint.ts'
import { withExamples } from '../../http/examples.ts'
import { requiredText } from '../../http/fields.ts'
import { momentOf } from '../../http/timestamps.ts'
import { type CoreServices, endpoint } from '../core-services.ts'
import { insertUser, isEmailOf, type NewUser } from '../users/user-queries.ts'
import { invited } from './invitation-record.ts'
import { invite } from './invite.ts'
import { joiningChange } from './new-member.ts'
import { refuseBeyondLimit } from './organization-limit.ts'
import { insertOrganization, type Organization } from './organization-queries.ts'
import { organizationRecord, toOrganizationRecord } from './organization-record.ts'
import { owner, readNewUser } from './person-fields.ts'

export const createOrganization = endpoint({
  summary: 'Makes a child organization, or invites whoever has the e-mail to become its owner',
  description:
    'With a password somebody new becomes its owner; so does the caller who gives their own e-mail: 201. Everybody else is invited, and the organization is made when they accept: 202.',
  body: z.object({
    ...withExamples({ name: requiredText('name') }, { name: 'Harbour Cold Storage' }),
    owner,
  }),
  answer: z.object({ data: organizationRecord }),
  accepted: invited,
  status: 201,
  change: joiningChange('created', 'organization'),
  async handle({ body, caller, record }, services) {
    const { db } = services
    const { email } = body.owner
    const isOwn = await isEmailOf(db, caller.userId, email)
    const user = isOwn ? caller.userId : await readNewUser(db, body.owner)
    const made = user && (await makeChild(services, caller, { name: body.name, user, record }))
    if (made) return { data: toOrganizationRecord(made) }
    const to = { email, field: 'owner.email', permissions, childName: body.name, record }
    return invite(services, caller, to)
  },
})

/**
 * `user` is the caller's id or a new user. Undefined when another request has just taken the new
 * e-mail address.
 */
function makeChild(
  { db, now }: Pick<CoreServices, 'db' | 'now'>,
  { organizationId }: Caller,
  { name, user, record }: { name: string; user: number | NewUser; record: RecordChange },
): Promise<Organization | undefined> {
  const time = momentOf(now())
  return db.transaction(async (tx) => {
    await refuseBeyondLimit(tx, organizationId, 'name')
    const ownerUserId = typeof user === 'number' ? user : await insertUser(tx, user, time)
    if (ownerUserId === undefined) return undefined
    const child = { name, parentId: organizationId, ownerUserId }
    const made = await insertOrganization(tx, child, time)
    await record(tx, { data: made })
    return made
  })
}
