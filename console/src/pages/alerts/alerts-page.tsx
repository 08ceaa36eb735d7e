import { Group, SegmentedControl, Text } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { AlertActions } from '../../alerts/alert-actions.tsx'
import { AlertDialog } from '../../alerts/alert-dialog.tsx'
import { AlertSubject } from '../../alerts/alert-subject.tsx'
import {
  type Alert,
  alertKindNames,
  alertState,
  factsOf,
  handlerOf,
  placeOf,
  severityNames,
} from '../../alerts/alert-words.ts'
import { useMemberChoices } from '../../alerts/member-choices.ts'
import { useApi } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { Link, LinkButton } from '../../ui/link.tsx'
import { FilterBar, useFilterChange } from '../../ui/list/filter-bar.tsx'
import { type Column, List } from '../../ui/list/list.tsx'
import { ListMenus } from '../../ui/list/list-menus.tsx'
import { useColumns } from '../../ui/list/use-columns.ts'
import { EmptyState } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { State } from '../../ui/state.tsx'
import { Clock } from '../../ui/time.tsx'

const route = getRouteApi('/shell/alerts')
const perPage = 50
/** Milliseconds: alerts come by the stream of events too. */
const interval = 30_000

/** The open alerts, and the past ones. */
export function AlertsPage() {
  const search = route.useSearch()
  const { show, about, severity: wanted, assignee, rule, alert, after } = search
  const navigate = useNavigate()
  const choice = useColumns('alert', alertColumns, usualColumns)
  const kind = isOf(alertKindNames, about) ? about : undefined
  const severity = isOf(severityNames, wanted) ? wanted : undefined
  const isHistory = show === 'history'
  const shown = isHistory
    ? ({ state: 'closed' } as const)
    : ({ state: 'open', snoozed: show === 'snoozed' ? 'yes' : 'no', sort: 'severity' } as const)
  const answer = useApi(
    'GET /alerts',
    { query: { ...shown, kind, severity, assignee, rule, after, limit: perPage } },
    { keepsPrevious: true, refetchInterval: after === undefined ? interval : false },
  )
  return (
    <Page
      title={t('Alerts')}
      guide="alerts.html"
      description={
        <span role="status">
          {answer.data
            ? t(
                '{open, plural, one {# open alert} other {# open alerts}}, {unacknowledged} not acknowledged, {snoozed} snoozed',
                {
                  open: answer.data.open,
                  unacknowledged: answer.data.unacknowledged,
                  snoozed: answer.data.snoozed,
                },
              )
            : t('Loading')}
        </span>
      }
      actions={
        <Group gap="xs">
          <LinkButton to="/alerts/channels" variant="default">
            {t('Channels')}
          </LinkButton>
          <LinkButton to="/alerts/rules" variant="default">
            {t('Rules')}
          </LinkButton>
        </Group>
      }
    >
      <Filters shown={show}>
        <ListMenus choice={choice} />
      </Filters>
      <List
        caption={isHistory ? t('Alerts, newest first') : t('Alerts, the worst first')}
        answer={answer}
        columns={choice.columns.filter(({ id }) => id !== 'until' || isHistory)}
        keyOf={({ id }) => id}
        empty={
          <Empty
            isHistory={isHistory}
            isFiltered={[kind, severity, assignee, rule].some((filter) => filter !== undefined)}
          />
        }
      />
      {alert !== undefined && (
        <AlertDialog
          id={alert}
          onClose={() =>
            void navigate({
              to: '/alerts',
              search: { ...search, alert: undefined },
              replace: true,
            })
          }
        />
      )}
    </Page>
  )
}

function isOf<K extends string>(names: Record<K, string>, text: string | undefined): text is K {
  return text !== undefined && Object.hasOwn(names, text)
}

const alertColumns: readonly (Column<Alert> & { id: string })[] = [
  { id: 'alert', title: t('Alert'), phone: 'title', cell: (alert) => <What alert={alert} /> },
  {
    id: 'since',
    title: t('Since'),
    phone: 'side',
    cell: ({ began_at }) => <Clock value={began_at} />,
  },
  {
    id: 'until',
    title: t('Until'),
    cell: ({ closed_at }) => (closed_at ? <Clock value={closed_at} /> : '–'),
  },
  { id: 'where', title: t('Where'), cell: (alert) => placeOf(alert) || '–', isExtra: true },
  { id: 'who', title: t('Who'), cell: (alert) => handlerOf(alert) || '–', isExtra: true },
  { id: 'note', title: t('Note'), cell: ({ note }) => note ?? '–', isExtra: true },
  { id: 'action', title: t('Action'), cell: (alert) => <AlertActions alert={alert} /> },
]
const usualColumns = alertColumns.map(({ id }) => id)

/** What is wrong with what, and by which rule: one column, since a phone has no room for four. */
function What({ alert }: { alert: Alert }) {
  const search = route.useSearch()
  const [kind, word] = alertState(alert)
  return (
    <>
      <Group gap="xs" style={{ rowGap: 0 }}>
        <State kind={kind}>{word}</State>
        <AlertSubject alert={alert} />
      </Group>
      <Text size="sm" component="div">
        {factsOf(alert)}
      </Text>
      <Link to="/alerts" search={{ ...search, alert: alert.id }} size="xs">
        {alert.rule_name}
      </Link>
    </>
  )
}

function Filters({ shown, children }: { shown: string | undefined; children: ReactNode }) {
  const members = useMemberChoices()
  const rules = useApi('GET /alert-rules', {}).data?.data ?? []
  const change = useFilterChange()
  return (
    <FilterBar
      filters={[
        {
          name: 'about',
          label: t('Kind'),
          choices: Object.entries(alertKindNames).map(([value, label]) => ({ value, label })),
        },
        {
          name: 'severity',
          label: t('Severity'),
          choices: Object.entries(severityNames).map(([value, label]) => ({ value, label })),
        },
        { name: 'assignee', label: t('Assigned to'), choices: members },
        {
          name: 'rule',
          label: t('Rule'),
          choices: rules.map(({ id, name }) => ({ value: String(id), label: name })),
        },
      ]}
    >
      <SegmentedControl
        aria-label={t('Alerts to show')}
        data={[
          { value: 'open', label: t('Open') },
          { value: 'snoozed', label: t('Snoozed') },
          { value: 'history', label: t('History') },
        ]}
        value={shown === 'history' || shown === 'snoozed' ? shown : 'open'}
        onChange={(value) => change({ show: value === 'open' ? undefined : value })}
      />
      {children}
    </FilterBar>
  )
}

function Empty({ isHistory, isFiltered }: { isHistory: boolean; isFiltered: boolean }) {
  const rules = useApi('GET /alert-rules', {})
  if (isFiltered)
    return <EmptyState title={t('No matching alerts')}>{t('Try other filters.')}</EmptyState>
  if (isHistory)
    return (
      <EmptyState title={t('No past alerts')}>
        {t('Alerts that have ended appear here.')}
      </EmptyState>
    )
  const seeRules = <LinkButton to="/alerts/rules">{t('View rules')}</LinkButton>
  if (rules.data?.data.length === 0) {
    return (
      <EmptyState title={t('No alert rules yet')} actions={seeRules}>
        {t('Rules decide what raises an alert: silence, a low battery, a value out of range.')}
      </EmptyState>
    )
  }
  return (
    <EmptyState title={t('No open alerts')} actions={seeRules}>
      {t('An alert appears here as soon as a rule finds something.')}
    </EmptyState>
  )
}
