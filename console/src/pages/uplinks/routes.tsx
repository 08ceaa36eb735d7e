import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withTexts } from '../../languages/load.ts'
import { shellRoute } from '../../router/roots.ts'
import { searchOf } from '../../router/search.ts'
import { uplinkSearch } from './uplink-search.ts'

export const uplinkRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/uplinks',
    validateSearch: searchOf(uplinkSearch),
    component: lazyRouteComponent(
      withTexts('uplinks', () => import('./uplinks-page.tsx')),
      'UplinksPage',
    ),
  }),
] as const
