import { Button, Group, Select } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useApi } from '../../api/hooks.ts'
import { type Activity, kindNames } from './activity-words.ts'

const route = getRouteApi('/shell/activity')

interface FiltersProps {
  kind: Activity['kind'] | undefined
  user: number | undefined
  subject: string | undefined
  outcome: 'done' | 'refused' | undefined
}

/** Which records the list shows. */
export function Filters({ kind, user, subject, outcome }: FiltersProps) {
  const navigate = route.useNavigate()
  const members = useApi('GET /organization/users', { query: { itemsPerPage: 1000 } })
  const people = (members.data?.data ?? []).map(({ id, first_name, last_name, email }) => ({
    value: String(id),
    label: `${first_name} ${last_name}`.trim() || email,
  }))
  const change = (changes: Record<string, string | number | undefined>) =>
    void navigate({ search: (now) => ({ ...now, after: undefined, ...changes }) })
  return (
    <Group gap="xs" align="flex-end">
      <Select
        label="Kind"
        clearable
        clearButtonProps={{ 'aria-label': 'All kinds' }}
        placeholder="All kinds"
        data={Object.entries(kindNames).map(([value, label]) => ({ value, label }))}
        value={kind ?? null}
        onChange={(value) => change({ about: value ?? undefined })}
      />
      <Select
        label="Member"
        clearable
        searchable
        clearButtonProps={{ 'aria-label': 'All members' }}
        placeholder="All members"
        data={people}
        value={user === undefined ? null : String(user)}
        onChange={(value) => change({ user: value === null ? undefined : Number(value) })}
      />
      <Select
        label="Outcome"
        clearable
        clearButtonProps={{ 'aria-label': 'All outcomes' }}
        placeholder="All outcomes"
        data={[
          { value: 'done', label: 'Done' },
          { value: 'refused', label: 'Refused' },
        ]}
        value={outcome ?? null}
        onChange={(value) => change({ outcome: value ?? undefined })}
      />
      {subject !== undefined && (
        <Button variant="default" onClick={() => change({ subject: undefined })}>
          Only {subject}: show all
        </Button>
      )}
    </Group>
  )
}
