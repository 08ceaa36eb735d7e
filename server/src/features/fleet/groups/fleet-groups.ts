import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import { changeOf } from '../../../http/change-record.ts'
import { bodyLimits } from '../../../http/endpoint.ts'
import { invalid } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { optionalLines, requiredInteger, requiredText } from '../../../http/fields.ts'
import { endpoint } from '../../core-services.ts'
import { typeName } from '../inventory/references.ts'
import { checkDevices, checkParent } from './group-body.ts'
import * as groupQueries from './group-queries.ts'
import { changeDevices } from './group-queries.ts'
import { groupNotFound, groupPath } from './group-record.ts'
import { countTypes } from './group-state-queries.ts'
import {
  cutAbove,
  type GroupState,
  groupState,
  idsBelow,
  readBranchStates,
  readGroupStates,
  readStatesBelow,
} from './group-states.ts'

const changes = z.object(
  withExamples(
    {
      name: requiredText('name').optional(),
      /** Null makes it a top-level group. */
      parent_id: requiredInteger('parent id').nullish(),
      address: optionalLines('address', 500).describe('Of a site; null for none.'),
    },
    { name: 'Ground floor', parent_id: 3 },
  ),
)

/**
 * PATCH /device-groups needs the name to move a group, which another member may have changed, and
 * answers with all devices of the group.
 */
export const changeGroup = endpoint({
  summary: 'Rename a group, move it with its subgroups, or set its address; what is left out stays',
  params: groupPath,
  body: changes,
  answer: z.object({
    data: z.object(
      withExamples(
        {
          id: z.int(),
          name: z.string(),
          parent_id: z.int().nullable(),
          address: z.string().nullable(),
        },
        { id: 12, name: 'Ground floor', parent_id: 3, address: null },
      ),
    ),
  }),
  failures: [404],
  change: changeOf('group', 'changed'),
  async handle({ params, body, caller, record }, { db, now }) {
    const { organizationId } = caller
    const change = { id: params.group_id, body, now: now() }
    const group = await db.transaction(async (tx) => {
      const changed = await changeNode(tx, organizationId, change)
      await record(tx)
      return changed
    })
    const { id, name, parent_id, address } = group
    return { data: { id, name, parent_id, address } }
  },
})

interface Change {
  id: number
  body: z.infer<typeof changes>
  now: Date
}

/** @throws HttpError 404 or 422; then nothing has changed. */
async function changeNode(
  tx: Queryable,
  organizationId: number,
  { id, body, now }: Change,
): Promise<groupQueries.StoredGroup> {
  const { name, parent_id: parentId } = body
  if (parentId !== undefined) await groupQueries.lockTrees(tx, organizationId)
  const group = await groupQueries.lock(tx, organizationId, id)
  if (!group) throw groupNotFound()
  if (typeof parentId === 'number') {
    const { selectedGroup: faults } = await checkParent(tx, organizationId, id, parentId)
    if (faults) throw invalid({ parent_id: faults })
  }
  const values = {
    id,
    name: name ?? group.name,
    parent_id: parentId === undefined ? group.parent_id : parentId,
    is_open: group.is_open,
    address: body.address,
  }
  return groupQueries.update(tx, organizationId, values, now)
}

function deviceIds(label: string) {
  return z
    .array(requiredInteger('device id'), { error: `The ${label} must be an array.` })
    .max(100_000, `The ${label} may not have more than 100,000 entries.`)
    .transform((ids) => [...new Set(ids)])
    .optional()
}

/** PATCH /device-groups sets the whole list, so two members who add at once would lose devices. */
export const changeGroupDevices = endpoint({
  summary: 'Add devices to a group, and take others out; all others stay',
  params: groupPath,
  bodyLimit: bodyLimits.batch,
  body: z.object(
    withExamples(
      { add: deviceIds('add'), remove: deviceIds('remove') },
      { add: [101], remove: [] },
    ),
  ),
  answer: z.object({
    data: z.object(withExamples({ added: z.int(), removed: z.int() }, { added: 1, removed: 0 })),
  }),
  failures: [404],
  change: changeOf('group', 'changed'),
  async handle({ params, body, caller, record }, { db, now }) {
    const { organizationId } = caller
    const { add = [], remove = [] } = body
    const data = await db.transaction(async (tx) => {
      const group = await groupQueries.lock(tx, organizationId, params.group_id)
      if (!group) throw groupNotFound()
      const { selectedDevices: faults } = await checkDevices(tx, organizationId, add)
      if (faults) throw invalid({ add: faults.map(nameAdd) })
      const change = { id: group.id, add, remove }
      await record(tx)
      return changeDevices(tx, organizationId, change, now())
    })
    return { data }
  },
})

function nameAdd(fault: string): string {
  return fault.replace('The selected devices', 'The devices to add')
}

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

export const listGroupStates = endpoint({
  summary: 'List all groups without their devices, with how these are',
  description:
    'In order of ids; `parent_id` makes the tree. A device in several groups is counted in each of' +
    ' them, and once in every group above them.',
  answer: z.object({ data: z.array(groupState), total: z.int().meta({ examples: [1] }) }),
  isLarge: true,
  async handle({ caller }, { db, now }) {
    const { organizationId, groupId } = caller
    const data =
      groupId === undefined
        ? await readGroupStates(db, organizationId, now())
        : await readStatesBelow(db, organizationId, groupId, now())
    return { data, total: data.length }
  },
})
