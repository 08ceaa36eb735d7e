import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../router/roots.ts'

export const reportRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/reports',
    component: lazyRouteComponent(() => import('./reports-page.tsx'), 'ReportsPage'),
  }),
] as const
