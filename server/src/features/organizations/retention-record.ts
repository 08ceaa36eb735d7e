import { z } from 'zod'
import { withExamples } from '../../http/examples.ts'

/** Below this, an uplink that its network repeats could be gone, and be stored again as a new one. */
const fewestDays = 7
const mostDays = 36_500
const message = `The uplink days must be a whole number from ${fewestDays} to ${mostDays}, or null.`

export const retention = z
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

export const retentionAnswer = z.object({ data: retention })
