import { Stack, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useApi } from '../../api/hooks.ts'
import { JobBar, JobState } from '../../jobs/job-progress.tsx'
import { titleOf } from '../../jobs/job-words.ts'
import { isOpen, type Job } from '../../jobs/use-jobs.ts'
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
    title: 'Job',
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
  { title: 'State', cell: (job) => <JobState job={job} /> },
  { title: 'Progress', cell: (job) => <JobBar job={job} /> },
  { title: 'By', cell: (job) => job.created_by.name, isExtra: true },
  { title: 'Created', cell: (job) => <Clock value={job.created_at} />, isExtra: true },
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
      title="Jobs"
      description="Work on many devices. It goes on when this page is closed, and is kept for 30 days."
      actions={hasJobs && <LinkButton to="/import">Import devices</LinkButton>}
    >
      <List
        caption="Jobs, newest first"
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
      title="No jobs yet"
      actions={
        <>
          <LinkButton to="/import">Import devices from a file</LinkButton>
          <LinkButton to="/devices" variant="default">
            Choose devices
          </LinkButton>
        </>
      }
    >
      A job registers, renames, moves, configures or deletes up to 100,000 devices, and says what
      became of each. Import a file, or choose devices in their list.
    </EmptyState>
  )
}
