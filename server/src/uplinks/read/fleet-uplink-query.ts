import type { Queryable } from '../../db/connect.ts'
import { readReference } from '../../features/fleet/inventory/references.ts'
import { type TagFilter, tagFilter } from '../../features/fleet/inventory/tags.ts'
import { invalid, notFound } from '../../http/errors.ts'
import { queryInteger, queryTime, searchText } from '../../http/fields.ts'
import type { Series } from '../rows/series.ts'
import { findDevice, findSubtree, type UplinkFilter } from './fleet-uplink-queries.ts'

/** The parameters that select uplinks, the same for the list and its exports. */
export const uplinkFilterFields = {
  since: queryTime('since')
    .optional()
    .meta({ description: 'Stored at this time or later.', examples: ['2026-02-28T12:00:00Z'] }),
  until: queryTime('until')
    .optional()
    .meta({ description: 'Stored before this time.', examples: ['2026-03-01T12:00:00Z'] }),
  device: searchText('device').meta({ description: 'The DevEUI or the id of a device.' }),
  type: queryInteger('type', { min: 1, fallback: 0 }).meta({ description: 'The id of a type.' }),
  group: queryInteger('group', { min: 1, fallback: 0 }).meta({
    description: 'The id of a group: the devices in it and in the groups below it.',
  }),
  tag: tagFilter,
  network: searchText('network').meta({ description: 'The key of a network.' }),
  event_type: searchText('event type').meta({ examples: ['DOOR_SENSOR'] }),
  search: searchText().meta({
    description: 'Part of the name or DevEUI of the device, or of what was decoded, in any case.',
  }),
}

interface FilterQuery {
  since?: Date | undefined
  until?: Date | undefined
  device: string
  type: number
  group: number
  tag?: TagFilter | undefined
  network: string
  event_type: string
  search: string
}

/**
 * Undefined where nothing can match, because the group does not exist.
 * @throws HttpError 404 where the device does not exist, is not in the group or below it, or lacks the tag.
 */
export async function readUplinkFilter(
  db: Queryable,
  organizationId: number,
  query: FilterQuery,
): Promise<{ series: Series; filter: UplinkFilter } | undefined> {
  const { since, until, type, group, tag, network, event_type, search } = query
  if (since && until && since > until) {
    throw invalid({ until: ['The until must not be before the since.'] })
  }
  const groups = group === 0 ? undefined : await findSubtree(db, organizationId, group)
  const deviceId =
    query.device === ''
      ? undefined
      : await findDevice(db, organizationId, readReference(query.device), { groups, tag })
  if (query.device !== '' && deviceId === undefined) throw notFound('device not found')
  if (groups?.length === 0) return undefined
  return {
    series: { organizationId, deviceId },
    filter: {
      since,
      until,
      groups,
      tag,
      type: type || undefined,
      network: network || undefined,
      eventType: event_type || undefined,
      search: search.trim() || undefined,
    },
  }
}

/** Whether the filter lets every uplink of its series pass. */
export function isUnfiltered(filter: UplinkFilter): boolean {
  return Object.values(filter).every((value) => value === undefined)
}
