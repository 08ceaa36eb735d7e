import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { ErrorNotice } from '../ui/notices.tsx'
import { Page } from '../ui/page.tsx'

/** In place of a page that threw: what it said, and a way to try again. The frame stays. */
export function FailedPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
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
