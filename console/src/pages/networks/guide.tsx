import { lazy, Suspense } from 'react'
import { ErrorNotice } from '../../ui/notices.tsx'
import { LoadingLines } from '../../ui/page.tsx'
import { useGuideText } from './guide-text.ts'
import classes from './networks.module.css'

const Markdown = lazy(() =>
  import('../../ui/markdown.tsx').then((module) => ({ default: module.Markdown })),
)

/** The network's page of documentation. */
export function Guide({ name, isBeside = false }: { name: string; isBeside?: boolean }) {
  const { data, error } = useGuideText(name)
  return (
    // A part that scrolls can be reached by the keyboard.
    <section
      className={classes.guide}
      data-beside={isBeside || undefined}
      aria-label="Guide of the network"
      tabIndex={isBeside ? 0 : undefined}
    >
      {error && <ErrorNotice error={error} />}
      {data === undefined && !error && <LoadingLines />}
      {data !== undefined && (
        <Suspense fallback={<LoadingLines />}>
          <Markdown text={data} />
        </Suspense>
      )}
    </section>
  )
}
