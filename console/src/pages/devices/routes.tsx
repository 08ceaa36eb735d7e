import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../router/roots.ts'

export const devicesRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/devices',
    component: lazyRouteComponent(() => import('./devices-page.tsx'), 'DevicesPage'),
  }),
] as const
