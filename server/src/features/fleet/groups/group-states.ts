import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import { withExamples } from '../../../http/examples.ts'
import { verdictCountFields } from '../inventory/verdict.ts'
import * as groupQueries from './group-queries.ts'
import {
  type CountedGroups,
  countByGroups,
  countInGroups,
  type DeviceCounts,
} from './group-state-queries.ts'

/** Groups without their devices, with the state of these in numbers. */

const deviceCounts = z
  .object(
    withExamples(
      {
        devices: z.int(),
        ...verdictCountFields,
        low_battery: z.int(),
        tamper: z.int(),
        register_error: z.int().meta({ description: 'Refused by their network.' }),
      },
      {
        ...{ devices: 40, ok: 36, new: 1, silent: 2, attention: 1, inactive: 0, heard: 37 },
        ...{ low_battery: 1, tamper: 0, register_error: 0 },
      },
    ),
  )
  .meta({ id: 'DeviceCounts' })

export const groupState = z
  .object({
    ...withExamples(
      {
        id: z.int(),
        name: z.string(),
        parent_id: z.int().nullable(),
        address: z.string().nullable(),
      },
      { id: 12, name: 'Ground floor', parent_id: null, address: '1 Harbour Road' },
    ),
    own: deviceCounts.meta({ description: 'Of the devices in the group itself.' }),
    subtree: deviceCounts.meta({
      description: 'With the devices in its subgroups, each counted once.',
    }),
  })
  .meta({ id: 'GroupState' })

export type GroupState = z.infer<typeof groupState>

/** Reads all groups of the organization with their counts, in order of ids. */
export async function readGroupStates(
  db: Queryable,
  organizationId: number,
  now: Date,
): Promise<GroupState[]> {
  const [groups, counted] = await Promise.all([
    groupQueries.list(db, organizationId),
    countByGroups(db, organizationId, now),
  ])
  return rollUp(groups, counted)
}

/**
 * The same for a group and the groups above and below it; nothing if there is no such group. Counts
 * only the devices of the branch, so only the group and what is below it have whole counts.
 */
export async function readBranchStates(
  db: Queryable,
  organizationId: number,
  groupId: number,
  now: Date,
): Promise<GroupState[]> {
  const groups = await groupQueries.listBranch(db, organizationId, groupId)
  const branch = idsBelow(groups, groupId)
  const counted = await countInGroups(db, organizationId, now, branch)
  return rollUp(groups, counted)
}

/** The same for a group and the groups below it, as if there were none above. */
export async function readStatesBelow(
  db: Queryable,
  organizationId: number,
  groupId: number,
  now: Date,
): Promise<GroupState[]> {
  const states = await readBranchStates(db, organizationId, groupId, now)
  return cutAbove(states, groupId)
}

/** Leaves out what is above a group, so that the group has no parent. */
export function cutAbove(states: readonly GroupState[], groupId: number): GroupState[] {
  const below = new Set(idsBelow(states, groupId))
  return states
    .filter(({ id }) => below.has(id))
    .map((state) => (state.id === groupId ? { ...state, parent_id: null } : state))
}

/** The ids of a group and of all groups below it. */
export function idsBelow(groups: readonly Node[], groupId: number): number[] {
  const children = Map.groupBy(groups, ({ parent_id }) => parent_id)
  const ids = groups.some(({ id }) => id === groupId) ? [groupId] : []
  // Goes on into what it adds.
  for (const id of ids) for (const child of children.get(id) ?? []) ids.push(child.id)
  return ids
}

type Node = Pick<groupQueries.StoredGroup, 'id' | 'parent_id' | 'name' | 'address'>

function rollUp(groups: readonly Node[], counted: readonly CountedGroups[]): GroupState[] {
  const states = new Map(
    groups.map(({ id, name, parent_id, address }): [number, GroupState] => [
      id,
      { id, name, parent_id, address, own: noDevices(), subtree: noDevices() },
    ]),
  )
  for (const row of counted) {
    for (const id of row.groups) add(states.get(id)?.own, row)
    for (const state of withAncestors(states, row.groups)) add(state.subtree, row)
  }
  return [...states.values()]
}

/** Returns the groups and all groups above them, each once. */
function withAncestors(
  states: ReadonlyMap<number, GroupState>,
  ids: readonly number[],
): Set<GroupState> {
  const found = new Set<GroupState>()
  for (const id of ids) {
    let state = states.get(id)
    // A parent that is there already has brought its own ancestors.
    while (state && !found.has(state)) {
      found.add(state)
      state = state.parent_id === null ? undefined : states.get(state.parent_id)
    }
  }
  return found
}

function noDevices(): DeviceCounts {
  return Object.fromEntries(counted.map((key) => [key, 0])) as unknown as DeviceCounts
}

function add(sum: DeviceCounts | undefined, row: DeviceCounts): void {
  if (sum) for (const key of counted) sum[key] += row[key]
}

const counted = Object.keys(deviceCounts.shape) as (keyof DeviceCounts)[]
