import * as groupQueries from '../groups/group-queries.ts'
import { archivedGroup } from './archive-format.ts'
import { readRecords } from './read-archive.ts'
import type { Ids, Restored, Restoring } from './restoring.ts'

const pageSize = 1000

interface ArchivedGroup {
  id: number
  parent_id: number | null
  name: string
}

/** Makes the groups that are missing. One of the same name below the same group is the same. */
export async function restoreGroups(
  restoring: Restoring,
): Promise<{ ids: Ids; restored: Restored }> {
  const { db, organizationId, userId, now, isDryRun } = restoring
  const groups: ArchivedGroup[] = []
  for await (const page of readRecords(restoring, 'groups', archivedGroup, pageSize)) {
    groups.push(...page)
  }
  const ids: Ids = new Map()
  const restored = { added: 0, known: 0 }
  await db.transaction(async (tx) => {
    await groupQueries.lockTrees(tx, organizationId)
    const stored = await groupQueries.list(tx, organizationId)
    const known = new Map(
      stored.map(({ id, parent_id, name }) => [placeOf(parent_id, name), id] as const).reverse(),
    )
    // Parents first: a group may have an older id than the one above it.
    for (const group of inOrder(groups)) {
      const parentId = group.parent_id === null ? null : (ids.get(group.parent_id) ?? null)
      const found = known.get(placeOf(parentId, group.name))
      restored[found === undefined ? 'added' : 'known'] += 1
      if (found !== undefined) ids.set(group.id, found)
      else if (isDryRun) ids.set(group.id, -group.id)
      else {
        const { name } = group
        const made = await groupQueries.insert(tx, organizationId, { name, parentId, userId, now })
        ids.set(group.id, made.id)
      }
    }
  })
  return { ids, restored }
}

function placeOf(parentId: number | null, name: string): string {
  return `${parentId ?? ''}/${name}`
}

function inOrder(groups: readonly ArchivedGroup[]): ArchivedGroup[] {
  const below = Map.groupBy(groups, ({ parent_id }) => parent_id)
  const ordered = [...(below.get(null) ?? [])]
  for (const { id } of ordered) ordered.push(...(below.get(id) ?? []))
  return ordered
}
