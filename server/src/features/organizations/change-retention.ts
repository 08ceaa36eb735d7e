import { changeAt } from '../../http/change-record.ts'
import { endpoint } from '../core-services.ts'
import { setRetention } from './retention-queries.ts'
import { retention, retentionAnswer } from './retention-record.ts'

export const changeRetention = endpoint({
  summary: 'Sets how long the organization keeps uplinks',
  description: `Older uplinks are deleted in the background, soon after this answer, and cannot be restored.
Totals and pages then hold those that are kept. Children of the organization have settings of their
own.`,
  body: retention,
  answer: retentionAnswer,
  change: changeAt('organization', 'changed'),
  async handle({ body, caller, record }, { db }) {
    await db.transaction(async (tx) => {
      await setRetention(tx, caller.organizationId, body.uplink_days)
      await record(tx)
    })
    return { data: body }
  },
})
