import { z } from 'zod'

/** One field of a registration form (service.md, "GET /configurations/"). */
export const formField = z
  .union([
    /** The network has no use for it. */
    z.literal('na'),
    z.object({
      validation: z.enum(['required', 'optional', 'required_if:consoleOnly,1']),
      type: z.enum(['select', 'text', 'multiselect']),
      values: z.union([z.record(z.string(), z.string()), z.array(z.string())]).optional(),
    }),
  ])
  .meta({ examples: [{ validation: 'required', type: 'text' }] })

export type FormField = z.infer<typeof formField>
