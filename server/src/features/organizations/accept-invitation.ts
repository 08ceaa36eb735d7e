import { z } from 'zod'
import type { Queryable } from '../../db/connect.ts'
import { unauthenticated } from '../../http/errors.ts'
import { type Moment, momentOf } from '../../http/timestamps.ts'
import { openEndpoint } from '../core-services.ts'
import * as invitationQueries from './invitation-queries.ts'
import { invitationNotFound, invitationPath } from './invitation-record.ts'
import { insertMember } from './member-queries.ts'
import { refuseBeyondLimit } from './organization-limit.ts'
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
async function join(
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
