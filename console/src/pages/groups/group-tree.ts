import type { Answer } from '../../api/client.ts'
import { compareNames } from '../../ui/names.ts'

export type GroupState = Answer<'GET /fleet/groups'>['data'][number]
export type Counts = GroupState['own']

export interface GroupNode extends GroupState {
  children: GroupNode[]
}

function compare(one: GroupState, other: GroupState): number {
  return compareNames(one.name, other.name) || one.id - other.id
}

/** The groups as trees, siblings by name. A group whose parent is missing stands at the top. */
export function toTrees(groups: readonly GroupState[]): GroupNode[] {
  const nodes = new Map(
    groups.map((group): [number, GroupNode] => [group.id, { ...group, children: [] }]),
  )
  const top: GroupNode[] = []
  for (const node of nodes.values()) {
    const parent = node.parent_id === null ? undefined : nodes.get(node.parent_id)
    const siblings = parent ? parent.children : top
    siblings.push(node)
  }
  for (const { children } of nodes.values()) children.sort(compare)
  return top.sort(compare)
}

/** Keeps the groups whose names contain the text, with the groups above them. */
export function filterTrees(trees: readonly GroupNode[], text: string): GroupNode[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return [...trees]
  return trees.flatMap((node) => {
    const children = filterTrees(node.children, wanted)
    const fits = node.name.toLowerCase().includes(wanted)
    return fits || children.length > 0 ? [{ ...node, children }] : []
  })
}

/** The ids of all groups that have subgroups. */
export function parentIds(trees: readonly GroupNode[]): number[] {
  return trees.flatMap(({ id, children }) =>
    children.length === 0 ? [] : [id, ...parentIds(children)],
  )
}

/** The names of the groups above, the top one first. */
export function pathOf(groups: readonly GroupState[], id: number): GroupState[] {
  const byId = new Map(groups.map((group) => [group.id, group]))
  const path: GroupState[] = []
  let next = byId.get(id)?.parent_id ?? null
  // Answers cannot hold a cycle, but a page must not hang on one.
  while (next !== null && path.length <= groups.length) {
    const group = byId.get(next)
    if (!group) break
    path.unshift(group)
    next = group.parent_id
  }
  return path
}

/** The group and all groups below it. */
export function branchOf(groups: readonly GroupState[], id: number): Set<number> {
  const below = Map.groupBy(groups, ({ parent_id }) => parent_id)
  const branch = new Set([id])
  for (const member of branch) for (const child of below.get(member) ?? []) branch.add(child.id)
  return branch
}

/** The groups as they will be after a move; its devices count in the groups above its new place. */
export function moved(
  groups: readonly GroupState[],
  id: number,
  parentId: number | null,
): GroupState[] {
  const group = groups.find((one) => one.id === id)
  if (!group) return [...groups]
  const before = new Set(pathOf(groups, id).map((one) => one.id))
  const there = groups.map((one) => (one.id === id ? { ...one, parent_id: parentId } : one))
  const after = new Set(pathOf(there, id).map((one) => one.id))
  return there.map((one) => {
    const sign = (after.has(one.id) ? 1 : 0) - (before.has(one.id) ? 1 : 0)
    return sign === 0 ? one : { ...one, subtree: plus(one.subtree, group.subtree, sign) }
  })
}

/** A device in several groups makes this too high; the next answer has the exact numbers. */
function plus(one: Counts, other: Counts, sign: number): Counts {
  const sum = { ...one }
  for (const key of Object.keys(sum) as (keyof Counts)[]) {
    sum[key] = Math.max(0, sum[key] + sign * other[key])
  }
  return sum
}
