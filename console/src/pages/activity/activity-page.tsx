import { Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useApi } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { DateTimeField } from '../../ui/date-time-field.tsx'
import { ExportMenu } from '../../ui/export-menu.tsx'
import { FilterBar, useFilterChange } from '../../ui/list/filter-bar.tsx'
import { type Column, List } from '../../ui/list/list.tsx'
import { EmptyState } from '../../ui/notices.tsx'
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
    label: t('JSON lines, to verify'),
  },
  {
    operation: 'GET /fleet/activity/export',
    fileName: 'activity.csv',
    label: t('CSV, for spreadsheets'),
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
      title={t('Activity')}
      guide="audit.html"
      actions={<ExportMenu title={t('All records, with their hashes')} files={exportedFiles} />}
      description={
        <span role="status">
          {answer.data
            ? t('{total, plural, one {# record} other {# records}}, kept for a year', {
                total: answer.data.total,
              })
            : t('Loading')}
        </span>
      }
    >
      <ChainState />
      <FilterBar filters={useActivityFilters()}>
        <DateTimeField
          label={t('From')}
          value={since}
          onChange={(time) => filter({ since: time })}
        />
        <DateTimeField label={t('To')} value={until} onChange={(time) => filter({ until: time })} />
      </FilterBar>
      <List
        caption={t('What members have changed and what was refused, newest first')}
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
  { title: t('When'), isOneLine: true, phone: 'side', cell: ({ at }) => <Clock value={at} /> },
  {
    title: t('Who'),
    cell: ({ user, key }) =>
      key ? (
        <span title={t('Made by {name}', { name: user.name || user.email })}>
          {t('Key {name}', { name: key.name })}
        </span>
      ) : (
        <span title={user.email}>{user.name || user.email}</span>
      ),
  },
  {
    title: t('Action'),
    phone: 'title',
    cell: (row) =>
      row.kind === 'request' ? (
        <>
          <State kind="warn">{t('Refused')}</State>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {refusalWords(row)}
          </Text>
        </>
      ) : (
        `${kindNames[row.kind]} ${row.action}`
      ),
  },
  { title: t('Subject'), cell: (row) => <Subject activity={row} /> },
  { title: t('From'), isExtra: true, isOneLine: true, cell: ({ address }) => address ?? '–' },
  {
    title: t('Details'),
    isExtra: true,
    cell: (row) => (
      <Text size="sm" c="dimmed">
        {[countWords(row), fieldWords(row)].filter(Boolean).join(' · ') || '–'}
      </Text>
    ),
  },
]

function Empty({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return <EmptyState title={t('No matching activity')}>{t('Try other filters.')}</EmptyState>
  return (
    <EmptyState title={t('No activity yet')}>
      {t('What members and API keys change appears here, with who did it and what was refused.')}
    </EmptyState>
  )
}

function useActivityFilters() {
  const members = useApi('GET /organization/users', { query: { itemsPerPage: 1000 } })
  return [
    {
      name: 'about',
      label: t('Kind'),
      choices: Object.entries(kindNames).map(([value, label]) => ({ value, label })),
    },
    {
      name: 'user',
      label: t('Member'),
      choices: (members.data?.data ?? []).map(({ id, first_name, last_name, email }) => ({
        value: String(id),
        label: `${first_name} ${last_name}`.trim() || email,
      })),
    },
    {
      name: 'outcome',
      label: t('Outcome'),
      choices: [
        { value: 'done', label: t('Done') },
        { value: 'refused', label: t('Refused') },
      ],
    },
    { name: 'subject', label: t('Only'), isLinked: true },
  ]
}
