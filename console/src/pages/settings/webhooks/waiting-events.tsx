import { SegmentedControl, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Answer } from '../../../api/client.ts'
import { useAction, useApi } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Card } from '../../../ui/card.tsx'
import { List } from '../../../ui/list/list.tsx'
import { tellFailure } from '../../../ui/notices.tsx'
import { Clock, Time } from '../../../ui/time.tsx'
import { eventWords, lookInterval, type Webhook, webhookReads } from './webhook-words.ts'

/** What waits for another attempt, and what was given up. Not shown while there is neither. */
export function WaitingEvents({ webhook }: { webhook: Webhook }) {
  const [chosen, setState] = useState<'waiting' | 'dead'>()
  const { waiting, dead_letters: dead } = webhook.health
  const state = chosen ?? (waiting === 0 && dead > 0 ? 'dead' : 'waiting')
  const answer = useApi(
    'GET /webhooks/{webhook_id}/waiting',
    { path: { webhook_id: String(webhook.id) }, query: { state, limit: 25 } },
    { keepsPrevious: true, refetchInterval: lookInterval },
  )
  if (waiting === 0 && dead === 0) return null
  return (
    <Card
      title={t('Not delivered')}
      note={t(
        'An event that fails is tried again for a day, with growing pauses; later events of its device wait behind it. Then it is a dead letter.',
      )}
      actions={
        <SegmentedControl
          size="xs"
          aria-label={t('Events to show')}
          data={[
            { value: 'waiting', label: t('Waiting') },
            { value: 'dead', label: t('Dead letters ({dead})', { dead }) },
          ]}
          value={state}
          onChange={(value) => setState(value as 'waiting' | 'dead')}
        />
      }
    >
      <WaitingTable
        webhook={webhook}
        answer={answer}
        empty={
          <Text size="sm" c="dimmed">
            {state === 'dead'
              ? t('No dead letters.')
              : t('No event is being tried again. Uplinks wait where they are stored.')}
          </Text>
        }
      />
    </Card>
  )
}

interface WaitingTableProps {
  webhook: Webhook
  answer: UseQueryResult<Answer<'GET /webhooks/{webhook_id}/waiting'>>
  empty: ReactNode
}

function WaitingTable({ webhook, answer, empty }: WaitingTableProps) {
  const retry = useAction('POST /webhooks/{webhook_id}/waiting/{delivery_id}', {
    invalidates: webhookReads,
    onError: (error) => tellFailure(t('The event was not sent again'), error),
  })
  return (
    <List
      caption={t('Events that are not delivered')}
      answer={answer}
      empty={empty}
      keyOf={({ id }) => id}
      columns={[
        {
          title: t('Event'),
          cell: (event) => eventWords(event),
        },
        {
          title: t('Happened'),
          cell: ({ happened_at }) => <Clock value={happened_at} />,
          isExtra: true,
        },
        { title: t('Attempts'), cell: ({ attempts }) => attempts, isNumber: true, isExtra: true },
        {
          title: t('Next'),
          cell: ({ next_attempt_at }) => <Time value={next_attempt_at} none={t('given up')} />,
          isExtra: true,
        },
        { title: t('Last answer'), cell: ({ message }) => message ?? '–' },
        {
          title: t('Action'),
          cell: ({ id, type, device_name }) => (
            <ActionButton
              size="compact-xs"
              variant="default"
              needs="manage_account"
              aria-label={t('Try the {type} of {devicename} again', {
                type,
                devicename: device_name,
              })}
              onClick={() =>
                retry.mutate({
                  path: { webhook_id: String(webhook.id), delivery_id: String(id) },
                })
              }
            >
              {t('Try again')}
            </ActionButton>
          ),
        },
      ]}
    />
  )
}
