import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../router/roots.ts'
import { searchOf } from '../../router/search.ts'
import { deviceSearch } from './device-search.ts'

export const devicesRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/devices',
    validateSearch: searchOf(deviceSearch),
    component: lazyRouteComponent(() => import('./devices-page.tsx'), 'DevicesPage'),
  }),
] as const
