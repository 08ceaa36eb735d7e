import { z } from 'zod'
import { withExamples } from '../../http/examples.ts'
import type { StoredGroup } from './group-queries.ts'
import type { DeviceName } from './grouped-device-queries.ts'

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

export const liteGroup: z.ZodType<LiteGroup> = z
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

export const retrievedLiteGroup = z
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
export function toLiteTrees(
  groups: readonly (StoredGroup & { device_count: number })[],
): LiteGroup[] {
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

export function toRetrievedLiteGroup(
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
