import { Stack, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useApi } from '../../api/hooks.ts'
import { JobBar, JobState } from '../../jobs/job-progress.tsx'
import { titleOf } from '../../jobs/job-words.ts'
import { isOpen, type Job } from '../../jobs/use-jobs.ts'
import { t } from '../../languages/text.ts'
import { Link, LinkButton } from '../../ui/link.tsx'
import { type Column, List } from '../../ui/list/list.tsx'
import { EmptyState } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { Clock } from '../../ui/time.tsx'

const route = getRouteApi('/shell/jobs')
const perPage = 25
const lookInterval = 2000

const columns: readonly Column<Job>[] = [
  {
    title: t('Job'),
    cell: (job) => (
      <Stack gap={0}>
        <Link to="/jobs/$id" params={{ id: String(job.id) }}>
          {titleOf(job)}
        </Link>
        {job.title && (
          <Text size="xs" c="dimmed" lineClamp={1}>
            {job.title}
          </Text>
        )}
      </Stack>
    ),
  },
  { title: t('State'), cell: (job) => <JobState job={job} /> },
  { title: t('Progress'), cell: (job) => <JobBar job={job} /> },
  { title: t('By'), cell: (job) => job.created_by.name, isExtra: true },
  { title: t('Created'), cell: (job) => <Clock value={job.created_at} />, isExtra: true },
]

/** The bulk jobs of the last 30 days, finished and running. */
export function JobsPage() {
  const { after } = route.useSearch()
  const parts = { query: { limit: perPage, ...(after && { after }) } }
  const jobs = useApi('GET /jobs', parts, { keepsPrevious: true })
  const hasJobs = after !== undefined || (jobs.data?.data.length ?? 0) > 0
  const isBusy = jobs.data?.data.some(isOpen) ?? false
  useApi('GET /jobs', parts, { enabled: isBusy, refetchInterval: lookInterval })
  return (
    <Page
      title={t('Jobs')}
      description={t(
        'Work on many devices. It goes on when this page is closed, and is kept for 30 days.',
      )}
      actions={hasJobs && <LinkButton to="/import">{t('Import devices')}</LinkButton>}
    >
      <List
        caption={t('Jobs, newest first')}
        answer={jobs}
        columns={columns}
        keyOf={({ id }) => id}
        empty={<NoJobs />}
      />
    </Page>
  )
}

function NoJobs() {
  return (
    <EmptyState
      title={t('No jobs yet')}
      actions={
        <>
          <LinkButton to="/import">{t('Import devices from a file')}</LinkButton>
          <LinkButton to="/devices" variant="default">
            {t('Choose devices')}
          </LinkButton>
        </>
      }
    >
      {t(
        'A job registers, renames, moves, configures or deletes up to 100,000 devices, and says what became of each. Import a file, or choose devices in their list.',
      )}
    </EmptyState>
  )
}
