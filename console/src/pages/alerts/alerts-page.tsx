import { Button, Group, SegmentedControl, Select, Text } from '@mantine/core'
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
import { EmptyState, ErrorNotice } from '../../ui/notices.tsx'
import { countOf } from '../../ui/numbers.ts'
import { LoadingLines, Page } from '../../ui/page.tsx'
import { type Column, PlainTable } from '../../ui/plain-table.tsx'
import { State } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'

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
  const { data, error, isPending, refetch } = useApi(
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
          {data
            ? `${countOf(data.open, 'open alert')}, ${data.unacknowledged} not acknowledged`
            : 'Loading'}
        </span>
      }
      actions={
        <LinkButton to="/alerts/rules" variant="default">
          Rules
        </LinkButton>
      }
    >
      <Filters isHistory={state === 'closed'} kind={kind} rule={rule} />
      {error && <ErrorNotice error={error} retry={() => void refetch()} />}
      {isPending && <LoadingLines count={10} />}
      {data?.data.length === 0 && (
        <Empty
          isHistory={state === 'closed'}
          isFiltered={kind !== undefined || rule !== undefined}
        />
      )}
      {data && data.data.length > 0 && (
        <PlainTable
          caption="Alerts, newest first"
          columns={columnsOf(state === 'closed', setChosen)}
          rows={data.data}
          keyOf={({ id }) => id}
        />
      )}
      {data && <Pages after={after} next={data.after} />}
      {chosen && <AcknowledgeDialog alert={chosen} onClose={() => setChosen(undefined)} />}
    </Page>
  )
}

function isKind(text: string | undefined): text is AlertKind {
  return text !== undefined && Object.hasOwn(alertKindNames, text)
}

function columnsOf(isHistory: boolean, choose: (alert: Alert) => void): readonly Column<Alert>[] {
  return [
    { title: 'Alert', cell: (alert) => <What alert={alert} /> },
    { title: 'Since', cell: ({ began_at }) => <Time value={began_at} /> },
    ...(isHistory
      ? [{ title: 'Until', cell: ({ closed_at }: Alert) => <Time value={closed_at} /> }]
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

interface FiltersProps {
  isHistory: boolean
  kind: AlertKind | undefined
  rule: number | undefined
}

function Filters({ isHistory, kind, rule }: FiltersProps) {
  const navigate = route.useNavigate()
  const rules = useApi('GET /alert-rules', {})
  const change = (changes: Record<string, string | number | undefined>) =>
    void navigate({ search: (now) => ({ ...now, after: undefined, ...changes }) })
  return (
    <Group gap="xs" align="flex-end">
      <SegmentedControl
        aria-label="Which alerts"
        data={[
          { value: 'open', label: 'Open' },
          { value: 'history', label: 'History' },
        ]}
        value={isHistory ? 'history' : 'open'}
        onChange={(value) => change({ show: value === 'history' ? 'history' : undefined })}
      />
      <Select
        label="Kind"
        clearable
        clearButtonProps={{ 'aria-label': 'All kinds' }}
        placeholder="All kinds"
        data={Object.entries(alertKindNames).map(([value, label]) => ({ value, label }))}
        value={kind ?? null}
        onChange={(value) => change({ about: value ?? undefined })}
      />
      <Select
        label="Rule"
        clearable
        searchable
        clearButtonProps={{ 'aria-label': 'All rules' }}
        placeholder="All rules"
        data={(rules.data?.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
        value={rule === undefined ? null : String(rule)}
        onChange={(value) => change({ rule: value === null ? undefined : Number(value) })}
      />
    </Group>
  )
}

function Empty({ isHistory, isFiltered }: { isHistory: boolean; isFiltered: boolean }) {
  const rules = useApi('GET /alert-rules', {})
  if (isFiltered)
    return <EmptyState title="No such alert">Another filter may find some.</EmptyState>
  if (isHistory)
    return <EmptyState title="No alert is over yet">Those that end appear here.</EmptyState>
  const seeRules = <LinkButton to="/alerts/rules">See the rules</LinkButton>
  if (rules.data?.data.length === 0) {
    return (
      <EmptyState title="Nothing is watched yet" actions={seeRules}>
        Rules decide what raises an alert: silence, a low battery, a value out of range.
      </EmptyState>
    )
  }
  return (
    <EmptyState title="All is well" actions={seeRules}>
      No alert is open.
    </EmptyState>
  )
}

function Pages({ after, next }: { after: number | undefined; next: number | null }) {
  const navigate = route.useNavigate()
  const go = (to: number | undefined) => void navigate({ search: (now) => ({ ...now, after: to }) })
  return (
    <Group>
      {after !== undefined && (
        <Button variant="default" onClick={() => go(undefined)}>
          Newest
        </Button>
      )}
      {next !== null && (
        <Button variant="default" onClick={() => go(next)}>
          Older
        </Button>
      )}
    </Group>
  )
}
