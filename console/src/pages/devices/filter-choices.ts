import { useMemo } from 'react'
import { useApi } from '../../api/hooks.ts'
import { useIsLimited } from '../../session/session.ts'
import { groupNames } from '../../ui/group-names.ts'
import { compareNames } from '../../ui/names.ts'

export interface Choice {
  value: string
  label: string
}

const hour = 60 * 60 * 1000

/** What the filters can be: the groups with the way to each, the networks, and the types. */
export function useFilterChoices() {
  const isLimited = useIsLimited()
  const groups = useApi('GET /fleet/groups', {}, { staleTime: 30_000 })
  const networks = useApi('GET /fleet/networks', {}, { enabled: !isLimited, staleTime: hour })
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

/** Groups of the same name differ by the path to them. */
function groupChoices(groups: Parameters<typeof groupNames>[0]): Choice[] {
  return [...groupNames(groups)]
    .map(([id, label]) => ({ value: String(id), label }))
    .sort((one, other) => compareNames(one.label, other.label))
}
