import { z } from 'zod'
import { notFound } from '../../http/errors.ts'
import { withExamples } from '../../http/examples.ts'
import { endpoint } from '../core-services.ts'
import { gatewayNotFound, gatewayPath, readReference } from '../inventory/references.ts'
import { findFleetGateway } from './fleet-gateway-queries.ts'
import { fleetGateway, toFleetGateway } from './fleet-gateway-record.ts'
import { readGatewayHours } from './gateway-hours.ts'

const gatewayHour = z
  .object(
    withExamples(
      { hour: z.string(), uplinks: z.int().nullable(), downlinks: z.int().nullable() },
      { hour: '2026-03-01T11:00:00.000000Z', uplinks: 118, downlinks: 1 },
    ),
  )
  .meta({ id: 'GatewayHour' })

export const showFleetGateway = endpoint({
  summary: 'Retrieve a gateway as the console shows it, with its traffic of a week',
  description:
    'An hour begins up to a minute late, and is null where the service was down when it began or' +
    ' ended.',
  params: gatewayPath,
  answer: z.object({
    data: z
      .object({
        ...fleetGateway.shape,
        ...withExamples(
          {
            settings: z.record(z.string(), z.string()).meta({
              description: 'What its network’s form asked for.',
            }),
          },
          { settings: { concentrator: 'SX1303' } },
        ),
        hours: z.array(gatewayHour),
      })
      .meta({ id: 'FleetGatewayWithTraffic' }),
  }),
  failures: [404],
  async handle({ params, caller }, { db, now }) {
    const reference = readReference(params.gateway_id)
    const gateway = await findFleetGateway(db, caller.organizationId, reference)
    if (!gateway) throw notFound(gatewayNotFound)
    const hours = await readGatewayHours(db, caller.organizationId, gateway, now())
    return { data: { ...toFleetGateway(gateway), settings: gateway.settings, hours } }
  },
})
