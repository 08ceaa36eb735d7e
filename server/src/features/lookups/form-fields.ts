import { z } from 'zod'
import type { Queryable } from '../../db/connect.ts'
import { withExamples } from '../../http/examples.ts'
import { regions } from '../../lora/regions.ts'
import type { Network } from '../../networks/network.ts'
import { gatewayNetworksOf } from '../devices/registration-form.ts'
import * as groupQueries from '../groups/group-queries.ts'
import { listOnNetworks, type StoredGateway } from '../inventory/gateway-queries.ts'

/** What the fields of a device form choose from. */

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
