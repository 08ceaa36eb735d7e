import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withTexts } from '../../languages/load.ts'
import { shellRoute } from '../../router/roots.ts'
import { oneOf, searchOf } from '../../router/search.ts'
import { deviceFilterSearch, deviceSearch } from './device-search.ts'

export const devicesRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/devices',
    validateSearch: searchOf(deviceSearch),
    component: lazyRouteComponent(
      withTexts('devices', () => import('./devices-page.tsx')),
      'DevicesPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/map',
    validateSearch: searchOf({ ...deviceFilterSearch, look: oneOf('state', 'signal') }),
    component: lazyRouteComponent(
      withTexts('devices', () => import('./map/fleet-map-page.tsx')),
      'FleetMapPage',
    ),
  }),
] as const
