import { lazy, Suspense } from 'react'
import { withTexts } from '../languages/load.ts'
import { useIsAsked } from '../session/expiry.ts'

const LogInAgain = lazy(async () => ({
  default: (await withTexts('shared', () => import('./log-in-again.tsx'))()).LogInAgain,
}))

/** The login over the page, which is loaded when it is needed. */
export function SessionDialog() {
  const isAsked = useIsAsked()
  return isAsked ? (
    <Suspense>
      <LogInAgain />
    </Suspense>
  ) : null
}
