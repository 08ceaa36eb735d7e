import { Button } from '@mantine/core'
import { useState } from 'react'
import { t } from '../languages/text.ts'
import { openDraft } from '../session/drafts.ts'
import { useSession } from '../session/session.ts'
import { Notice } from './notice.tsx'

/** What a form keeps until it is saved. */
export interface KeptDraft<T> {
  /** What the form starts with. */
  start: T
  /** What it starts with when nothing was kept. */
  blank: T
  /** Keeps what is entered now. */
  keep: (entered: T) => void
  /** After it was saved or given up. */
  forget: () => void
  /** Whether the form shows what was entered earlier. */
  isRestored: boolean
}

/**
 * Keeps what is entered in a form when the page is left or loaded again, in this tab and for this
 * user. Members with names as `password` or `deviceKey` are not kept, nor are those in `secrets`.
 */
export function useDraft<T extends object>(
  name: string,
  blank: T,
  secrets: readonly string[] = [],
): KeptDraft<T> {
  const { session, organization } = useSession()
  const [draft] = useState(() =>
    openDraft(`${session.user.id} ${organization.id} ${name}`, blank, secrets),
  )
  const [isRestored, setRestored] = useState(draft.start !== draft.blank)
  const forget = () => {
    draft.forget()
    setRestored(false)
  }
  return { ...draft, forget, isRestored }
}

interface DraftNoticeProps<T> {
  draft: KeptDraft<T>
  /** Whether the form has keys or passwords. */
  hasSecrets?: boolean
  /** Shows this in the form. */
  onStartOver: (blank: T) => void
}

/** Says that the form shows what was entered earlier, and offers to start over. */
export function DraftNotice<T>({ draft, hasSecrets, onStartOver }: DraftNoticeProps<T>) {
  if (!draft.isRestored) return null
  const startOver = () => {
    draft.keep(draft.blank)
    draft.forget()
    onStartOver(draft.blank)
  }
  return (
    <Notice kind="off" title={t('Your unsaved changes are here')}>
      {hasSecrets && t('Keys and passwords are not kept: enter them again. ')}
      <Button size="compact-sm" variant="default" onClick={startOver}>
        {t('Start over')}
      </Button>
    </Notice>
  )
}
