import { useApi } from '../api/hooks.ts'

/** The members of the organization as choices of a field. */
export function useMemberChoices() {
  const members = useApi('GET /organization/users', { query: { itemsPerPage: 1000 } })
  return (members.data?.data ?? []).map(({ id, first_name, last_name, email }) => ({
    value: String(id),
    label: `${first_name} ${last_name}`.trim() || email,
  }))
}
