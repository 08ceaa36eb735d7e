import { z } from 'zod'

/** A frequency plan as the lookups give it (service.md, "POST /gateways/create"). */
export const frequencyPlanRecord = z
  .object({
    id: z.string(),
    base_id: z.string().optional(),
    name: z.string(),
    base_frequency: z.number(),
  })
  .meta({ id: 'FrequencyPlan' })
