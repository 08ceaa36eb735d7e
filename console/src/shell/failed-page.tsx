import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { t } from '../languages/text.ts'
import { EmptyState, ErrorNotice } from '../ui/notices.tsx'
import { Page } from '../ui/page.tsx'
import { reloadWhenBack } from './reload-when-back.ts'

/** In place of a page that threw: what it said, and a way to try again. The frame stays. */
export function FailedPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  if (isMissingPart(error)) return <MissingPart />
  return (
    <Page title={t('Something went wrong')}>
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

/** What browsers and Vite say when a file of a page cannot be loaded. */
function isMissingPart(error: unknown): boolean {
  const message = error instanceof Error ? error.message : ''
  return /dynamically imported module|unable to preload|importing a module script/i.test(message)
}

/** Nothing is lost by a reload while this is shown: the page has no content. */
function MissingPart() {
  useEffect(reloadWhenBack, [])
  return (
    <Page title={t('Loading')}>
      <EmptyState title={t('This page has not loaded yet')}>
        {t('It opens by itself as soon as the service answers.')}
      </EmptyState>
    </Page>
  )
}
