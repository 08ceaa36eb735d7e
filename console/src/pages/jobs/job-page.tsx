import { Group, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { downloadApi } from '../../api/download.ts'
import { useAction } from '../../api/hooks.ts'
import { JobBar, JobState } from '../../jobs/job-progress.tsx'
import { titleOf } from '../../jobs/job-words.ts'
import { isOpen, type Job, useJob } from '../../jobs/use-jobs.ts'
import { t } from '../../languages/text.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Link, LinkButton } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ErrorNotice, tellFailure } from '../../ui/notices.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { LoadingLines, Page } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { JobRows } from './job-rows.tsx'
import { settingsWords } from './job-settings.tsx'

const route = getRouteApi('/shell/jobs/$id')

/** One job: how far it is, what became of each row, and what to do about those that failed. */
export function JobPage() {
  const { id } = route.useParams()
  const { job, error, isPending, refetch } = useJob(Number(id))
  return (
    <Page
      title={job ? titleOf(job) : t('Job')}
      above={<Link to="/jobs">{t('Jobs')}</Link>}
      description={job?.title ?? undefined}
      actions={job && <JobActions job={job} />}
    >
      {error && <ErrorNotice error={error} retry={() => void refetch()} />}
      {isPending && <LoadingLines />}
      {job && <JobDetail job={job} />}
    </Page>
  )
}

function JobDetail({ job }: { job: Job }) {
  return (
    <Stack gap="md">
      <Group gap="md" justify="space-between">
        <JobState job={job} />
        {isOpen(job) && job.state !== 'receiving' && (
          <Text size="xs" c="dimmed">
            {t('It goes on when you close this page.')}
          </Text>
        )}
      </Group>
      <JobBar job={job} />
      <NextStep job={job} />
      <Facts
        rows={[
          [t('By'), job.created_by.name],
          [t('Created'), <Time key="created" value={job.created_at} />],
          [t('Finished'), job.finished_at && <Time key="finished" value={job.finished_at} />],
          ...settingsWords(job),
        ]}
      />
      <JobRows job={job} />
    </Stack>
  )
}

/** What a person does next if the job itself does not go on. */
function NextStep({ job }: { job: Job }) {
  if (job.state === 'receiving') {
    return (
      <Notice kind="warn" title={t('The transfer has stopped')}>
        <Stack gap="xs" align="flex-start">
          <Text size="sm">
            {t(
              '{total} rows are here. Choose the same file again, and it goes on with the next row.',
              { total: formatCount(job.total) },
            )}
          </Text>
          <LinkButton to="/import" search={{ job: job.id }} size="xs">
            {t('Continue with the file')}
          </LinkButton>
        </Stack>
      </Notice>
    )
  }
  if (job.state === 'cancelled' && job.message) {
    return <Notice kind="off" title={job.message} />
  }
  if (job.message) return <Notice kind="warn" title={job.message} />
  if (job.dry_run && job.state === 'done') return <DryRunDone job={job} />
  return null
}

function DryRunDone({ job }: { job: Job }) {
  const faults =
    job.failed > 0
      ? t(
          '{failed, plural, one {# row} other {# rows}} would fail: fix them below first, or leave them out.',
          { failed: job.failed },
        )
      : t('Every row would succeed.')
  return (
    <Notice kind="off" title={t('Nothing has been changed yet')}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{faults}</Text>
        <StartButton job={job} />
      </Stack>
    </Notice>
  )
}

function StartButton({ job }: { job: Job }) {
  const start = useAction('POST /jobs/{job_id}/start', {
    invalidates: ['GET /jobs/{job_id}', 'GET /jobs/{job_id}/rows', 'GET /jobs'],
    onError: (error) => tellFailure(t('The job was not started'), error),
  })
  return (
    <ActionButton
      needs="manage_devices"
      loading={start.isPending}
      blockedBy={job.done === 0 ? t('No row would succeed: fix the rows first.') : undefined}
      onClick={() => start.mutate({ path: { job_id: String(job.id) } })}
    >
      {titleOf({ ...job, dry_run: false, total: job.done })}
    </ActionButton>
  )
}

function JobActions({ job }: { job: Job }) {
  const cancel = useAction('DELETE /jobs/{job_id}', {
    invalidates: ['GET /jobs/{job_id}', 'GET /jobs/{job_id}/rows', 'GET /jobs'],
    onError: (error) => tellFailure(t('The job was not cancelled'), error),
  })
  return (
    <>
      {isOpen(job) && (
        <ActionButton
          variant="default"
          needs="manage_devices"
          loading={cancel.isPending}
          onClick={() => cancel.mutate({ path: { job_id: String(job.id) } })}
        >
          {t('Cancel')}
        </ActionButton>
      )}
      {job.failed > 0 && (
        <ActionButton
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => void download(job)}
        >
          {t('Failed rows as CSV')}
        </ActionButton>
      )}
    </>
  )
}

async function download({ id }: Job): Promise<void> {
  const path = { job_id: String(id) }
  const query = { status: 'failed' }
  await downloadApi('GET /jobs/{job_id}/rows/csv', query, `job-${id}-failed.csv`, path).catch(
    (error) => tellFailure(t('The file was not made'), error),
  )
}
