import { z } from 'zod'
import { changeAt } from '../../../http/change-record.ts'
import { withExamples } from '../../../http/examples.ts'
import { endpoint } from '../../core-services.ts'
import { findRetention, setRetention } from './organization-queries.ts'

/** Below this, an uplink that its network repeats could be gone, and be stored again as a new one. */
const fewestDays = 7
const mostDays = 36_500
const message = `The uplink days must be a whole number from ${fewestDays} to ${mostDays}, or null.`

const retention = z
  .object(
    withExamples(
      {
        uplink_days: z
          .int({ error: message })
          .min(fewestDays, { error: message })
          .max(mostDays, { error: message })
          .nullable()
          .describe('Days for which uplinks are kept from their arrival; null: for ever.'),
      },
      { uplink_days: 400 },
    ),
  )
  .meta({ id: 'Retention' })

const retentionAnswer = z.object({ data: retention })

export const showRetention = endpoint({
  summary: 'How long the organization keeps uplinks',
  answer: retentionAnswer,
  async handle({ caller }, { db }) {
    return { data: { uplink_days: (await findRetention(db, caller.organizationId)) ?? null } }
  },
})

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
