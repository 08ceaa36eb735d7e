import { Anchor } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { basePath } from '../../api/client.ts'
import { t } from '../../languages/text.ts'
import { ErrorNotice } from '../../ui/notices.tsx'
import { LoadingLines } from '../../ui/page.tsx'
import { readSteps, useGuideText } from './guide-text.ts'
import classes from './networks.module.css'

const Markdown = lazy(() =>
  import('../../ui/markdown.tsx').then((module) => ({ default: module.Markdown })),
)

/** What to do at the network, from its page of the guide, and a link to the whole page. */
export function Guide({ name, isBeside = false }: { name: string; isBeside?: boolean }) {
  const { data, error } = useGuideText(name)
  return (
    // A part that scrolls can be reached by the keyboard.
    <section
      className={classes.guide}
      data-beside={isBeside || undefined}
      aria-label={t('Guide of the network')}
      tabIndex={isBeside ? 0 : undefined}
    >
      {error && <ErrorNotice error={error} />}
      {data === undefined && !error && <LoadingLines />}
      {data !== undefined && (
        <Suspense fallback={<LoadingLines />}>
          <Markdown text={readSteps(data)} />
        </Suspense>
      )}
      <Anchor href={`${basePath}/guide/networks/${name}.html`} fz="sm">
        {t('All about this network')}
      </Anchor>
    </section>
  )
}
