import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconClock,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { t } from '../languages/text.ts'
import classes from './state.module.css'

export type StateKind = 'good' | 'warn' | 'bad' | 'off' | 'waiting'

const icons = {
  good: IconCircleCheck,
  warn: IconAlertTriangle,
  bad: IconCircleX,
  off: IconCircleDashed,
  waiting: IconClock,
}

/** A state: an icon and a word, so that nothing depends only on its colour. */
export function State({ kind, children }: { kind: StateKind; children: ReactNode }) {
  const Icon = icons[kind]
  return (
    <span className={classes.state} data-kind={kind}>
      <Icon size={15} aria-hidden className={classes.icon} />
      <span>{children}</span>
    </span>
  )
}

/** The state of a registration at its network, as the API names it. */
export function RegistrationState({ status }: { status: string }) {
  if (status === 'active') return <State kind="good">{t('Registered')}</State>
  if (status === 'pending') return <State kind="waiting">{t('Pending')}</State>
  return <State kind="bad">{t('Registration error')}</State>
}
