import { z } from 'zod'
import { withExamples } from '../../http/examples.ts'

/** A frequency plan as the lookups give it (service.md, "POST /gateways/create"). */
export const frequencyPlanRecord = z
  .object(
    withExamples(
      {
        id: z.string(),
        base_id: z.string().optional(),
        name: z.string(),
        base_frequency: z.number(),
      },
      {
        id: 'EU_863_870_TTN',
        base_id: 'EU_863_870',
        name: 'Europe 863-870 MHz (SF9 for RX2 - recommended)',
        base_frequency: 868,
      },
    ),
  )
  .meta({ id: 'FrequencyPlan' })
