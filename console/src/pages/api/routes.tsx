import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../router/roots.ts'

export const apiRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/api',
    component: lazyRouteComponent(() => import('./api-page.tsx'), 'ApiPage'),
  }),
] as const
