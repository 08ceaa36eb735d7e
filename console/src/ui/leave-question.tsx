import { useBlocker } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { t } from '../languages/text.ts'
import { Confirm } from './confirm.tsx'

interface LeaveQuestionProps {
  title: string
  /** What would be lost. */
  children: ReactNode
}

/**
 * Asks before the page is left, for what cannot be kept as a draft. Own navigation goes with
 * `ignoreBlocker`; the browser asks in its own words before it loads the page again.
 */
export function LeaveQuestion({ title, children }: LeaveQuestionProps) {
  const blocker = useBlocker({ shouldBlockFn: () => true, withResolver: true })
  return (
    <Confirm
      opened={blocker.status === 'blocked'}
      title={title}
      action={t('Leave')}
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    >
      {children}
    </Confirm>
  )
}
