import { createRoute } from '@tanstack/react-router'
import { shellRoute } from '../../router/roots.ts'
import { prefetchAnswer } from '../../session/session.ts'
import { OverviewPage } from './overview-page.tsx'

export const overviewRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/',
    // The page does not wait for it.
    loader: () => void prefetchAnswer('GET /fleet/summary', {}),
    component: OverviewPage,
  }),
] as const
