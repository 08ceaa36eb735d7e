import { Group, SegmentedControl, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { AcknowledgeDialog } from '../../alerts/acknowledge-dialog.tsx'
import { AlertSubject } from '../../alerts/alert-subject.tsx'
import {
  type Alert,
  type AlertKind,
  alertKindNames,
  alertState,
  factsOf,
} from '../../alerts/alert-words.ts'
import { useApi } from '../../api/hooks.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { LinkButton } from '../../ui/link.tsx'
import { FilterBar, useFilterChange } from '../../ui/list/filter-bar.tsx'
import { type Column, List } from '../../ui/list/list.tsx'
import { EmptyState } from '../../ui/notices.tsx'
import { countOf } from '../../ui/numbers.ts'
import { Page } from '../../ui/page.tsx'
import { State } from '../../ui/state.tsx'
import { Clock } from '../../ui/time.tsx'

const route = getRouteApi('/shell/alerts')
const perPage = 50
/** Milliseconds: alerts come by the stream of events too. */
const interval = 30_000

/** The open alerts, and the past ones. */
export function AlertsPage() {
  const { show, about: wanted, rule, after } = route.useSearch()
  const [chosen, setChosen] = useState<Alert>()
  const kind = isKind(wanted) ? wanted : undefined
  const state = show === 'history' ? ('closed' as const) : ('open' as const)
  const answer = useApi(
    'GET /alerts',
    { query: { state, kind, rule, after, limit: perPage } },
    { keepsPrevious: true, refetchInterval: after === undefined ? interval : false },
  )
  return (
    <Page
      title="Alerts"
      guide="alerts.html"
      description={
        <span role="status">
          {answer.data
            ? `${countOf(answer.data.open, 'open alert')}, ${answer.data.unacknowledged} not acknowledged`
            : 'Loading'}
        </span>
      }
      actions={
        <LinkButton to="/alerts/rules" variant="default">
          Rules
        </LinkButton>
      }
    >
      <Filters isHistory={state === 'closed'} />
      <List
        caption="Alerts, newest first"
        answer={answer}
        columns={columnsOf(state === 'closed', setChosen)}
        keyOf={({ id }) => id}
        empty={
          <Empty
            isHistory={state === 'closed'}
            isFiltered={kind !== undefined || rule !== undefined}
          />
        }
      />
      {chosen && <AcknowledgeDialog alert={chosen} onClose={() => setChosen(undefined)} />}
    </Page>
  )
}

function isKind(text: string | undefined): text is AlertKind {
  return text !== undefined && Object.hasOwn(alertKindNames, text)
}

function columnsOf(isHistory: boolean, choose: (alert: Alert) => void): readonly Column<Alert>[] {
  return [
    { title: 'Alert', phone: 'title', cell: (alert) => <What alert={alert} /> },
    { title: 'Since', phone: 'side', cell: ({ began_at }) => <Clock value={began_at} /> },
    ...(isHistory
      ? [
          {
            title: 'Until',
            cell: ({ closed_at }: Alert) => (closed_at ? <Clock value={closed_at} /> : '–'),
          },
        ]
      : []),
    { title: 'Note', cell: ({ note }) => note ?? '–', isExtra: true },
    {
      title: 'Action',
      cell: (alert) => (
        <ActionButton
          needs="manage_devices"
          size="compact-sm"
          variant="default"
          onClick={() => choose(alert)}
        >
          {alert.acknowledged_at === null ? 'Acknowledge' : 'Note'}
        </ActionButton>
      ),
    },
  ]
}

/** What is wrong with what, and by which rule: one column, since a phone has no room for four. */
function What({ alert }: { alert: Alert }) {
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
      <Text size="xs" c="dimmed" component="div">
        {alert.rule_name}
      </Text>
    </>
  )
}

function Filters({ isHistory }: { isHistory: boolean }) {
  const rules = useApi('GET /alert-rules', {}).data?.data ?? []
  const change = useFilterChange()
  return (
    <FilterBar
      filters={[
        {
          name: 'about',
          label: 'Kind',
          choices: Object.entries(alertKindNames).map(([value, label]) => ({ value, label })),
        },
        {
          name: 'rule',
          label: 'Rule',
          choices: rules.map(({ id, name }) => ({ value: String(id), label: name })),
        },
      ]}
    >
      <SegmentedControl
        aria-label="Alerts to show"
        data={[
          { value: 'open', label: 'Open' },
          { value: 'history', label: 'History' },
        ]}
        value={isHistory ? 'history' : 'open'}
        onChange={(value) => change({ show: value === 'history' ? 'history' : undefined })}
      />
    </FilterBar>
  )
}

function Empty({ isHistory, isFiltered }: { isHistory: boolean; isFiltered: boolean }) {
  const rules = useApi('GET /alert-rules', {})
  if (isFiltered) return <EmptyState title="No matching alerts">Try other filters.</EmptyState>
  if (isHistory)
    return <EmptyState title="No past alerts">Alerts that have ended appear here.</EmptyState>
  const seeRules = <LinkButton to="/alerts/rules">View rules</LinkButton>
  if (rules.data?.data.length === 0) {
    return (
      <EmptyState title="No alert rules yet" actions={seeRules}>
        Rules decide what raises an alert: silence, a low battery, a value out of range.
      </EmptyState>
    )
  }
  return (
    <EmptyState title="No open alerts" actions={seeRules}>
      An alert appears here as soon as a rule finds something.
    </EmptyState>
  )
}
