import { useMemo } from 'react'
import { useApi } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { useIsLimited } from '../../session/session.ts'
import { groupNames } from '../group-names.ts'
import { compareNames } from '../names.ts'

const hour = 60 * 60 * 1000

/** The filters by group, network and type, with all that they can be. */
export function useFleetFilters() {
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
      group: {
        name: 'group',
        label: t('Group, with those below'),
        choices: [...groupNames(groups?.data ?? [])]
          .map(([id, label]) => ({ value: String(id), label }))
          .sort((one, other) => compareNames(one.label, other.label)),
      },
      network: {
        name: 'network',
        label: t('Network'),
        choices: (networks?.data ?? []).map(({ key, name }) => ({ value: key, label: name })),
      },
      type: {
        name: 'type',
        label: 'Type',
        choices: (types?.data ?? []).map(({ id, full_name }) => ({
          value: String(id),
          label: full_name,
        })),
      },
    }),
    [groups, networks, types],
  )
}
