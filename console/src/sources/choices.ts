import { useApi } from '../api/hooks.ts'
import { groupNames } from '../ui/group-names.ts'

/** The groups as choices of a field, by the way that leads to each. */
export function useGroupChoices() {
  const groups = useApi('GET /fleet/groups', {})
  const names = [...groupNames(groups.data?.data ?? [])]
  return names.map(([id, label]) => ({ value: String(id), label }))
}

/** The device types as choices of a field. */
export function useTypeChoices() {
  const types = useApi('GET /get-device-types', { query: { itemsPerPage: 1000 } })
  return (types.data?.data ?? []).map(({ id, full_name }) => ({
    value: String(id),
    label: full_name,
  }))
}
