import { z } from 'zod'
import { withExamples } from '../../http/examples.ts'
import { endpoint } from '../core-services.ts'
import { typeName } from '../inventory/type-name.ts'
import { groupNotFound, groupPath } from './group-record.ts'
import { countTypes } from './group-state-queries.ts'
import {
  cutAbove,
  type GroupState,
  groupState,
  idsBelow,
  readBranchStates,
} from './group-states.ts'

export const showGroupState = endpoint({
  summary: 'Retrieve a group without its devices: how these are, the groups above and below',
  params: groupPath,
  answer: z.object({
    data: z
      .object({
        ...groupState.shape,
        path: z
          .array(
            z.object({
              id: z.int().meta({ examples: [3] }),
              name: z.string().meta({ examples: ['House'] }),
            }),
          )
          .meta({ description: 'The groups above it, the top one first.' }),
        subgroups: z.array(groupState).meta({ description: 'Directly below it.' }),
        types: z
          .array(
            z.object(
              withExamples(
                { id: z.int(), name: z.string(), devices: z.int() },
                { id: 16, name: 'RBS301-DWS - LoRa Door/Window', devices: 40 },
              ),
            ),
          )
          .meta({ description: 'Of the devices in it and below it, the most frequent first.' }),
      })
      .meta({ id: 'GroupWithStates' }),
  }),
  failures: [404],
  async handle({ params, caller }, { db, now }) {
    const { organizationId } = caller
    const branch = await readBranchStates(db, organizationId, params.group_id, now())
    const limit = caller.groupId
    const states = limit === undefined ? branch : cutAbove(branch, limit)
    const group = states.find(({ id }) => id === params.group_id)
    if (!group) throw groupNotFound()
    const below = { groupIds: idsBelow(states, group.id), devices: group.subtree.devices }
    const counted = await countTypes(db, organizationId, below)
    const subgroups = states.filter(({ parent_id }) => parent_id === group.id)
    const types = counted.map((type) => ({
      id: type.type_id,
      name: typeName(type),
      devices: type.devices,
    }))
    return { data: { ...group, path: pathTo(group, states), subgroups, types } }
  },
})

function pathTo(group: GroupState, states: readonly GroupState[]): { id: number; name: string }[] {
  const byId = new Map(states.map((state) => [state.id, state]))
  const path: { id: number; name: string }[] = []
  let parentId = group.parent_id
  while (parentId !== null) {
    const parent = byId.get(parentId)
    if (!parent) break
    path.unshift({ id: parent.id, name: parent.name })
    parentId = parent.parent_id
  }
  return path
}
