import { Code, Text } from '@mantine/core'
import { useState } from 'react'
import { useApi } from '../../../api/hooks.ts'
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
      New webhook
    </ActionButton>
  )
  return (
    <SettingsPage
      title="Webhooks"
      description="What devices send, on your own servers a moment later."
      actions={(answer.data?.data.length ?? 0) > 0 && add}
    >
      <List
        caption="Webhooks"
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
    <EmptyState title="No webhooks yet" actions={add}>
      A webhook is an address of yours, such as <Code>https://example.com/lora</Code>. Each event is
      sent there as JSON by <Code>POST</Code>, signed, in order per device. An answer of 2xx within
      10 seconds takes it; anything else is tried again for a day. Nothing is lost while your server
      is away: what came meanwhile is sent when it is back. An MQTT broker of yours, such as{' '}
      <Code>mqtts://broker.example.com</Code>, gets the same by topics.
    </EmptyState>
  )
}

const columns: readonly Column<Webhook>[] = [
  { title: 'Webhook', cell: (webhook) => <Name webhook={webhook} /> },
  { title: 'State', cell: (webhook) => <WebhookState webhook={webhook} /> },
  { title: 'Sends', cell: ({ events }) => nameEvents(events), isExtra: true },
  { title: 'Waiting', cell: (webhook) => waitingWords(webhook), isExtra: true },
  {
    title: 'Last delivery',
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
