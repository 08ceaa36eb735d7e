import { Group, Stack, Text } from '@mantine/core'
import { useAction, useApi } from '../../../api/hooks.ts'
import { JobProgress } from '../../../jobs/job-progress.tsx'
import { isOpen, type Job } from '../../../jobs/use-jobs.ts'
import { t } from '../../../languages/text.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Link } from '../../../ui/link.tsx'
import { tellFailure } from '../../../ui/notices.tsx'
import { formatCount } from '../../../ui/numbers.ts'

/** Failed rows that are shown here; the page of the job has all. */
const mostShown = 5

/** The id of the last take-over from a network, whoever began it, and in whichever tab. */
export function useTakeOverJob(network: string) {
  const { data, isPending } = useApi('GET /jobs', { query: { limit: 100 } })
  const job = data?.data.find(
    ({ kind, settings }) => kind === 'take_over' && settings.network === network,
  )
  return { id: job?.id, isPending }
}

/** How far a take-over is; at its end, what was not taken over and why. */
export function TakeOverJob({ job }: { job: Job }) {
  const cancel = useAction('DELETE /jobs/{job_id}', {
    invalidates: ['GET /jobs/{job_id}', 'GET /jobs'],
    onError: (error) => tellFailure(t('The take-over was not stopped'), error),
  })
  return (
    <Stack gap="xs" component="section" aria-label={t('Take-over')}>
      <JobProgress id={job.id} />
      {isOpen(job) && (
        <Group justify="space-between" gap="xs">
          <Text size="sm" c="dimmed">
            {t('It goes on when you close this page.')}
          </Text>
          <ActionButton
            variant="default"
            size="xs"
            needs="manage_devices"
            loading={cancel.isPending}
            onClick={() => cancel.mutate({ path: { job_id: String(job.id) } })}
          >
            {t('Stop')}
          </ActionButton>
        </Group>
      )}
      {job.failed > 0 && <Refusals job={job} />}
    </Stack>
  )
}

function Refusals({ job }: { job: Job }) {
  const parts = {
    path: { job_id: String(job.id) },
    query: { status: 'failed' as const, limit: mostShown },
  }
  const { data } = useApi('GET /jobs/{job_id}/rows', parts)
  return (
    <div>
      <Text size="sm" fw={600}>
        {t('Not taken over: {count}', { count: formatCount(job.failed) })}
      </Text>
      {data?.data.map(({ number, input, message }) => (
        <Text size="sm" key={number}>
          {String(input.device_name || input.gateway_name || input.device_id || input.gateway_id)}:{' '}
          {message}
        </Text>
      ))}
      <Link to="/jobs/$id" params={{ id: String(job.id) }} search={{ status: 'failed' }} size="sm">
        {t('All of them, and try again')}
      </Link>
    </div>
  )
}
