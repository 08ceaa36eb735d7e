import type { Queryable } from '../../db/connect.ts'
import * as groupQueries from '../groups/group-queries.ts'

/** Groups that rows name by their path, such as `Building A / Floor 2`. */

/** Levels of a path. Groups themselves may be nested deeper. */
const mostLevels = 20
const longestName = 255

export interface GroupTree {
  /** Ids of groups by `keyOf`. Of two with the same name and parent, the older one. */
  byName: Map<string, number>
  ids: Set<number>
}

export function readPath(path: string): string[] {
  return path
    .split('/')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** Reads all groups of the organization, whose trees are locked. */
export async function readTree(tx: Queryable, organizationId: number): Promise<GroupTree> {
  const groups = await groupQueries.list(tx, organizationId)
  const tree: GroupTree = { byName: new Map(), ids: new Set(groups.map(({ id }) => id)) }
  for (const { id, parent_id, name } of groups) {
    const key = keyOf(parent_id, name)
    if (!tree.byName.has(key)) tree.byName.set(key, id)
  }
  return tree
}

function keyOf(parentId: number | null, name: string): string {
  return `${parentId ?? ''}/${name.trim().toLowerCase()}`
}

/** The group of a path; undefined when there is none. */
export function findGroup({ byName }: GroupTree, names: readonly string[]): number | undefined {
  let parent: number | null = null
  for (const name of names) {
    const id = byName.get(keyOf(parent, name))
    if (id === undefined) return undefined
    parent = id
  }
  return parent ?? undefined
}

/** Returns what keeps the groups of a path from being made. */
export function findPathFault(names: readonly string[]): string | undefined {
  if (names.length > mostLevels) {
    return `The group path may not have more than ${mostLevels} levels.`
  }
  return names.some((name) => name.length > longestName)
    ? `A group name may not be greater than ${longestName} characters.`
    : undefined
}

/** Makes the groups of a path that are missing, and returns the last one. */
export async function makeGroups(
  tx: Queryable,
  tree: GroupTree,
  names: readonly string[],
  origin: { organizationId: number; userId: number; now: Date },
): Promise<number | undefined> {
  let parentId: number | null = null
  for (const name of names) {
    const key = keyOf(parentId, name)
    const known = tree.byName.get(key)
    const { organizationId, ...maker } = origin
    const id: number =
      known ?? (await groupQueries.insert(tx, organizationId, { name, parentId, ...maker })).id
    tree.byName.set(key, id)
    tree.ids.add(id)
    parentId = id
  }
  return parentId ?? undefined
}
