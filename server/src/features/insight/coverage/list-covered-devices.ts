import { z } from 'zod'
import { queryInteger, searchText } from '../../../http/fields.ts'
import { findSubtree } from '../../../uplinks/read/fleet-uplink-queries.ts'
import { aboutReading } from '../../../uplinks/read/heard-record.ts'
import { endpoint } from '../../core-services.ts'
import { tagFilter } from '../../fleet/inventory/tags.ts'
import * as queries from './covered-device-queries.ts'
import { coveredDevices, toCoveredDevices } from './covered-device-record.ts'

export const listCoveredDevices = endpoint({
  summary: 'List devices by the number of gateways that hear them, the fewest first',
  description: `\`gateways\` finds those that so many gateways heard: 1 for devices that depend on one gateway.
${aboutReading}`,
  query: z.object({
    network: searchText('network').meta({ description: 'The key of a network.' }),
    group: queryInteger('group', { min: 1, fallback: 0 }).meta({
      description: 'The id of a group: the devices in it and in the groups below it.',
    }),
    tag: tagFilter,
    gateways: queryInteger('gateways', { min: 0, max: 1000, fallback: -1 }),
    limit: queryInteger('limit', { min: 1, max: 1000, fallback: 100 }),
    offset: queryInteger('offset', { min: 0, fallback: 0 }),
  }),
  answer: coveredDevices,
  isHeavy: true,
  async handle({ query, caller: { organizationId } }, { db }) {
    const { network, group, tag, gateways, limit, offset } = query
    const groups = group === 0 ? undefined : await findSubtree(db, organizationId, group)
    const filter = {
      network: network || undefined,
      groups,
      tag,
      gateways: gateways < 0 ? undefined : gateways,
      onlyEui: undefined,
    }
    const page = { limit, offset }
    return toCoveredDevices(await queries.listCoveredDevices(db, organizationId, filter, page))
  },
})
