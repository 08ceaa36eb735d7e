import { z } from 'zod'
import { notFound } from '../../../http/errors.ts'
import { queryInteger, searchText } from '../../../http/fields.ts'
import { findSubtree } from '../../../uplinks/read/fleet-uplink-queries.ts'
import { endpoint } from '../../core-services.ts'
import { findFleetGateway } from '../../fleet/gateways/fleet-gateway-queries.ts'
import { gatewayNotFound, gatewayPath, readReference } from '../../fleet/inventory/references.ts'
import { tagFilter } from '../../fleet/inventory/tags.ts'
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

export const showCoverage = endpoint({
  summary:
    'How the frames of the fleet or of a network arrive: losses, signal, data rates, airtime',
  description: `${aboutRadio}

RSSI and SNR are those of the gateway that heard an uplink best.`,
  examples: [{ name: 'a network', query: { network: 'chirpstack', points: '24' } }],
  query: z.object({
    ...radioRangeFields,
    network: searchText('network').meta({ description: 'The key of a network.' }),
    group: queryInteger('group', { min: 1, fallback: 0 }).meta({
      description: 'The id of a group: the devices in it and in the groups below it.',
    }),
    tag: tagFilter,
  }),
  answer: z.object({ data: fleetRadio }),
  isHeavy: true,
  isLarge: true,
  async handle({ query, caller: { organizationId } }, { db, now }) {
    const { network, group, tag } = query
    const range = readRadioRange(query, now())
    const groups = group === 0 ? undefined : await findSubtree(db, organizationId, group)
    const filter = { network: network || undefined, groups, tag }
    const read = await readFrames(db, organizationId, range, filter)
    if (read === 'too_much') throw tooMuch()
    const { since, width } = range
    const sums = await sumFrames(read.portions, { since: since.getTime(), width })
    return { data: toFleetRadio(range, read, sums) }
  },
})

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
      gateway: { id: gateway.id, eui: gateway.gateway_eui.toUpperCase() },
    }
    const read = await readFrames(db, organizationId, range, filter)
    if (read === 'too_much') throw tooMuch()
    const { since, width } = range
    const sums = await sumFrames(read.portions, { since: since.getTime(), width })
    return { data: toFleetRadio(range, read, sums) }
  },
})
