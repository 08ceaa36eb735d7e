import { Button, Group, Select, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useApi } from '../../api/hooks.ts'
import { EmptyState, ErrorNotice } from '../../ui/notices.tsx'
import { countOf } from '../../ui/numbers.ts'
import { LoadingLines, Page } from '../../ui/page.tsx'
import { type Column, PlainTable } from '../../ui/plain-table.tsx'
import { Time } from '../../ui/time.tsx'
import { type Activity, countWords, fieldWords, kindNames } from './activity-words.ts'
import { Subject } from './subject.tsx'

const route = getRouteApi('/shell/activity')
const perPage = 50

/** Milliseconds: what colleagues change appears by itself. */
const interval = 10_000

export function ActivityPage() {
  const { about: wanted, user, subject, after } = route.useSearch()
  const kind = isKind(wanted) ? wanted : undefined
  const { data, error, isPending, refetch } = useApi(
    'GET /fleet/activity',
    { query: { kind, user, subject, after, limit: perPage } },
    { keepsPrevious: true, refetchInterval: after === undefined ? interval : false },
  )
  const isFiltered = kind !== undefined || user !== undefined || subject !== undefined
  return (
    <Page
      title="Activity"
      description={
        <span role="status">
          {data ? `${countOf(data.total, 'change')} by members, kept for a year` : 'Loading'}
        </span>
      }
    >
      <Filters kind={kind} user={user} subject={subject} />
      {error && <ErrorNotice error={error} retry={() => void refetch()} />}
      {isPending && <LoadingLines count={10} />}
      {data?.total === 0 && <Empty isFiltered={isFiltered} />}
      {data && data.data.length > 0 && (
        <PlainTable
          caption="What members have changed, newest first"
          columns={columns}
          rows={data.data}
          keyOf={({ id }) => id}
        />
      )}
      {data && <Pages after={after} next={data.after} />}
    </Page>
  )
}

function isKind(text: string | undefined): text is Activity['kind'] {
  return text !== undefined && Object.hasOwn(kindNames, text)
}

const columns: readonly Column<Activity>[] = [
  { title: 'When', cell: ({ at }) => <Time value={at} /> },
  {
    title: 'Who',
    cell: ({ user, key }) =>
      key ? (
        <span title={`Made by ${user.name || user.email}`}>Key {key.name}</span>
      ) : (
        <span title={user.email}>{user.name || user.email}</span>
      ),
  },
  { title: 'What', cell: (row) => `${kindNames[row.kind]} ${row.action}` },
  { title: 'Which', cell: (row) => <Subject activity={row} /> },
  {
    title: 'Details',
    isExtra: true,
    cell: (row) => (
      <Text size="sm" c="dimmed">
        {[countWords(row), fieldWords(row)].filter(Boolean).join(' · ') || '–'}
      </Text>
    ),
  },
]

interface FiltersProps {
  kind: Activity['kind'] | undefined
  user: number | undefined
  subject: string | undefined
}

function Filters({ kind, user, subject }: FiltersProps) {
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
      {subject !== undefined && (
        <Button variant="default" onClick={() => change({ subject: undefined })}>
          Only {subject}: show all
        </Button>
      )}
    </Group>
  )
}

function Empty({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <EmptyState title="No change matches">Choose other filters.</EmptyState>
  return (
    <EmptyState title="Nothing was changed yet">
      What members register, change and delete appears here, with who did it.
    </EmptyState>
  )
}

function Pages({ after, next }: { after: number | undefined; next: string | null }) {
  const navigate = route.useNavigate()
  return (
    <Group>
      {after !== undefined && (
        <Button
          variant="default"
          onClick={() => void navigate({ search: (now) => ({ ...now, after: undefined }) })}
        >
          Newest
        </Button>
      )}
      {next !== null && (
        <Button
          variant="default"
          onClick={() => void navigate({ search: (now) => ({ ...now, after: Number(next) }) })}
        >
          Older
        </Button>
      )}
    </Group>
  )
}
