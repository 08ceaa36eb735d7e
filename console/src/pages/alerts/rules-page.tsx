import { Anchor, Group, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { alertKindNames, alertReads, severityNames } from '../../alerts/alert-words.ts'
import { MuteMenu } from '../../alerts/mute-menu.tsx'
import { SuggestedRules } from '../../alerts/suggested-rules.tsx'
import type { Answer } from '../../api/client.ts'
import { useAction, useApi } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { useMay } from '../../session/session.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Card } from '../../ui/card.tsx'
import { Link, LinkButton } from '../../ui/link.tsx'
import { List } from '../../ui/list/list.tsx'
import { EmptyState, ErrorNotice } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { State } from '../../ui/state.tsx'
import { conditionWords } from './condition-values.ts'
import { DeleteRule } from './delete-rule.tsx'
import { RuleDialog } from './rule-dialog.tsx'
import { type AlertRule, limitWords } from './rule-words.ts'

/** The rules that raise alerts, and the people they notify. */
export function AlertRulesPage() {
  const [edited, setEdited] = useState<AlertRule | 'new'>()
  const answer = useApi('GET /alert-rules', {})
  const { data } = answer
  const add = (
    <ActionButton needs="manage_devices" onClick={() => setEdited('new')}>
      {t('New rule')}
    </ActionButton>
  )
  return (
    <Page
      title={t('Alert rules')}
      guide="alerts.html"
      description={t('What raises an alert, and who is notified.')}
      actions={
        <Group gap="xs">
          <LinkButton to="/alerts" variant="default">
            {t('Alerts')}
          </LinkButton>
          {data && data.data.length > 0 && add}
        </Group>
      }
    >
      {data && !data.can_mail && data.data.length > 0 && (
        <Text size="sm" c="dimmed">
          {t(
            'This service has no mail server, so alerts are shown here and sent to webhooks only.',
          )}
        </Text>
      )}
      <RuleTable
        answer={answer}
        onEdit={setEdited}
        empty={
          <EmptyState title={t('No alert rules yet')} actions={add}>
            {t(
              'A rule watches devices or gateways for silence, low batteries, tampering or values out of range, and notifies members by mail.',
            )}
          </EmptyState>
        }
      />
      <Suggestions />
      {edited && (
        <RuleDialog
          rule={edited === 'new' ? undefined : edited}
          canMail={data?.can_mail ?? true}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Page>
  )
}

function Suggestions() {
  const { data } = useApi('GET /alert-rules/suggestions', {})
  if (!data || data.data.length === 0) return null
  return (
    <Card title={t('Suggested rules')}>
      <Text size="sm" c="dimmed">
        {t('By what your fleet has. Each is off until you turn it on, and can be changed then.')}
      </Text>
      <SuggestedRules suggested={data.data} />
    </Card>
  )
}

interface RuleTableProps {
  answer: UseQueryResult<Answer<'GET /alert-rules'>>
  empty: ReactNode
  onEdit: (rule: AlertRule) => void
}

function RuleTable({ answer, empty, onEdit }: RuleTableProps) {
  return (
    <List
      caption={t('Alert rules')}
      answer={answer}
      empty={empty}
      keyOf={({ id }) => id}
      columns={[
        { title: t('Rule'), cell: (rule) => <RuleName rule={rule} onEdit={onEdit} /> },
        { title: t('Looks for'), cell: (rule) => <LooksFor rule={rule} />, isExtra: true },
        { title: t('Severity'), cell: ({ severity }) => severityNames[severity], isExtra: true },
        { title: t('State'), cell: (rule) => <RuleState rule={rule} /> },
        {
          title: t('Open'),
          isNumber: true,
          cell: ({ id, open }) => (
            <Link to="/alerts" search={{ rule: id }} size="sm">
              {open}
            </Link>
          ),
        },
        { title: t('Actions'), cell: (rule) => <RuleActions rule={rule} /> },
      ]}
    />
  )
}

function LooksFor({ rule }: { rule: AlertRule }) {
  return (
    <>
      {alertKindNames[rule.kind]}
      <Text size="xs" c="dimmed">
        {rule.kind === 'condition' ? conditionWords(rule.settings) : limitWords(rule)}
      </Text>
    </>
  )
}

/** A link that opens the rule, for members who may change it. */
function RuleName({ rule, onEdit }: { rule: AlertRule; onEdit: (rule: AlertRule) => void }) {
  const may = useMay('manage_devices')
  if (!may) return <Text size="sm">{rule.name}</Text>
  return (
    <Anchor component="button" type="button" size="sm" ta="left" onClick={() => onEdit(rule)}>
      {rule.name}
    </Anchor>
  )
}

function RuleState({ rule: { is_active, muted_until } }: { rule: AlertRule }) {
  if (!is_active) return <State kind="off">{t('Off')}</State>
  if (muted_until !== null) return <State kind="warn">{t('Muted')}</State>
  return <State kind="good">{t('On')}</State>
}

function RuleActions({ rule }: { rule: AlertRule }) {
  const path = { rule_id: String(rule.id) }
  const mute = useAction('POST /alert-rules/{rule_id}/mute', { invalidates: alertReads })
  return (
    <Group gap="xs">
      <MuteMenu
        what={rule.name}
        until={rule.muted_until}
        onChoose={(until) => mute.mutate({ path, body: { until } })}
      />
      <DeleteRule rule={rule} />
      {mute.error && <ErrorNotice error={mute.error} />}
    </Group>
  )
}
