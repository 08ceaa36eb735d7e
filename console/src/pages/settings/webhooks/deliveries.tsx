import { SegmentedControl, Text } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import type { Answer } from '../../../api/client.ts'
import { useApi } from '../../../api/hooks.ts'
import { Card } from '../../../ui/card.tsx'
import { useFilterChange } from '../../../ui/list/filter-bar.tsx'
import { type Column, List } from '../../../ui/list/list.tsx'
import { State } from '../../../ui/state.tsx'
import { Clock } from '../../../ui/time.tsx'
import { lookInterval, type Webhook } from './webhook-words.ts'

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
      title="Deliveries"
      note="Each attempt of the last 30 days, newest first."
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Attempts to show"
          data={[
            { value: 'any', label: 'All' },
            { value: 'failed', label: 'Failed' },
          ]}
          value={outcome}
          onChange={(value) => change({ outcome: value === 'any' ? undefined : value })}
        />
      }
    >
      <List
        caption="Attempts"
        answer={answer}
        keyOf={({ id }) => id}
        columns={columns}
        empty={
          <Text size="sm" c="dimmed">
            {outcome === 'failed' ? 'No failed attempts.' : 'Nothing sent yet.'}
          </Text>
        }
      />
    </Card>
  )
}

const columns: readonly Column<Attempt>[] = [
  { title: 'Time', phone: 'side', isOneLine: true, cell: ({ at }) => <Clock value={at} /> },
  { title: 'Event', phone: 'title', cell: (attempt) => eventWords(attempt) },
  {
    title: 'Status',
    cell: ({ delivered, status }) => (
      <State kind={delivered ? 'good' : 'bad'}>{status ?? 'None'}</State>
    ),
  },
  { title: 'Took', cell: ({ duration_ms }) => `${duration_ms} ms`, isNumber: true, isExtra: true },
  {
    title: 'Answer',
    cell: ({ answer }) => (
      <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
        {answer ?? '–'}
      </Text>
    ),
    isExtra: true,
  },
]

function eventWords({ type, device_name }: Attempt): string {
  const words = type.replaceAll('_', ' ')
  return device_name === null ? words : `${words} of ${device_name}`
}
