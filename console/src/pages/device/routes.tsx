import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../router/roots.ts'

export const deviceRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/devices/$eui',
    component: lazyRouteComponent(() => import('./device-page.tsx'), 'DevicePage'),
  }),
] as const
