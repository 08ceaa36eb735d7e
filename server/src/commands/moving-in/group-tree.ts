import type { ServiceApi } from '../service-api.ts'
import { type KnownGroup, readGroups } from './known-fleet.ts'

/** The groups of the organization, found by their path. */
export interface GroupTree {
  find(path: readonly string[]): number | undefined
  /** Finds the group, and makes it where it is missing, with those above it. */
  make(path: readonly string[]): Promise<number>
}

export async function openGroupTree(service: ServiceApi): Promise<GroupTree> {
  const byPlace = new Map<string, number>()
  const add = ({ id, name, parentId }: KnownGroup) => {
    const place = placeOf(parentId, name)
    // Of two with one name, the older one, as in jobs.
    if (!byPlace.has(place)) byPlace.set(place, id)
  }
  for (const group of await readGroups(service)) add(group)
  const walk = (path: readonly string[]) => {
    let id: number | null = null
    for (const [depth, name] of path.entries()) {
      const next: number | undefined = byPlace.get(placeOf(id, name))
      if (next === undefined) return { id, missing: path.slice(depth) }
      id = next
    }
    return { id, missing: [] }
  }
  return {
    find(path) {
      const { id, missing } = walk(path)
      return missing.length === 0 ? (id ?? undefined) : undefined
    },
    async make(path) {
      let { id, missing } = walk(path)
      for (const name of missing) {
        const body = { groupName: name, ...(id !== null && { selectedGroup: id }) }
        const { data } = await service.call('POST', '/device-groups', { body })
        add({ id: data.id, name, parentId: id })
        id = data.id as number
      }
      if (id === null) throw new Error('A path of groups has no name.')
      return id
    },
  }
}

function placeOf(parentId: number | null, name: string): string {
  return `${parentId ?? ''}/${name.trim().toLowerCase()}`
}
