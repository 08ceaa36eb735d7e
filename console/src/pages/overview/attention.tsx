import { Text } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { AlertSubject } from '../../alerts/alert-subject.tsx'
import { type Alert, alertSeverity, factsOf, nameOfSubject } from '../../alerts/alert-words.ts'
import { useApi } from '../../api/hooks.ts'
import { withTexts } from '../../languages/load.ts'
import { t } from '../../languages/text.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Card } from '../../ui/card.tsx'
import { Link, LinkButton } from '../../ui/link.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { State, type StateKind } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { type Finding, findingsOf } from './findings.ts'
import classes from './overview.module.css'
import type { Summary } from './summary.ts'

const AcknowledgeDialog = lazy(async () => ({
  default: (await withTexts('shared', () => import('../../alerts/acknowledge-dialog.tsx'))())
    .AcknowledgeDialog,
}))

/** Alerts that are shown here; the page of alerts has all. */
const mostAlerts = 6
/** Devices that are named with their number. */
const mostNamed = 3
/** Milliseconds: alerts come by the stream of events too. */
const interval = 60_000

/** What somebody should look at now: the worst first, and of equals the newest. */
export function Attention({ summary }: { summary: Summary }) {
  const [chosen, setChosen] = useState<Alert>()
  const { data } = useApi(
    'GET /alerts',
    {
      query: {
        state: 'open',
        acknowledged: 'no',
        snoozed: 'no',
        sort: 'severity',
        limit: mostAlerts,
      },
    },
    { refetchInterval: interval },
  )
  const { list, keepFocus } = useFocusOfList(data)
  if (!data) return null
  const alerts = data.data
  const choose = (alert: Alert) => {
    keepFocus()
    setChosen(alert)
  }
  const items = [
    ...alerts.map((alert) => toItem(alert, choose)),
    ...findingsOf(summary)
      .filter(isNotTold(alerts))
      .map((finding) => ({
        ...finding,
        note: finding.latest?.length ? <Latest devices={finding.latest} /> : finding.note,
        what: (
          <Link to={finding.to} search={(finding.search ?? {}) as never} size="sm">
            {finding.what}
          </Link>
        ),
        action: (
          <LinkButton
            to={finding.to}
            search={(finding.search ?? {}) as never}
            size="compact-sm"
            variant="default"
          >
            {finding.action}
            <span className="visually-hidden">: {finding.what}</span>
          </LinkButton>
        ),
      })),
  ].sort((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind))
  return (
    <Card title={t('Needs attention')}>
      {items.length === 0 && (
        <Text size="sm" component="div">
          <State kind="good">{t('Nothing needs attention.')}</State>
        </Text>
      )}
      <ul className={classes.items} ref={list} tabIndex={-1}>
        {items.map(({ key, ...item }) => (
          <AttentionItem key={key} {...item} />
        ))}
      </ul>
      {data.open > alerts.length && (
        <Link to="/alerts" size="sm">
          {t('All open alerts ({open})', { open: formatCount(data.open) })}
        </Link>
      )}
      {chosen && (
        <Suspense>
          <AcknowledgeDialog alert={chosen} onClose={() => setChosen(undefined)} />
        </Suspense>
      )}
    </Card>
  )
}

/** The button that has the focus goes with its alert: the focus then goes to the list. */
function useFocusOfList(data: unknown) {
  const list = useRef<HTMLUListElement>(null)
  const isKept = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other data may have removed the button
  useEffect(() => {
    if (!isKept.current || document.activeElement !== document.body) return
    isKept.current = false
    list.current?.focus()
  }, [data])
  return {
    list,
    keepFocus: () => {
      isKept.current = true
    },
  }
}

function Latest({ devices }: { devices: NonNullable<Finding['latest']> }) {
  return devices.slice(0, mostNamed).map((device) => (
    <span key={device.did} className={classes.latest}>
      <Link to="/devices/$eui" params={{ eui: device.device_id }} size="sm">
        {device.device_name}
      </Link>{' '}
      {device.message ?? <Time value={device.last_seen} />}
    </span>
  ))
}

const order: readonly StateKind[] = ['bad', 'warn', 'waiting', 'off', 'good']

/** Whether fewer devices than the finding counts have an alert here that says the same. */
function isNotTold(alerts: readonly Alert[]) {
  return ({ alerts: kind, count = 0 }: Finding) => {
    const own = alerts.filter((alert) => alert.kind === kind)
    return !kind || new Set(own.map(({ device, gateway }) => (device ?? gateway)?.eui)).size < count
  }
}

function toItem(alert: Alert, choose: (alert: Alert) => void) {
  return {
    key: `alert ${alert.id}`,
    kind: alertSeverity(alert),
    what: <AlertSubject alert={alert} />,
    note: (
      <>
        {factsOf(alert)} · <Time value={alert.began_at} />
      </>
    ),
    action: (
      <ActionButton
        needs="manage_devices"
        size="compact-sm"
        variant="default"
        onClick={() => choose(alert)}
      >
        {t('Acknowledge')}
        <span className="visually-hidden">: {nameOfSubject(alert)}</span>
      </ActionButton>
    ),
  }
}

interface AttentionItemProps {
  kind: StateKind
  what: ReactNode
  note: ReactNode
  action: ReactNode
}

const severityWords: Record<StateKind, string> = {
  bad: t('Critical'),
  warn: t('Warning'),
  waiting: t('Waiting'),
  off: t('Info'),
  good: t('Good'),
}

function AttentionItem({ kind, what, note, action }: AttentionItemProps) {
  return (
    <li>
      <span className={classes.severity}>
        <State kind={kind}>{severityWords[kind]}</State>
      </span>
      <span className={classes.what}>
        {what}
        <span className={classes.facts}>{note}</span>
      </span>
      {action}
    </li>
  )
}
