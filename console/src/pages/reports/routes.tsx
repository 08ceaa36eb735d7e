import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withTexts } from '../../languages/load.ts'
import { shellRoute } from '../../router/roots.ts'

export const reportRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/reports',
    component: lazyRouteComponent(
      withTexts('reports', () => import('./reports-page.tsx')),
      'ReportsPage',
    ),
  }),
] as const
