import { z } from 'zod'
import { withExamples } from '../../../http/examples.ts'
import { pageQuery, queryChoice } from '../../../http/fields.ts'
import { endpoint } from '../../core-services.ts'
import type { StoredGroup } from './group-queries.ts'
import * as groupQueries from './group-queries.ts'
import { groupNotFound, groupPath } from './group-record.ts'
import { type DeviceName, listNames } from './grouped-device-queries.ts'

/**
 * The lite records of a group, as the original console answers them
 * (console.radiobridge.com/docs/guide/mobile-api/groups.html).
 */

interface LiteGroup {
  id: number
  group_name: string
  children: LiteGroup[]
  devices_counter: number
}

const common = withExamples(
  { id: z.int(), group_name: z.string() },
  { id: 12, group_name: 'Ground floor' },
)

const liteGroup: z.ZodType<LiteGroup> = z
  .object({
    ...common,
    get children() {
      return z.array(liteGroup).meta({ examples: [[]] })
    },
    ...withExamples(
      { devices_counter: z.int().describe('Devices in the group itself.') },
      { devices_counter: 4 },
    ),
  })
  .meta({ id: 'LiteGroup' })

const retrievedLiteGroup = z
  .object({
    ...common,
    devices: z.array(
      z.object(
        withExamples(
          { id: z.int(), device_id: z.string(), device_name: z.string() },
          { id: 101, device_id: '00AA000000000001', device_name: 'Front door' },
        ),
      ),
    ),
    ...withExamples(
      { selected_group: z.int().nullable().describe('The parent; null for a top-level group.') },
      { selected_group: null },
    ),
  })
  .meta({ id: 'RetrievedLiteGroup' })

/** The top-level groups with their subgroups, in the order of `groups`. */
function toLiteTrees(groups: readonly (StoredGroup & { device_count: number })[]): LiteGroup[] {
  const records = new Map(
    groups.map(({ id, name, device_count }): [number, LiteGroup] => [
      id,
      { id, group_name: name, children: [], devices_counter: device_count },
    ]),
  )
  const topLevel: LiteGroup[] = []
  for (const { id, parent_id } of groups) {
    const record = records.get(id)
    const siblings = parent_id === null ? topLevel : records.get(parent_id)?.children
    if (record) siblings?.push(record)
  }
  return topLevel
}

function toRetrievedLiteGroup(
  group: StoredGroup,
  devices: readonly DeviceName[],
): z.infer<typeof retrievedLiteGroup> {
  return {
    id: group.id,
    group_name: group.name,
    devices: devices.map(({ id, device_eui, name }) => ({
      id,
      device_id: device_eui,
      device_name: name,
    })),
    selected_group: group.parent_id,
  }
}

export const getLiteGroup = endpoint({
  summary: 'Retrieve a group with the names of its devices',
  params: groupPath,
  query: z.object({ version: queryChoice('version', ['lite']).optional() }),
  answer: z.object({ data: retrievedLiteGroup }),
  isLarge: true,
  failures: [404],
  async handle({ params, caller }, { db }) {
    const { organizationId } = caller
    const group = await groupQueries.find(db, organizationId, params.group_id)
    if (!group) throw groupNotFound()
    const devices = await listNames(db, organizationId, group.id)
    return { data: toRetrievedLiteGroup(group, devices) }
  },
})

export const listLiteGroups = endpoint({
  summary: 'List the groups as trees, with the number of their devices',
  description: 'All groups are on page 1; a later page is empty.',
  query: z.object({
    version: queryChoice('version', ['lite']).optional(),
    page: pageQuery.page,
  }),
  answer: z.object({ data: z.array(liteGroup) }),
  isLarge: true,
  async handle({ query, caller }, { db }) {
    if (query.page > 1) return { data: [] }
    return { data: toLiteTrees(await groupQueries.listCounted(db, caller.organizationId)) }
  },
})
