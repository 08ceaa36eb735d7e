import { LinkButton } from '../ui/link.tsx'
import { EmptyState } from '../ui/notices.tsx'
import { Page } from '../ui/page.tsx'

export function NotFoundPage() {
  return (
    <Page title="Not found">
      <EmptyState
        title="There is no such page"
        actions={<LinkButton to="/">Go to the overview</LinkButton>}
      >
        The address may be mistyped, or from another version of the console.
      </EmptyState>
    </Page>
  )
}
