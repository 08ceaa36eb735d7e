import { unauthenticated } from '../../http/errors.ts'
import { momentOf } from '../../http/timestamps.ts'
import { openEndpoint } from '../core-services.ts'
import * as invitationQueries from './invitation-queries.ts'
import { invitationNotFound, invitationPath } from './invitation-record.ts'

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
