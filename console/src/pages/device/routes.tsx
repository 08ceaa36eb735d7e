import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withTexts } from '../../languages/load.ts'
import { shellRoute } from '../../router/roots.ts'
import { searchOf } from '../../router/search.ts'
import { deviceSearch } from './device-search.ts'

export const deviceRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/devices/$eui',
    validateSearch: searchOf(deviceSearch),
    component: lazyRouteComponent(
      withTexts('device', () => import('./device-page.tsx')),
      'DevicePage',
    ),
  }),
] as const
