import { Code, Text } from '@mantine/core'
import { useState } from 'react'
import { useApi } from '../../../api/hooks.ts'
import { rich, t } from '../../../languages/text.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Link } from '../../../ui/link.tsx'
import { type Column, List } from '../../../ui/list/list.tsx'
import { EmptyState } from '../../../ui/notices.tsx'
import { State } from '../../../ui/state.tsx'
import { Time } from '../../../ui/time.tsx'
import { SettingsPage } from '../settings-page.tsx'
import { NewWebhookDialog } from './webhook-dialog.tsx'
import { lookInterval, nameEvents, stateOf, type Webhook, waitingWords } from './webhook-words.ts'

/** The webhooks of the organization, and how each of them does. */
export function WebhooksPage() {
  const [isAdding, setAdding] = useState(false)
  const answer = useApi('GET /webhooks', {}, { refetchInterval: lookInterval })
  const add = (
    <ActionButton needs="manage_account" onClick={() => setAdding(true)}>
      {t('New webhook')}
    </ActionButton>
  )
  return (
    <SettingsPage
      title={t('Webhooks')}
      description={t('What devices send, on your own servers a moment later.')}
      actions={(answer.data?.data.length ?? 0) > 0 && add}
    >
      <List
        caption={t('Webhooks')}
        answer={answer}
        keyOf={({ id }) => id}
        columns={columns}
        empty={<NoWebhook add={add} />}
      />
      {isAdding && <NewWebhookDialog onClose={() => setAdding(false)} />}
    </SettingsPage>
  )
}

function NoWebhook({ add }: { add: React.ReactNode }) {
  return (
    <EmptyState title={t('No webhooks yet')} actions={add}>
      {rich(
        'A webhook is an address of yours, such as {code}. Each event is sent there as JSON by {code2}, signed, in order per device. An answer of 2xx within 10 seconds takes it; anything else is tried again for a day. Nothing is lost while your server is away: what came meanwhile is sent when it is back. An MQTT broker of yours, such as ',
        { code: <Code>https://example.com/lora</Code>, code2: <Code>POST</Code> },
      )}
      {rich('{code}, gets the same by topics.', {
        code: <Code>mqtts://broker.example.com</Code>,
      })}
    </EmptyState>
  )
}

const columns: readonly Column<Webhook>[] = [
  { title: t('Webhook'), cell: (webhook) => <Name webhook={webhook} /> },
  { title: t('State'), cell: (webhook) => <WebhookState webhook={webhook} /> },
  { title: t('Sends'), cell: ({ events }) => nameEvents(events), isExtra: true },
  { title: t('Waiting'), cell: (webhook) => waitingWords(webhook), isExtra: true },
  {
    title: t('Last delivery'),
    cell: ({ health }) => <Time value={health.last_success_at} />,
    isExtra: true,
  },
]

function Name({ webhook }: { webhook: Webhook }) {
  return (
    <>
      <Link
        to="/settings/webhooks/$webhook"
        params={{ webhook: String(webhook.id) }}
        size="sm"
        fw={500}
      >
        {webhook.name}
      </Link>
      <Text size="xs" c="dimmed" lineClamp={1} style={{ overflowWrap: 'anywhere' }}>
        {webhook.url}
      </Text>
    </>
  )
}

export function WebhookState({ webhook }: { webhook: Webhook }) {
  const [kind, word] = stateOf(webhook)
  return <State kind={kind}>{word}</State>
}
