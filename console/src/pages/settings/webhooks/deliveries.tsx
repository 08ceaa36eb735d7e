import { SegmentedControl, Text } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import type { Answer } from '../../../api/client.ts'
import { useApi } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { Card } from '../../../ui/card.tsx'
import { useFilterChange } from '../../../ui/list/filter-bar.tsx'
import { type Column, List } from '../../../ui/list/list.tsx'
import { State } from '../../../ui/state.tsx'
import { Clock } from '../../../ui/time.tsx'
import { eventWords, lookInterval, type Webhook } from './webhook-words.ts'

type Attempt = Answer<'GET /webhooks/{webhook_id}/deliveries'>['data'][number]

/** Each attempt to deliver, newest first. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const { outcome, after: before } = useSearch({
    from: '/shell/settings/webhooks/$webhook',
  })
  const change = useFilterChange()
  const query = { outcome, before, limit: 25 }
  const answer = useApi(
    'GET /webhooks/{webhook_id}/deliveries',
    { path: { webhook_id: String(webhook.id) }, query },
    { keepsPrevious: true, refetchInterval: before === undefined ? lookInterval : false },
  )
  return (
    <Card
      title={t('Deliveries')}
      note={t('Each attempt of the last 30 days, newest first.')}
      actions={
        <SegmentedControl
          size="xs"
          aria-label={t('Attempts to show')}
          data={[
            { value: 'any', label: t('All') },
            { value: 'failed', label: t('Failed') },
          ]}
          value={outcome}
          onChange={(value) => change({ outcome: value === 'any' ? undefined : value })}
        />
      }
    >
      <List
        caption={t('Attempts')}
        answer={answer}
        keyOf={({ id }) => id}
        columns={columns}
        empty={
          <Text size="sm" c="dimmed">
            {outcome === 'failed' ? t('No failed attempts.') : t('Nothing sent yet.')}
          </Text>
        }
      />
    </Card>
  )
}

const columns: readonly Column<Attempt>[] = [
  { title: t('Time'), phone: 'side', isOneLine: true, cell: ({ at }) => <Clock value={at} /> },
  { title: t('Event'), phone: 'title', cell: (attempt) => eventWords(attempt) },
  {
    title: t('Status'),
    cell: ({ delivered, status }) => (
      <State kind={delivered ? 'good' : 'bad'}>{status ?? t('None')}</State>
    ),
  },
  {
    title: t('Took'),
    cell: ({ duration_ms }) => t('{durationms} ms', { durationms: duration_ms }),
    isNumber: true,
    isExtra: true,
  },
  {
    title: t('Answer'),
    cell: ({ answer }) => (
      <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
        {answer ?? '–'}
      </Text>
    ),
    isExtra: true,
  },
]
