import { Group, Progress, Stack, Text } from '@mantine/core'
import { Link } from '../ui/link.tsx'
import { State } from '../ui/state.tsx'
import { progressWords, stateOf, titleOf } from './job-words.ts'
import { isOpen, type Job, useJob } from './use-jobs.ts'

/**
 * How far a job is, from anywhere in the console. The job goes on when the page is closed; the link
 * leads to its rows.
 */
export function JobProgress({ id }: { id: number }) {
  const { job } = useJob(id)
  if (!job) return null
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs">
        <Link to="/jobs/$id" params={{ id: String(id) }} size="sm">
          {titleOf(job)}
        </Link>
        <JobState job={job} />
      </Group>
      <JobBar job={job} />
    </Stack>
  )
}

export function JobState({ job }: { job: Job }) {
  const { kind, word } = stateOf(job)
  return <State kind={kind}>{word}</State>
}

/** The part that is done, and the part that failed. Screen readers hear the words below it. */
export function JobBar({ job }: { job: Job }) {
  const share = (count: number) => (job.total === 0 ? 0 : (100 * count) / job.total)
  return (
    <Stack gap={2}>
      <Progress.Root size="sm" aria-hidden>
        <Progress.Section
          value={share(job.done)}
          color="var(--state-good)"
          withAria={false}
          striped={isOpen(job)}
          animated={isOpen(job)}
        />
        <Progress.Section value={share(job.failed)} color="var(--state-bad)" withAria={false} />
      </Progress.Root>
      <Text size="xs" c="dimmed" role="status">
        {progressWords(job)}
      </Text>
    </Stack>
  )
}
