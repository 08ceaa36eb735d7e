import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import { changeAt } from '../../../http/change-record.ts'
import { type Caller, permissions, type RecordChange } from '../../../http/endpoint.ts'
import { forbidden, invalid, unauthenticated } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { optionalText, requiredText, timeZoneName } from '../../../http/fields.ts'
import { momentOf } from '../../../http/timestamps.ts'
import { type CoreServices, endpoint } from '../../core-services.ts'
import { insertUser, isEmailOf, type NewUser } from '../users/user-queries.ts'
import { lockTenant } from './invitation-queries.ts'
import { invited } from './invitation-record.ts'
import { invite } from './invite.ts'
import { joiningChange } from './members.ts'
import {
  findOrganization,
  findReachedLimit,
  insertOrganization,
  type Organization,
  renewCodecs,
  updateOrganization,
} from './organization-queries.ts'
import { organizationRecord, toOrganizationRecord } from './organization-record.ts'
import { owner, readNewUser } from './person-fields.ts'

export const showOrganization = endpoint({
  summary: 'The organization of the request',
  answer: z.object({ data: organizationRecord }),
  async handle({ caller }, { db }) {
    const found = await findOrganization(db, caller.organizationId)
    if (!found) throw unauthenticated()
    return { data: toOrganizationRecord(found) }
  },
})

const changes = z.object(
  withExamples(
    {
      name: requiredText('name').optional(),
      address_line_1: optionalText('address line 1'),
      address_line_2: optionalText('address line 2'),
      timezone_format: timeZoneName.optional(),
    },
    {
      name: 'Harbour Cold Storage',
      address_line_1: '12 Quay Street',
      address_line_2: null,
      timezone_format: 'Europe/Lisbon',
    },
  ),
)

export const changeOrganization = endpoint({
  summary: 'Changes name, address or time zone of the organization; what is left out stays',
  description:
    'An address line of `null` or without text is removed. Local times in codecs follow the time zone, such as `Europe/Lisbon`, from the next uplink on.',
  body: changes,
  answer: z.object({ data: organizationRecord }),
  change: changeAt('organization', 'changed'),
  async handle({ body, caller, record }, { db, now }) {
    const { organizationId } = caller
    const changed = await db.transaction(async (tx) => {
      const found = await findOrganization(tx, organizationId, 'for update')
      if (!found) throw unauthenticated()
      const line = (sent: string | null | undefined, stored: string | null) =>
        sent === undefined ? stored : sent?.trim() || null
      const values = {
        name: body.name?.trim() ?? found.name,
        addressLine1: line(body.address_line_1, found.address_line_1),
        addressLine2: line(body.address_line_2, found.address_line_2),
        timeZone: body.timezone_format ?? found.timezone_format,
      }
      await record(tx)
      if (values.timeZone !== found.timezone_format) await renewCodecs(tx, organizationId)
      return updateOrganization(tx, organizationId, values, momentOf(now()))
    })
    return { data: toOrganizationRecord(changed) }
  },
})

/**
 * Makes other transactions that add organizations to the tenant wait until this one ends. Organization
 * 1 may have any number of tenants.
 *
 * @throws HttpError 403 when the organization is being deleted, and 422 on `field` when there are as many organizations below this one, or below one
 * above it, as there may be.
 */
export async function refuseBeyondLimit(
  tx: Queryable,
  organizationId: number,
  field: string,
): Promise<void> {
  await lockTenant(tx, organizationId)
  if (!(await findOrganization(tx, organizationId)))
    throw forbidden('The organization is being deleted.')
  const limit = await findReachedLimit(tx, organizationId)
  if (limit === undefined) return
  throw invalid({ [field]: [`The limit of ${limit} organizations has been reached.`] })
}

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
