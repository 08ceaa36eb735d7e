import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../languages/text.ts'
import { EmptyState } from '../ui/notices.tsx'
import type { TimeRange } from './chart-data.ts'
import type { ReadRange } from './range.ts'

interface EmptyRangeProps {
  title: string
  range: ReadRange
  onZoom: (range: TimeRange | undefined) => void
  children: ReactNode
}

/** Stands in place of charts without a value, and leads back from where they were zoomed to. */
export function EmptyRange({ title, range, onZoom, children }: EmptyRangeProps) {
  const reset = (
    <Button variant="default" onClick={() => onZoom(undefined)}>
      {t('Reset zoom')}
    </Button>
  )
  return (
    <EmptyState title={title} actions={range.name === 'custom' && reset}>
      {children}
    </EmptyState>
  )
}
