import { z } from 'zod'
import { notFound } from '../../../http/errors.ts'
import { queryInteger } from '../../../http/fields.ts'
import { aboutReading } from '../../../uplinks/read/heard-record.ts'
import { endpoint } from '../../core-services.ts'
import { findFleetGateway } from '../../fleet/gateways/fleet-gateway-queries.ts'
import { gatewayNotFound, gatewayPath, readReference } from '../../fleet/inventory/references.ts'
import { listCoveredDevices } from './covered-device-queries.ts'
import { coveredDevices, toCoveredDevices } from './covered-device-record.ts'

export const listSoleDevices = endpoint({
  summary: 'List the devices that only this gateway hears',
  description: `They would be silent without it. ${aboutReading}`,
  params: gatewayPath,
  query: z.object({
    limit: queryInteger('limit', { min: 1, max: 1000, fallback: 100 }),
    offset: queryInteger('offset', { min: 0, fallback: 0 }),
  }),
  answer: coveredDevices,
  failures: [404],
  isHeavy: true,
  async handle({ params, query, caller: { organizationId } }, { db, now }) {
    const gateway = await findFleetGateway(
      db,
      organizationId,
      readReference(params.gateway_id),
      now(),
    )
    if (!gateway) throw notFound(gatewayNotFound)
    const filter = {
      // One of kind other hears devices of all networks.
      network: gateway.network === 'other' ? undefined : gateway.network,
      groups: undefined,
      tag: undefined,
      gateways: undefined,
      onlyEui: gateway.gateway_eui.toUpperCase(),
    }
    return toCoveredDevices(await listCoveredDevices(db, organizationId, filter, query))
  },
})
