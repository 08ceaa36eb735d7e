import { Alert, CloseButton, Group } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useApi } from '../../../api/hooks.ts'
import { Link } from '../../../ui/link.tsx'
import { formatCount } from '../../../ui/numbers.ts'

interface JobLineProps {
  id: number
  /** What the job changed is read anew. */
  onEnd: () => void
  onClose: () => void
}

/** Milliseconds between two looks at a job that goes on. */
const interval = 700

/** How far the work on the chosen devices is, and where its results are. */
export function JobLine({ id, onEnd, onClose }: JobLineProps) {
  const isOver = useRef(false)
  const { data } = useApi(
    'GET /jobs/{job_id}',
    { path: { job_id: String(id) } },
    { refetchInterval: isOver.current ? false : interval, staleTime: 0 },
  )
  const job = data?.data
  const isDone = job !== undefined && (job.state === 'done' || job.state === 'cancelled')
  useEffect(() => {
    if (!isDone || isOver.current) return
    isOver.current = true
    onEnd()
  }, [isDone, onEnd])
  if (!job) return null
  const failed = job.failed > 0 ? `, ${formatCount(job.failed)} failed` : ''
  const words = `${formatCount(job.done)} of ${formatCount(job.total)} done${failed}`
  return (
    <Alert variant="light" color={job.failed > 0 ? 'orange' : undefined} p="xs">
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <span role="status" className="tabular">
          {isDone ? 'Finished: ' : 'Under way: '}
          {words}
        </span>
        <Group gap="xs" wrap="nowrap">
          <Link to="/jobs">Results</Link>
          <CloseButton aria-label="Close this message" onClick={onClose} />
        </Group>
      </Group>
    </Alert>
  )
}
