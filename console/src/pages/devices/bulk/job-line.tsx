import { CloseButton, Group } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { JobProgress } from '../../../jobs/job-progress.tsx'
import { isOpen, useJob } from '../../../jobs/use-jobs.ts'
import { t } from '../../../languages/text.ts'
import { Card } from '../../../ui/card.tsx'
import classes from './bulk-bar.module.css'

interface JobLineProps {
  id: number
  /** Reads again what the job changed. */
  onEnd: () => void
  onClose: () => void
}

/** How far the work on the chosen devices is; it leads to the result of each. */
export function JobLine({ id, onEnd, onClose }: JobLineProps) {
  const { job } = useJob(id)
  const isTold = useRef(false)
  const isOver = job !== undefined && !isOpen(job)
  useEffect(() => {
    if (!isOver || isTold.current) return
    isTold.current = true
    onEnd()
  }, [isOver, onEnd])
  return (
    <Card role="region" aria-label={t('Work on the chosen devices')}>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <div className={classes.progress}>
          <JobProgress id={id} />
        </div>
        <CloseButton aria-label={t('Close')} onClick={onClose} />
      </Group>
    </Card>
  )
}
