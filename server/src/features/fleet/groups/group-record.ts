import { z } from 'zod'
import { type HttpError, notFound, type Refused } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { pathId } from '../../../http/fields.ts'
import type { JsonText } from '../../../http/json-pieces.ts'
import { isoTime } from '../../../http/timestamps.ts'
import {
  type GroupDevice,
  type GroupDeviceLists,
  groupDevice,
  pivot,
} from './group-device-record.ts'
import type { StoredGroup } from './group-queries.ts'
import type { DeviceName } from './grouped-device-queries.ts'

/** The records of a group (docs/contract.txt, 2.11). */

const common = withExamples(
  {
    id: z.int(),
    groupName: z.string(),
    parent_id: z.int().nullable(),
  },
  { id: 12, groupName: 'Ground floor', parent_id: null },
)

export const retrievedGroup = z
  .object({
    ...common,
    ...withExamples({ opened: z.boolean() }, { opened: true }),
    devices: z.array(groupDevice) as z.ZodType<unknown> as z.ZodType<JsonText<GroupDevice[]>>,
  })
  .meta({ id: 'Group' })

interface GroupTree extends z.infer<typeof retrievedGroup> {
  children: GroupTree[]
}

export const groupTree: z.ZodType<GroupTree> = z
  .object({
    ...retrievedGroup.shape,
    get children() {
      return z.array(groupTree).meta({ examples: [[]] })
    },
  })
  .meta({ id: 'GroupTree' })

/** The answer of creating and updating. */
export const savedGroup = z
  .object({
    ...common,
    ...withExamples(
      {
        userId: z.int(),
        /** 0 for a top-level group. */
        depth: z.int(),
        groupConfig: z.string(),
        created_at: z.string(),
        updated_at: z.string(),
      },
      {
        userId: 3,
        depth: 0,
        groupConfig: '[]',
        created_at: '2026-02-03T09:40:00.000000Z',
        updated_at: '2026-02-03T09:40:00.000000Z',
      },
    ),
    devices: z.array(
      z.object({
        ...withExamples(
          { id: z.int(), deviceName: z.string() },
          { id: 101, deviceName: 'Front door' },
        ),
        pivot,
      }),
    ),
  })
  .meta({ id: 'SavedGroup' })

export function toRetrievedGroup(
  group: StoredGroup,
  devices: JsonText<GroupDevice[]>,
): z.infer<typeof retrievedGroup> {
  return {
    id: group.id,
    groupName: group.name,
    parent_id: group.parent_id,
    opened: group.is_open,
    devices,
  }
}

/** The top-level groups with their subgroups, in the order of `groups`. */
export function toTrees(groups: readonly StoredGroup[], devices: GroupDeviceLists): GroupTree[] {
  const trees = new Map(
    groups.map((group): [number, GroupTree] => [
      group.id,
      { ...toRetrievedGroup(group, devices.of(group.id)), children: [] },
    ]),
  )
  const topLevel: GroupTree[] = []
  for (const tree of trees.values()) {
    const siblings = tree.parent_id === null ? topLevel : trees.get(tree.parent_id)?.children
    siblings?.push(tree)
  }
  return topLevel
}

/** Sorts groups as the trees list them: each before its subgroups. */
export function inOrderOfTrees<G extends StoredGroup>(groups: readonly G[]): G[] {
  const below = Map.groupBy(groups, ({ parent_id }) => parent_id)
  const pending = [...(below.get(null) ?? [])].reverse()
  const ordered: G[] = []
  for (let group = pending.pop(); group !== undefined; group = pending.pop()) {
    ordered.push(group)
    pending.push(...[...(below.get(group.id) ?? [])].reverse())
  }
  return ordered
}

export function toSavedGroup(
  group: StoredGroup,
  depth: number,
  devices: readonly DeviceName[],
): z.infer<typeof savedGroup> {
  return {
    id: group.id,
    userId: group.user_id,
    parent_id: group.parent_id,
    depth,
    groupName: group.name,
    groupConfig: '[]',
    created_at: isoTime(group.created_at),
    updated_at: isoTime(group.updated_at),
    devices: devices.map(({ id, name }) => ({
      id,
      deviceName: name,
      pivot: { groupId: group.id, deviceId: id },
    })),
  }
}

export const groupPath = z.object({ group_id: pathId('12') })

/** The 404 for missing groups and those of other organizations. */
export function groupNotFound(refused?: Refused): HttpError {
  return notFound('Group not found', refused)
}
