import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import { changeOf } from '../../../http/change-record.ts'
import { unauthenticated } from '../../../http/errors.ts'
import { pageQuery } from '../../../http/fields.ts'
import { pageOf, paginated, paginatedList } from '../../../http/pages.ts'
import { type Moment, momentOf } from '../../../http/timestamps.ts'
import { endpoint, openEndpoint } from '../../core-services.ts'
import * as invitationQueries from './invitation-queries.ts'
import { listOfOrganization, listOfUser } from './invitation-queries.ts'
import {
  invitationNotFound,
  invitationPath,
  receivedInvitation,
  sentInvitation,
  toReceived,
  toSent,
} from './invitation-record.ts'
import { insertMember } from './member-queries.ts'
import { refuseBeyondLimit } from './organization.ts'
import { findOrganization, insertOrganization, type Organization } from './organization-queries.ts'
import { organizationRecord, toOrganizationRecord } from './organization-record.ts'

export const acceptInvitation = openEndpoint({
  summary: 'Accepts an invitation; answers the organization, of which the user is a member now',
  params: invitationPath,
  answer: z.object({ data: organizationRecord }),
  failures: [404, 422],
  async handle({ params, session }, { db, now }) {
    if (!session) throw unauthenticated()
    const { userId } = session
    const time = momentOf(now())
    const joined = await db.transaction(async (tx) => {
      const which = { id: params.id, now: time }
      const invitation = await invitationQueries.lockOfUser(tx, userId, which)
      if (!invitation) throw invitationNotFound()
      const organization = await join(tx, userId, invitation, time)
      await invitationQueries.remove(tx, invitation.organization_id, invitation.id)
      return organization
    })
    return { data: toOrganizationRecord(joined) }
  },
})

/** An existing member keeps their permissions. */
export async function join(
  tx: Queryable,
  userId: number,
  invitation: invitationQueries.Invitation,
  now: Moment,
): Promise<Organization> {
  const {
    organization_id: organizationId,
    child_name: name,
    permissions,
    group_id: group,
  } = invitation
  if (name !== null) {
    await refuseBeyondLimit(tx, organizationId, 'id')
    return insertOrganization(tx, { name, parentId: organizationId, ownerUserId: userId }, now)
  }
  await insertMember(tx, organizationId, { userId, permissions, group }, now)
  const organization = await findOrganization(tx, organizationId)
  if (!organization) throw invitationNotFound()
  return organization
}

export const declineInvitation = openEndpoint({
  summary: 'Declines an invitation',
  params: invitationPath,
  status: 204,
  async handle({ params, session }, { db, now }) {
    if (!session) throw unauthenticated()
    const { userId } = session
    await db.transaction(async (tx) => {
      const which = { id: params.id, now: momentOf(now()) }
      const invitation = await invitationQueries.lockOfUser(tx, userId, which)
      if (!invitation) throw invitationNotFound()
      await invitationQueries.remove(tx, invitation.organization_id, invitation.id)
    })
  },
})

/** More than a tenant may send. Further ones follow when these are answered. */
const most = 1000

export const listReceivedInvitations = openEndpoint({
  summary: 'The pending invitations for the user',
  description:
    'Whoever is logged in under the e-mail address may answer them. An invitation expires after 14 days, and ends with the right of who has sent it.',
  answer: z.object({ data: z.array(receivedInvitation) }),
  async handle({ session }, { db, now }) {
    if (!session) throw unauthenticated()
    const invitations = await listOfUser(db, session.userId, { now: momentOf(now()), most })
    return { data: invitations.map(toReceived) }
  },
})

export const listSentInvitations = endpoint({
  summary: 'The pending invitations of the organization',
  query: z.object(pageQuery),
  answer: paginated(sentInvitation),
  async handle({ query, caller, request }, { db, now }) {
    const page = pageOf(query, request.sentQuery)
    const { total, invitations } = await listOfOrganization(db, caller.organizationId, {
      page,
      now: momentOf(now()),
    })
    return paginatedList(invitations.map(toSent), total, page, {
      request,
      payload: query,
    })
  },
})

export const withdrawInvitation = endpoint({
  summary: 'Withdraws an invitation that the organization has sent',
  params: invitationPath,
  status: 204,
  change: changeOf('member', 'uninvited', 'invitation'),
  async handle({ params, caller, record }, { db }) {
    await db.transaction(async (tx) => {
      const isGone = await invitationQueries.remove(tx, caller.organizationId, params.id)
      if (!isGone) throw invitationNotFound()
      await record(tx)
    })
  },
})
