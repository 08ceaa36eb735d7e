import { Button, Group, SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'
import type { Answer } from '../../../api/client.ts'
import { useApi } from '../../../api/hooks.ts'
import { Card } from '../../../ui/card.tsx'
import { ErrorNotice } from '../../../ui/notices.tsx'
import { LoadingLines } from '../../../ui/page.tsx'
import { PlainTable } from '../../../ui/plain-table.tsx'
import { State } from '../../../ui/state.tsx'
import { Time } from '../../../ui/time.tsx'
import { lookInterval, type Webhook } from './webhook-words.ts'

type Attempt = Answer<'GET /webhooks/{webhook_id}/deliveries'>['data'][number]

/** Each attempt to deliver, newest first. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const [outcome, setOutcome] = useState<'any' | 'failed'>('any')
  const [before, setBefore] = useState<number>()
  const query = { outcome, limit: 25, ...(before === undefined ? {} : { before }) }
  const { data, error, refetch } = useApi(
    'GET /webhooks/{webhook_id}/deliveries',
    { path: { webhook_id: String(webhook.id) }, query },
    { keepsPrevious: true, refetchInterval: before === undefined ? lookInterval : false },
  )
  const choose = (value: string) => {
    setBefore(undefined)
    setOutcome(value as 'any' | 'failed')
  }
  return (
    <Card
      title="Deliveries"
      note="Each attempt of the last 30 days, newest first."
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Which attempts"
          data={[
            { value: 'any', label: 'All' },
            { value: 'failed', label: 'Failed' },
          ]}
          value={outcome}
          onChange={choose}
        />
      }
    >
      {error && !data && <ErrorNotice error={error} retry={() => void refetch()} />}
      {!data && !error && <LoadingLines />}
      {data && data.data.length === 0 && (
        <Text size="sm" c="dimmed">
          {outcome === 'failed' ? 'No attempt has failed.' : 'Nothing has been sent yet.'}
        </Text>
      )}
      {data && data.data.length > 0 && <AttemptTable attempts={data.data} />}
      <Group gap="xs">
        {before !== undefined && (
          <Button size="xs" variant="default" onClick={() => setBefore(undefined)}>
            Newest
          </Button>
        )}
        {data?.after != null && (
          <Button size="xs" variant="default" onClick={() => setBefore(data.after ?? undefined)}>
            Older
          </Button>
        )}
      </Group>
    </Card>
  )
}

function AttemptTable({ attempts }: { attempts: readonly Attempt[] }) {
  return (
    <PlainTable
      caption="Attempts"
      rows={attempts}
      keyOf={({ id }) => id}
      columns={[
        { title: 'Time', cell: ({ at }) => <Time value={at} exact /> },
        { title: 'Event', cell: (attempt) => eventWords(attempt) },
        {
          title: 'Answer',
          cell: ({ delivered, status }) => (
            <State kind={delivered ? 'good' : 'bad'}>{status ?? 'None'}</State>
          ),
        },
        {
          title: 'Took',
          cell: ({ duration_ms }) => `${duration_ms} ms`,
          isNumber: true,
          isExtra: true,
        },
        {
          title: 'Answer',
          cell: ({ answer }) => (
            <Text size="xs" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
              {answer ?? '–'}
            </Text>
          ),
          isExtra: true,
        },
      ]}
    />
  )
}

function eventWords({ type, device_name }: Attempt): string {
  const words = type.replaceAll('_', ' ')
  return device_name === null ? words : `${words} of ${device_name}`
}
