import { z } from 'zod'
import { notFound } from '../../http/errors.ts'
import { endpoint } from '../core-services.ts'
import { findFleetGateway } from '../gateways/fleet-gateway-queries.ts'
import { gatewayNotFound, gatewayPath, readReference } from '../inventory/references.ts'
import { readFrames } from './frame-queries.ts'
import { sumFrames } from './radio-sums.ts'
import {
  aboutRadio,
  fleetRadio,
  radioRangeFields,
  readRadioRange,
  toFleetRadio,
  tooMuch,
} from './radio-sums-record.ts'

export const showGatewayRadio = endpoint({
  summary: 'How frames arrive at a gateway: losses, signal, data rates, airtime',
  description: `${aboutRadio}

\`uplinks\` are those that this gateway heard, with RSSI and SNR here. \`received\` are the frames that it
heard better than all others. A gap counts for the gateway that heard the frame after it best, so
the losses of all gateways are those of their network.`,
  examples: [{ name: 'a day', query: { since: '2026-02-28T00:00:00Z', points: '24' } }],
  params: gatewayPath,
  query: z.object(radioRangeFields),
  answer: z.object({ data: fleetRadio }),
  failures: [404],
  isHeavy: true,
  isLarge: true,
  async handle({ params, query, caller: { organizationId } }, { db, now }) {
    const range = readRadioRange(query, now())
    const gateway = await findFleetGateway(db, organizationId, readReference(params.gateway_id))
    if (!gateway) throw notFound(gatewayNotFound)
    const filter = {
      // One of kind other hears devices of all networks.
      network: gateway.network === 'other' ? undefined : gateway.network,
      gateway: { id: gateway.id, eui: gateway.gateway_eui.toUpperCase() },
    }
    const read = await readFrames(db, organizationId, range, filter)
    if (read === 'too_much') throw tooMuch()
    const { since, width } = range
    const sums = await sumFrames(read.portions, { since: since.getTime(), width })
    return { data: toFleetRadio(range, read, sums) }
  },
})
