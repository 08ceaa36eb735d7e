import { t } from '../languages/text.ts'
import type { Permission } from '../session/session.ts'
import { useReason } from '../ui/action-button.tsx'
import { LinkButton } from '../ui/link.tsx'
import { EmptyState } from '../ui/notices.tsx'
import { Page } from '../ui/page.tsx'

/** In place of a page that the user has no use for: why, and where to go. */
export function BarredPage({ bar }: { bar: Permission | 'limited' }) {
  const reason = useReason(bar === 'limited' ? undefined : bar)
  return (
    <Page title={t('No access')}>
      <EmptyState
        title={reason ?? t('You see the devices of one group.')}
        actions={
          <LinkButton to="/devices" variant="default">
            {t('Go to the devices')}
          </LinkButton>
        }
      >
        {bar === 'limited' && t('This page is about the whole organization.')}
      </EmptyState>
    </Page>
  )
}
