import { z } from 'zod'
import { changeAt } from '../../../http/change-record.ts'
import { withExamples } from '../../../http/examples.ts'
import { endpoint } from '../../core-services.ts'
import { findVerdictWindow, setVerdictWindow } from './organization-queries.ts'

/** A year. */
const mostHours = 8760
const message = `The window hours must be a whole number from 1 to ${mostHours}.`

const verdictWindow = z
  .object(
    withExamples(
      {
        window_hours: z
          .int({ error: message })
          .min(1, { error: message })
          .max(mostHours, { error: message })
          .describe(
            'Hours without an uplink after which a device is silent, where its usual interval is not known.',
          ),
      },
      { window_hours: 48 },
    ),
  )
  .meta({ id: 'VerdictWindow' })

const windowAnswer = z.object({ data: verdictWindow })

export const showVerdictWindow = endpoint({
  summary: 'When a device of the organization counts as silent',
  answer: windowAnswer,
  async handle({ caller }, { db }) {
    return { data: { window_hours: await findVerdictWindow(db, caller.organizationId) } }
  },
})

export const changeVerdictWindow = endpoint({
  summary: 'Sets when a device of the organization counts as silent',
  description: `The verdict of each device, and all that counts, filters and alerts by it, follows at once. A
device whose usual interval is known is silent after three of them, at least an hour, whatever this
window; one that was never heard is new for 48 hours. Children of the organization have settings of their own.`,
  body: verdictWindow,
  answer: windowAnswer,
  change: changeAt('organization', 'changed'),
  async handle({ body, caller, record }, { db }) {
    await db.transaction(async (tx) => {
      await setVerdictWindow(tx, caller.organizationId, body.window_hours)
      await record(tx)
    })
    return { data: body }
  },
})
