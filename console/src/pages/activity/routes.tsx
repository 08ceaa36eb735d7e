import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../router/roots.ts'

export const activityRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/activity',
    component: lazyRouteComponent(() => import('./activity-page.tsx'), 'ActivityPage'),
  }),
] as const
