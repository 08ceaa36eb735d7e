import { changeOf } from '../../http/change-record.ts'
import { momentOf } from '../../http/timestamps.ts'
import { endpoint } from '../core-services.ts'
import { memberNotFound, memberPath } from './member-record.ts'
import { endMemberSessions as end } from './security-queries.ts'

export const endMemberSessions = endpoint({
  summary: "Ends a member's sessions in this organization: they must log in again",
  description: `Every session of the member that began before no longer reaches this organization. Other organizations of
the member are not affected; if there is none, the sessions end. API keys stay: revoke those that matter.`,
  params: memberPath,
  status: 204,
  failures: [404],
  change: changeOf('member', 'logged out'),
  async handle({ params, caller, record }, { db, now }) {
    await db.transaction(async (tx) => {
      const isMember = await end(tx, caller.organizationId, params.user_id, momentOf(now()))
      if (!isMember) throw memberNotFound()
      await record(tx)
    })
  },
})
