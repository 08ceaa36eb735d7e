import { useMemo } from 'react'
import { useApi } from '../../api/hooks.ts'

export interface Choice {
  value: string
  label: string
}

const hour = 60 * 60 * 1000

/** What the filters can be: the groups with the way to each, the networks, and the types. */
export function useFilterChoices() {
  const groups = useApi('GET /fleet/groups', {}, { staleTime: 30_000 })
  const networks = useApi('GET /fleet/networks', {}, { staleTime: hour })
  const types = useApi(
    'GET /get-device-types',
    { query: { itemsPerPage: 1000 } },
    { staleTime: hour },
  )
  return {
    groups: useMemo(() => groupChoices(groups.data?.data ?? []), [groups.data]),
    networks: useMemo(
      () => (networks.data?.data ?? []).map(({ key, name }) => ({ value: key, label: name })),
      [networks.data],
    ),
    types: useMemo(
      () =>
        (types.data?.data ?? []).map(({ id, full_name }) => ({
          value: String(id),
          label: full_name,
        })),
      [types.data],
    ),
  }
}

export type FilterChoices = ReturnType<typeof useFilterChoices>

interface Group {
  id: number
  name: string
  parent_id: number | null
}

/** "Building A / Floor 2": groups of one name are told apart by the way to them. */
export function groupChoices(groups: readonly Group[]): Choice[] {
  const byId = new Map(groups.map((group) => [group.id, group]))
  const labels = new Map<number, string>()
  const labelOf = (group: Group): string => {
    const known = labels.get(group.id)
    if (known !== undefined) return known
    const parent = group.parent_id === null ? undefined : byId.get(group.parent_id)
    const label = parent ? `${labelOf(parent)} / ${group.name}` : group.name
    labels.set(group.id, label)
    return label
  }
  return groups
    .map((group) => ({ value: String(group.id), label: labelOf(group) }))
    .sort((one, other) => one.label.localeCompare(other.label))
}
