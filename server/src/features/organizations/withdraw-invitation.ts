import { endpoint } from '../core-services.ts'
import * as invitationQueries from './invitation-queries.ts'
import { invitationNotFound, invitationPath } from './invitation-record.ts'

export const withdrawInvitation = endpoint({
  summary: 'Withdraws an invitation that the organization has sent',
  params: invitationPath,
  status: 204,
  async handle({ params, caller }, { db }) {
    const isGone = await invitationQueries.remove(db, caller.organizationId, params.id)
    if (!isGone) throw invitationNotFound()
  },
})
