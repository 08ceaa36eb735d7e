import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import { withExamples } from '../../../http/examples.ts'
import { regions } from '../../../lora/regions.ts'
import type { Network } from '../../../networks/network.ts'
import { gatewayNetworksOf } from '../devices/registration-form.ts'
import * as groupQueries from '../groups/group-queries.ts'
import { listOnNetworks, type StoredGateway } from '../inventory/gateway-queries.ts'

/** Fields of registration forms, and their choices. */

export const regionChoice = z.object(
  withExamples({ name: z.string(), id: z.string() }, { name: 'EU868', id: 'EU868' }),
)

export const regionChoices = regions.map((region) => ({ name: region, id: region }))

/** The organization's gateways that a device on this network may name. */
export function readGateways(
  db: Queryable,
  organizationId: number,
  network: Network,
): Promise<StoredGateway[]> {
  return listOnNetworks(db, organizationId, gatewayNetworksOf(network))
}

export const groupChoice = z.object(
  withExamples({ id: z.int(), groupName: z.string() }, { id: 12, groupName: 'Ground floor' }),
)

export async function readGroups(
  db: Queryable,
  organizationId: number,
): Promise<z.infer<typeof groupChoice>[]> {
  const groups = await groupQueries.list(db, organizationId)
  return groups.map(({ id, name }) => ({ id, groupName: name }))
}

/** One field of a registration form (docs/contract.txt, 4.10). */
export const formField = z
  .union([
    /** The network does not use the field. */
    z.literal('na'),
    z
      .object({
        validation: z.enum(['required', 'optional', 'required_if:consoleOnly,1']),
        type: z.enum(['select', 'text', 'multiselect']),
        values: z
          .union([z.record(z.string(), z.string()), z.array(z.string())])
          .optional()
          .describe('Texts by value, or a list of values.'),
      })
      .meta({ id: 'FormField' }),
  ])
  .meta({ examples: [{ validation: 'required', type: 'text' }] })

export type FormField = z.infer<typeof formField>

/** A frequency plan in lookups (docs/contract.txt, 4.22). */
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

/** The address of a network's mark. */
export function networkImage(publicUrl: string, key: string): string {
  return `${publicUrl}/images/networks/${key}.svg`
}
