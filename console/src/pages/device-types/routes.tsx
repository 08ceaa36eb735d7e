import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../router/roots.ts'

export const deviceTypeRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/device-types',
    component: lazyRouteComponent(() => import('./device-types-page.tsx'), 'DeviceTypesPage'),
  }),
] as const
