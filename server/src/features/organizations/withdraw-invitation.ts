import { changeOf } from '../../http/change-record.ts'
import { endpoint } from '../core-services.ts'
import * as invitationQueries from './invitation-queries.ts'
import { invitationNotFound, invitationPath } from './invitation-record.ts'

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
