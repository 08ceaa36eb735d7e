import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { EmptyState, ErrorNotice } from '../ui/notices.tsx'
import { Page } from '../ui/page.tsx'

/** In place of a page that threw: what it said, and a way to try again. The frame stays. */
export function FailedPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  if (isMissingPart(error)) {
    return (
      <Page title="Loading">
        <EmptyState title="This page has not loaded yet">
          It opens by itself as soon as the service answers.
        </EmptyState>
      </Page>
    )
  }
  return (
    <Page title="This page failed">
      <ErrorNotice
        error={error}
        retry={() => {
          reset()
          void router.invalidate()
        }}
      />
    </Page>
  )
}

/** What browsers and Vite say when a file of a page cannot be loaded (router/reload-after-update.ts). */
function isMissingPart(error: unknown): boolean {
  const message = error instanceof Error ? error.message : ''
  return /dynamically imported module|unable to preload|importing a module script/i.test(message)
}
