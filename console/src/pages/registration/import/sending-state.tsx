import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { t } from '../../../languages/text.ts'
import { Notice } from '../../../ui/notice.tsx'
import { formatCount } from '../../../ui/numbers.ts'

export interface Sent {
  count: number
  /** Why it waits. */
  trouble: string | undefined
}

/** How much of the file is at the service. Nothing begins before all of it is there. */
export function SendingState({
  sent,
  total,
  stop,
}: {
  sent: Sent
  total: number
  stop: () => void
}) {
  return (
    <Stack>
      <Progress value={(100 * sent.count) / total} size="sm" aria-label={t('Rows that are sent')} />
      <Text size="sm" role="status">
        {t('{count} of {total} rows are sent. Keep this page open until all are there.', {
          count: formatCount(sent.count),
          total: formatCount(total),
        })}
      </Text>
      {sent.trouble && (
        <Notice kind="warn" title={t('Waiting for the service')}>
          <Text size="sm">{sent.trouble}</Text>
        </Notice>
      )}
      <Group>
        <Button variant="default" onClick={stop}>
          {t('Stop')}
        </Button>
      </Group>
    </Stack>
  )
}
