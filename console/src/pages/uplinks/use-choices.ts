import { useMemo } from 'react'
import { useApi } from '../../api/hooks.ts'
import { useIsLimited } from '../../session/session.ts'
import { groupNames } from '../../ui/group-names.ts'
import { compareNames } from '../../ui/names.ts'

export interface Choice {
  value: string
  label: string
}

const hour = 3_600_000

/** What uplinks can be filtered by. The device pages ask the same, so the answers are there. */
export function useChoices() {
  const isLimited = useIsLimited()
  const groups = useApi('GET /fleet/groups', {}, { staleTime: 30_000 }).data
  const networks = useApi('GET /fleet/networks', {}, { enabled: !isLimited, staleTime: hour }).data
  const types = useApi(
    'GET /get-device-types',
    { query: { itemsPerPage: 1000 } },
    { staleTime: hour },
  ).data
  return useMemo(
    () => ({
      groups: [...groupNames(groups?.data ?? [])]
        .map(([id, label]) => ({ value: String(id), label }))
        .sort((one, other) => compareNames(one.label, other.label)),
      networks: (networks?.data ?? []).map(({ key, name }) => ({ value: key, label: name })),
      types: (types?.data ?? []).map(({ id, full_name }) => ({
        value: String(id),
        label: full_name,
      })),
    }),
    [groups, networks, types],
  )
}
