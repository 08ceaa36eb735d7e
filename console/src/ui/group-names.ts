interface Group {
  id: number
  name: string
  parent_id: number | null
}

/** The name of each group with the way to it, by id: "Building A / Floor 2". */
export function groupNames(groups: readonly Group[]): Map<number, string> {
  const byId = new Map(groups.map((group) => [group.id, group]))
  const names = new Map<number, string>()
  const nameOf = (group: Group): string => {
    const known = names.get(group.id)
    if (known !== undefined) return known
    const parent = group.parent_id === null ? undefined : byId.get(group.parent_id)
    const name = parent ? `${nameOf(parent)} / ${group.name}` : group.name
    names.set(group.id, name)
    return name
  }
  for (const group of groups) nameOf(group)
  return names
}
