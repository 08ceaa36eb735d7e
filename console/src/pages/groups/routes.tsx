import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../router/roots.ts'

export const groupRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/groups',
    component: lazyRouteComponent(() => import('./groups-page.tsx'), 'GroupsPage'),
  }),
] as const
