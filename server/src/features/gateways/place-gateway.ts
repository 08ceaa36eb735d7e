import { z } from 'zod'
import { changeOf } from '../../http/change-record.ts'
import { notFound } from '../../http/errors.ts'
import { withExamples } from '../../http/examples.ts'
import { endpoint } from '../core-services.ts'
import { gatewayNotFound, gatewayPath, readReference } from '../inventory/references.ts'
import * as fleetGatewayQueries from './fleet-gateway-queries.ts'
import { fleetGateway, toFleetGateway } from './fleet-gateway-record.ts'

function degrees(label: string, most: number) {
  const sentence = `The ${label} must be a number of degrees from -${most} to ${most}.`
  return z.number({ error: sentence }).min(-most, sentence).max(most, sentence)
}

export const placeGateway = endpoint({
  summary: 'Say where a gateway stands; null gives way to what its network tells',
  params: gatewayPath,
  body: z.object({
    position: z
      .object(
        withExamples(
          { lat: degrees('latitude', 90), lng: degrees('longitude', 180) },
          { lat: 48.137, lng: 11.575 },
        ),
        { error: 'The position must have a lat and a lng, or be null.' },
      )
      .nullable(),
  }),
  answer: z.object({ data: fleetGateway }),
  failures: [404],
  change: changeOf('gateway', 'changed'),
  async handle({ params, body, caller: { organizationId }, record }, { db }) {
    const reference = readReference(params.gateway_id)
    const { position } = body
    const gateway = await db.transaction(async (tx) => {
      await fleetGatewayQueries.placeGateway(tx, organizationId, reference, position)
      const placed = await fleetGatewayQueries.findFleetGateway(tx, organizationId, reference)
      if (!placed) throw notFound(gatewayNotFound)
      await record(tx)
      return placed
    })
    return { data: toFleetGateway(gateway) }
  },
})
