import { Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useApi } from '../../api/hooks.ts'
import { DateTimeField } from '../../ui/date-time-field.tsx'
import { ExportMenu } from '../../ui/export-menu.tsx'
import { FilterBar, useFilterChange } from '../../ui/list/filter-bar.tsx'
import { type Column, List } from '../../ui/list/list.tsx'
import { EmptyState } from '../../ui/notices.tsx'
import { countOf } from '../../ui/numbers.ts'
import { Page } from '../../ui/page.tsx'
import { State } from '../../ui/state.tsx'
import { Clock } from '../../ui/time.tsx'
import { type Activity, countWords, fieldWords, kindNames, refusalWords } from './activity-words.ts'
import { ChainState } from './chain-state.tsx'
import { Subject } from './subject.tsx'

const route = getRouteApi('/shell/activity')
const perPage = 50
const exportedFiles = [
  {
    operation: 'GET /fleet/activity/lines',
    fileName: 'activity.ndjson',
    label: 'JSON lines, to verify',
  },
  {
    operation: 'GET /fleet/activity/export',
    fileName: 'activity.csv',
    label: 'CSV, for spreadsheets',
  },
]

/** Milliseconds: what colleagues change appears by itself. */
const interval = 10_000

export function ActivityPage() {
  const { about: wanted, user, subject, outcome: asked, since, until, after } = route.useSearch()
  const filter = useFilterChange()
  const kind = isKind(wanted) ? wanted : undefined
  const outcome = asked === 'done' || asked === 'refused' ? asked : undefined
  const answer = useApi(
    'GET /fleet/activity',
    { query: { kind, user, subject, outcome, since, until, after, limit: perPage } },
    { keepsPrevious: true, refetchInterval: after === undefined ? interval : false },
  )
  const isFiltered = [kind, user, subject, outcome, since, until].some((each) => each !== undefined)
  return (
    <Page
      title="Activity"
      guide="audit.html"
      actions={<ExportMenu title="All records, with their hashes" files={exportedFiles} />}
      description={
        <span role="status">
          {answer.data ? `${countOf(answer.data.total, 'record')}, kept for a year` : 'Loading'}
        </span>
      }
    >
      <ChainState />
      <FilterBar filters={useActivityFilters()}>
        <DateTimeField label="From" value={since} onChange={(time) => filter({ since: time })} />
        <DateTimeField label="To" value={until} onChange={(time) => filter({ until: time })} />
      </FilterBar>
      <List
        caption="What members have changed and what was refused, newest first"
        answer={answer}
        columns={columns}
        keyOf={({ id }) => id}
        empty={<Empty isFiltered={isFiltered} />}
      />
    </Page>
  )
}

function isKind(text: string | undefined): text is Activity['kind'] {
  return text !== undefined && Object.hasOwn(kindNames, text)
}

const columns: readonly Column<Activity>[] = [
  { title: 'When', isOneLine: true, phone: 'side', cell: ({ at }) => <Clock value={at} /> },
  {
    title: 'Who',
    cell: ({ user, key }) =>
      key ? (
        <span title={`Made by ${user.name || user.email}`}>Key {key.name}</span>
      ) : (
        <span title={user.email}>{user.name || user.email}</span>
      ),
  },
  {
    title: 'Action',
    phone: 'title',
    cell: (row) =>
      row.kind === 'request' ? (
        <>
          <State kind="warn">Refused</State>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {refusalWords(row)}
          </Text>
        </>
      ) : (
        `${kindNames[row.kind]} ${row.action}`
      ),
  },
  { title: 'Subject', cell: (row) => <Subject activity={row} /> },
  { title: 'From', isExtra: true, isOneLine: true, cell: ({ address }) => address ?? '–' },
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

function Empty({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <EmptyState title="No matching activity">Try other filters.</EmptyState>
  return (
    <EmptyState title="No activity yet">
      What members and API keys change appears here, with who did it and what was refused.
    </EmptyState>
  )
}

function useActivityFilters() {
  const members = useApi('GET /organization/users', { query: { itemsPerPage: 1000 } })
  return [
    {
      name: 'about',
      label: 'Kind',
      choices: Object.entries(kindNames).map(([value, label]) => ({ value, label })),
    },
    {
      name: 'user',
      label: 'Member',
      choices: (members.data?.data ?? []).map(({ id, first_name, last_name, email }) => ({
        value: String(id),
        label: `${first_name} ${last_name}`.trim() || email,
      })),
    },
    {
      name: 'outcome',
      label: 'Outcome',
      choices: [
        { value: 'done', label: 'Done' },
        { value: 'refused', label: 'Refused' },
      ],
    },
    { name: 'subject', label: 'Only', isLinked: true },
  ]
}
